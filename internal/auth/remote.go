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
	// issuer withdrew is not accepted forever. API Gateway caches keys for up to two hours.
	keysLife = time.Hour
	// fetchPause is the minimum time between two fetches. Clients choose the key ids of tokens, and
	// must not be able to flood the issuer with requests. A new key is available after at most this
	// time.
	fetchPause = 10 * time.Second
	// fetchTime limits one fetch, of both documents. Requests wait for it.
	fetchTime = 5 * time.Second
	// maxHeader limits the header of a response. Issuers' headers have a few kilobytes.
	maxHeader = 64 << 10
	// maxKeyID limits the length of a key id. The longest in use have 64 characters.
	maxKeyID = 256
)

// RemoteConfig configures a Remote. All fields are required.
type RemoteConfig struct {
	// Issuer is the iss of the tokens. Its discovery document gives the address of the keys, as for
	// API Gateway. It must be an https address, but a loopback address may be http.
	Issuer string
	Client *http.Client
	Clock  func() time.Time
	// Log receives failures to fetch keys that do not affect requests, because the previous keys
	// are still used.
	Log *slog.Logger
}

// Remote is the Keys of an issuer on the network. It caches the keys. It fetches them again when
// they are old, or when a token names an unknown key. Only one fetch runs at a time, at least
// fetchPause after the previous one, and all requests that need it wait for it. If a fetch fails,
// Remote continues to use the previous keys.
type Remote struct {
	cfg RemoteConfig

	mu      sync.Mutex
	keys    map[string]*rsa.PublicKey
	fetched time.Time     // when the keys were fetched
	tried   time.Time     // start of the last fetch
	failure error         // of the last fetch, if it failed
	flight  chan struct{} // closed when the running fetch ends; nil if none runs
}

var _ Keys = (*Remote)(nil)

// NewRemote returns a Remote. It sends no request.
func NewRemote(cfg RemoteConfig) (*Remote, error) {
	if cfg.Client == nil || cfg.Clock == nil || cfg.Log == nil {
		return nil, errors.New("auth: a client, a clock and a log are required")
	}
	if err := checkAddress(cfg.Issuer); err != nil {
		return nil, fmt.Errorf("auth: the issuer: %w", err)
	}
	client := *cfg.Client
	if standard, ok := http.DefaultTransport.(*http.Transport); ok && client.Transport == nil {
		transport := standard.Clone()
		transport.MaxResponseHeaderBytes = maxHeader
		client.Transport = transport
	}
	// Keys must come from the address that the issuer names.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	cfg.Client = &client
	return &Remote{cfg: cfg}, nil
}

// Key returns the key with the given id. It fetches the keys first if necessary.
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
		return nil, fmt.Errorf("find key %q: %w", id, r.failure)
	default:
		return nil, ErrNoKey
	}
}

// refresh returns a channel that is closed when the fetch to wait for has ended. It starts the
// fetch if necessary. It returns nil if the cached keys are current, or if it is too early for a
// fetch.
func (r *Remote) refresh(ctx context.Context, id string) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.cfg.Clock()
	if _, known := r.keys[id]; known && now.Sub(r.fetched).Abs() < keysLife {
		return nil
	}
	// A time in the future means that the clock was set back.
	if r.flight == nil && (r.tried.IsZero() || now.Before(r.tried) || now.Sub(r.tried) >= fetchPause) {
		r.tried, r.flight = now, make(chan struct{})
		// Other requests also wait for the fetch, so it does not end with the request that started
		// it.
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
		r.cfg.Log.WarnContext(ctx, "the issuer's keys could not be fetched; the previous ones are still used",
			"error", err, "age", now.Sub(r.fetched).String())
	}
	close(r.flight)
	r.flight = nil
}
