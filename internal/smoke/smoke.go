// Package smoke proves that a deployment works, as one of its users: it posts a message through the
// public API, sends it again, reads it, waits for its change in the room's feed, and deletes it. The
// command and the canary run the same steps.
package smoke

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// RoomName is the name of the private room that the user keeps for this. It is found by it again, so
// that runs do not leave a room each.
const RoomName = "Smoke test"

// DefaultPatience is how long a message may take to its place in the feed. A cold start of the feed
// function takes about a second, a failed batch some seconds more.
const DefaultPatience = 30 * time.Second

// pollPause is how long to wait before asking again for what is not there yet.
const pollPause = 250 * time.Millisecond

// Config says what is tried.
type Config struct {
	URL       string            // of the API
	Token     string            // an access token of the user
	Transport http.RoundTripper // nil is http.DefaultTransport
	Clock     func() time.Time
	Random    io.Reader     // for the message's id
	Patience  time.Duration // zero is DefaultPatience
}

// Step is one thing that was tried.
type Step struct {
	Name   string
	Took   time.Duration
	Detail string // what was seen; empty when it failed
	Err    error
}

// Run tries everything, one step after another, and returns the steps that were made. The first step that fails
// ends the run, but a message that was posted is deleted all the same. The error is that of the first failure.
func Run(ctx context.Context, c Config) ([]Step, error) {
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	api, err := newClient(c.URL, c.Token, c.Transport)
	if err != nil {
		return nil, err
	}
	r := &run{api: api, clock: c.Clock, random: c.Random, patience: c.Patience}
	var first error
	try := func(name string, do func(context.Context) (string, error)) {
		began := c.Clock()
		detail, err := do(ctx)
		r.steps = append(r.steps, Step{Name: name, Took: c.Clock().Sub(began), Detail: detail, Err: err})
		if err != nil && first == nil {
			first = fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, step := range r.plan() {
		if try(step.name, step.do); first != nil {
			break
		}
	}
	if r.message != "" {
		try("delete", r.remove)
	}
	return r.steps, first
}
