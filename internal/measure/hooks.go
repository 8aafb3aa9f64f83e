package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	hookService  = "archive" // the service that has the hooks
	hookLoneRoom = "hooks-lone"
	hookBusyRoom = "hooks-busy"
	// hookLone is enough for a 99th percentile of more than one message.
	hookLone = 400
	// hookPause is the longest pause after a lone message, so that none waits for the one before.
	// The pauses differ, because the server looks for news at fixed times.
	hookPause = 40 * time.Millisecond
	// hookWaiting is the number of changes that wait for a hook, and of those that arrive.
	hookWaiting = 5000
	// hookPatience bounds the wait for the last change.
	hookPatience = time.Minute

	hookHalfGoal = 60 * time.Millisecond
	hookGoal     = 250 * time.Millisecond
	hookRateGoal = 1000 // changes a second
)

// Hooks measures the deliveries of a server on this machine to a receiver in this process.
func Hooks(ctx context.Context, scale Scale) ([]Figure, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer s.end()
	r, err := startHookReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer r.close()
	text, err := exec.CommandContext(
		ctx, chatBinary, "token", "--data", s.data(), "--service", "--user", hookService,
	).Output()
	if err != nil {
		return nil, fmt.Errorf("fetch a token of a service: %w", err)
	}
	h := hookBench{runningServer: s, receiver: r, service: strings.TrimSpace(string(text))}
	var figures []Figure
	for _, measured := range []func(context.Context) ([]Figure, error){h.lone, h.waiting, h.arriving} {
		more, err := measured(ctx)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// hookBench is a server with hooks of a service, and their receiver.
type hookBench struct {
	*runningServer
	receiver *hookReceiver
	service  string // the service's token
}

// follow creates a hook that has one room, or switches it on or off. The id is the room's.
func (h hookBench) follow(ctx context.Context, room string, enabled bool) error {
	body := fmt.Sprintf(`{"url":%q,"rooms":[%q],"enabled":%v}`, h.receiver.url, room, enabled)
	r, err := http.NewRequestWithContext(ctx, put, h.url+"/hooks/"+room, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+h.service)
	res, err := h.client.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(res.Body)
	if res.StatusCode >= http.StatusBadRequest {
		err = errors.Join(err, fmt.Errorf("create a hook: %s: %s", res.Status, text))
	}
	return errors.Join(err, res.Body.Close())
}

// lone measures the time from the beginning of a post until the receiver accepts its change. Each
// message is posted after the one before has arrived.
func (h hookBench) lone(ctx context.Context) ([]Figure, error) {
	if _, err := h.call(ctx, put, "/rooms/"+hookLoneRoom, "{}"); err != nil {
		return nil, err
	}
	if err := h.follow(ctx, hookLoneRoom, true); err != nil {
		return nil, err
	}
	var times []time.Duration
	for n := range h.scale.of(hookLone) {
		began := time.Now()
		if _, err := h.call(ctx, post, "/rooms/"+hookLoneRoom+"/messages", `{"text":"hello"}`); err != nil {
			return nil, err
		}
		at, err := h.receiver.wait(ctx, hookLoneRoom, n+1)
		if err != nil {
			return nil, err
		}
		times = append(times, at.Sub(began))
		time.Sleep(time.Duration(n*7%40) * hookPause / 40)
	}
	return percentiles("from a post to its acceptance, one at a time", times, hookHalfGoal, hookGoal), nil
}

// waiting measures the changes a second of a hook that is switched on when all of them wait.
func (h hookBench) waiting(ctx context.Context) ([]Figure, error) {
	if err := h.follow(ctx, localRoom, false); err != nil {
		return nil, err
	}
	if _, err := h.sends(ctx); err != nil {
		return nil, err
	}
	n := h.scale.of(localMessages)
	if _, err := h.behind(ctx, n, n); err != nil {
		return nil, err
	}
	before, began := h.spent(), time.Now()
	if err := h.follow(ctx, localRoom, true); err != nil {
		return nil, err
	}
	at, err := h.receiver.wait(ctx, localRoom, n)
	if err != nil {
		return nil, err
	}
	return []Figure{
		atLeast(fmt.Sprintf("changes a second to one hook, %d wait", n), rate(n, at.Sub(began)), hookRateGoal),
		h.processor("a change that waits", n, before),
	}, nil
}

// arriving measures how far a hook is behind when messages are posted as fast as the server
// accepts them.
func (h hookBench) arriving(ctx context.Context) ([]Figure, error) {
	if _, err := h.call(ctx, put, "/rooms/"+hookBusyRoom, "{}"); err != nil {
		return nil, err
	}
	if err := h.follow(ctx, hookBusyRoom, true); err != nil {
		return nil, err
	}
	each := h.scale.of(hookWaiting) / localSenders
	var all errgroup.Group
	began := time.Now()
	for range localSenders {
		all.Go(func() error {
			for range each {
				if _, err := h.call(ctx, post, "/rooms/"+hookBusyRoom+"/messages", `{"text":"hello"}`); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	posted := time.Now()
	n := each * localSenders
	at, err := h.receiver.wait(ctx, hookBusyRoom, n)
	if err != nil {
		return nil, err
	}
	return []Figure{
		{
			Name:  fmt.Sprintf("changes a second to one hook while %d clients post", localSenders),
			Value: fmt.Sprintf("%.0f, of %.0f posted", rate(n, at.Sub(began)), rate(n, posted.Sub(began))),
		},
		{Name: "from the last post's answer to its acceptance", Value: milliseconds(max(0, at.Sub(posted)))},
	}, nil
}
