// Package gate holds back the writes of a request until it is admitted. The edge checks a caller
// while the operation reads, so that the check takes no time of its own (ADR 45).
package gate

import "context"

// admission is the outcome of a check, after decided is closed.
type admission struct {
	decided chan struct{}
	err     error
}

type admissionKey struct{}

// Start starts a check of a request. Writes that are made with gated wait for the outcome. The
// caller must call wait before it answers the request, and must not answer otherwise than with the
// error that wait returns.
func Start(ctx context.Context, check func(context.Context) error) (gated context.Context, wait func() error) {
	a := &admission{decided: make(chan struct{})}
	go func() {
		defer close(a.decided)
		a.err = check(ctx)
	}()
	return context.WithValue(ctx, admissionKey{}, a), a.wait
}

func (a *admission) wait() error {
	<-a.decided
	return a.err
}

// Wait waits for the outcome of the check that was started for ctx, and returns its error. It
// returns nil if there is no check: commands and the feed function write for nobody.
func Wait(ctx context.Context) error {
	a, _ := ctx.Value(admissionKey{}).(*admission)
	if a == nil {
		return nil
	}
	return a.wait()
}
