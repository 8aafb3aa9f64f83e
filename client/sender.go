package client

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/problem"

	"github.com/google/uuid"
)

// Patience is how long a message is retried. A message id is accepted for 24 hours, so a retry
// never comes too late.
const Patience = 10 * time.Minute

// maxRestamps bounds how often one message gets a new id because of the clock. One response
// contains the server's time, so a second one in a row is a fault.
const maxRestamps = 3

// waitingAfter is the number of failures at which Waiting is called. A single failure is not worth
// reporting.
const waitingAfter = 2

// Sender posts messages, each exactly once. Only Client must be set.
type Sender struct {
	Client   *Client
	Clock    func() time.Time // nil means time.Now
	Rand     io.Reader        // for ids; nil means crypto/rand
	Jitter   func() float64   // in [0, 1), for pauses; nil means a random number
	Patience time.Duration    // zero means Patience
	// Waiting is called once for each message that failed repeatedly and is still retried, with
	// the last failure. It may be nil.
	Waiting func(error)

	ahead time.Duration // of the server's clock
}

// Draft is a message to post.
type Draft struct {
	// ID is a UUIDv7 for the message, such as one of IDOf; empty means a random one.
	ID       string         `json:"id,omitempty"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Mentions []string       `json:"mentions,omitempty"` // user ids
	Quote    string         `json:"quote,omitempty"`    // the id of a message of the room
	Thread   string         `json:"thread,omitempty"`   // the id of the message that it replies to
}

// Doubtful is the error for a post that may have been stored.
type Doubtful struct{ err error }

func (d *Doubtful) Error() string { return d.err.Error() }

// Unwrap returns the last failure.
func (d *Doubtful) Unwrap() error { return d.err }

// Post posts a text, as PostDraft.
func (s *Sender) Post(ctx context.Context, room, text string) (string, error) {
	return s.PostDraft(ctx, room, Draft{Text: text})
}

// PostDraft posts a message and returns its id. It retries with the same id until the outcome is
// certain, so the message is stored once. It waits as long as Retry-After requires. A *Doubtful
// error means that the last attempt may have been stored.
func (s *Sender) PostDraft(ctx context.Context, room string, d Draft) (string, error) {
	if d.ID != "" {
		return s.retry(ctx, room, d)
	}
	for range maxRestamps {
		id, err := s.newID()
		if err != nil {
			return "", err
		}
		d.ID = id
		posted, err := s.retry(ctx, room, d)
		var refused *Refusal
		if !errors.As(err, &refused) || refused.Type != problem.ClockSkewURI || refused.ServerTime.IsZero() {
			return posted, err
		}
		// The service stores nothing under an id whose time it refuses.
		s.ahead = refused.ServerTime.Sub(s.now())
	}
	return "", errors.New("the server's clock and its answers disagree")
}

// newID returns a UUIDv7 in the server's time.
func (s *Sender) newID() (string, error) {
	random := s.Rand
	if random == nil {
		random = rand.Reader
	}
	var bits [16]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", err
	}
	return version7(s.now().Add(s.ahead), bits), nil
}

// IDOf returns the UUIDv7 of a time and a key. A program that posts its answer to a message m with
// IDOf(m.ReceivedAt, m.ID) answers once, even if it was killed and reads m again: the second post
// is a replay if its text is the same, and a conflict (409) otherwise. The API accepts times of
// the last 24 hours.
func IDOf(at time.Time, key string) string {
	hash := sha256.Sum256([]byte(key))
	return version7(at, [16]byte(hash[:16]))
}

// version7 returns a UUIDv7 with bits where the time, the version and the variant are not.
func version7(at time.Time, bits [16]byte) string {
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(max(0, at.UnixMilli())))
	id := uuid.UUID(bits)
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// retry sends one body until the outcome is certain.
func (s *Sender) retry(ctx context.Context, room string, body Draft) (string, error) {
	limit := s.patience()
	begun, doubtful := s.now(), false
	for failures := 1; ; failures++ {
		var posted struct{ ID string }
		_, err := s.Client.Do(ctx, Call{
			Method: http.MethodPost, Path: "/rooms/" + url.PathEscape(room) + "/messages", Body: body,
			Want: []int{http.StatusCreated, http.StatusOK}, Into: &posted,
		})
		if err == nil {
			return posted.ID, nil
		}
		var refused *Refusal
		isRefusal := errors.As(err, &refused)
		// A skew error after a doubtful outcome comes from differing servers; a new id could store
		// the message twice.
		if isRefusal && !refused.Passing() && (!doubtful || refused.Type != problem.ClockSkewURI) {
			return "", err
		}
		// Only a 429 certainly stored nothing.
		doubtful = doubtful || !isRefusal || refused.Status != http.StatusTooManyRequests
		pause := follow.Backoff(failures, s.random())
		if isRefusal {
			pause += refused.RetryAfter
		}
		if s.now().Add(pause).Sub(begun) > limit {
			return "", asDoubtful(doubtful, fmt.Errorf("gave up after %v: %w", limit, err))
		}
		if failures == waitingAfter && s.Waiting != nil {
			s.Waiting(err)
		}
		if slept := follow.Sleep(ctx, pause); slept != nil {
			return "", asDoubtful(doubtful, slept)
		}
	}
}

func (s *Sender) now() time.Time {
	if s.Clock != nil {
		return s.Clock()
	}
	return time.Now()
}

func (s *Sender) random() float64 {
	if s.Jitter != nil {
		return s.Jitter()
	}
	return mathrand.Float64() //nolint:gosec // it only spreads clients
}

func (s *Sender) patience() time.Duration {
	if s.Patience > 0 {
		return s.Patience
	}
	return Patience
}

func asDoubtful(doubtful bool, err error) error {
	if doubtful {
		return &Doubtful{err}
	}
	return err
}
