package auth

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const (
	// keysLife is how long keys are used before they are fetched again, so that a key that the
	// issuer has withdrawn is not accepted forever. API Gateway keeps keys for up to two hours.
	keysLife = time.Hour
	// fetchPause is the least time between two fetches. Clients choose the key ids of tokens, and
	// unknown ids must not flood the issuer with requests. A new key is accepted after at most this
	// time.
	fetchPause = 10 * time.Second
	// fetchTime bounds one fetch, of both documents. Requests wait for it.
	fetchTime = 5 * time.Second
	// maxKeyID bounds a key id; the longest in use have 64 characters.
	maxKeyID = 256
)

// RemoteConfig describes an issuer on the network. All fields are required.
type RemoteConfig struct {
	// Issuer is the address that tokens have as their iss. The keys are where its discovery
	// document says, as for API Gateway. It is https, but for a loopback address, which may be
	// http.
	Issuer string
	Client *http.Client
	Clock  func() time.Time
	// Log gets the failures that requests do not notice, because the last good keys still serve.
	Log *slog.Logger
}

// Remote is the Keys of an issuer on the network. It caches them, and fetches them again if they
// are old or a token names an unknown key. There is one fetch at a time, which all callers share,
// and none sooner than fetchPause after the last. While the issuer does not answer, the last good
// keys serve.
type Remote struct {
	cfg RemoteConfig

	mu      sync.Mutex
	keys    map[string]*rsa.PublicKey
	fetched time.Time     // when the keys were
	tried   time.Time     // when the last fetch began
	failure error         // of the last fetch, if it failed
	flight  chan struct{} // closed at the end of the fetch under way; nil without one
}

var _ Keys = (*Remote)(nil)

// NewRemote returns a Remote. It makes no request.
func NewRemote(cfg RemoteConfig) (*Remote, error) {
	if cfg.Client == nil || cfg.Clock == nil || cfg.Log == nil {
		return nil, errors.New("auth: a client, a clock and a log are needed")
	}
	if err := checkAddress(cfg.Issuer); err != nil {
		return nil, fmt.Errorf("auth: the issuer: %w", err)
	}
	client := *cfg.Client
	// Keys come from where the issuer says they are, and nowhere else.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	cfg.Client = &client
	return &Remote{cfg: cfg}, nil
}

// Key returns the issuer's key of an id, and fetches the keys first if that is due.
func (r *Remote) Key(ctx context.Context, id string) (*rsa.PublicKey, error) {
	if id == "" || len(id) > maxKeyID {
		return nil, ErrNoKey
	}
	if flight := r.refresh(ctx, id); flight != nil {
		select {
		case <-flight:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the issuer's keys: %w", ctx.Err())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key, known := r.keys[id]
	switch {
	case known:
		return key, nil
	case r.failure != nil:
		return nil, fmt.Errorf("look for key %q: %w", id, r.failure)
	default:
		return nil, ErrNoKey
	}
}

// refresh returns the fetch to wait for before an id is looked up, and starts it if one is due. It
// returns nil if the cached keys must do.
func (r *Remote) refresh(ctx context.Context, id string) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.cfg.Clock()
	if _, known := r.keys[id]; known && now.Sub(r.fetched) < keysLife {
		return nil
	}
	if r.flight == nil && (r.tried.IsZero() || now.Sub(r.tried) >= fetchPause) {
		r.tried, r.flight = now, make(chan struct{})
		// Others wait for it too: it does not end with the request that began it.
		go r.fetch(context.WithoutCancel(ctx), now)
	}
	return r.flight
}

func (r *Remote) fetch(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	keys, err := r.fetchKeys(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure = err
	if err == nil {
		r.keys, r.fetched = keys, now
	} else if r.keys != nil {
		r.cfg.Log.WarnContext(ctx, "the issuer's keys could not be fetched; those known before go on being used",
			"error", err, "age", now.Sub(r.fetched).String())
	}
	close(r.flight)
	r.flight = nil
}
