// Package smoke checks a deployment as one of its users. It posts a message through the public API,
// sends it again, reads it, waits for its change in the room's feed, and deletes it. The command
// and the canary run the same steps.
package smoke

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/parley/client"
)

// RoomName is the name of the user's private room for smoke tests. Runs find the room by this
// name, so they do not each create one.
const RoomName = "Smoke test"

// DefaultPatience bounds the time from a message's post until its change is in the feed. A cold
// start of the feed function takes about a second, a failed batch some seconds more.
const DefaultPatience = 30 * time.Second

// pollPause is the pause between two attempts to read something that does not exist yet.
const pollPause = 250 * time.Millisecond

// Config configures a run.
type Config struct {
	URL       string            // of the API
	Token     string            // an access token of the user
	Transport http.RoundTripper // nil is http.DefaultTransport
	Clock     func() time.Time
	Random    io.Reader     // for the message's id
	Patience  time.Duration // zero is DefaultPatience
}

// Step is the outcome of one step.
type Step struct {
	Name   string
	Took   time.Duration
	Detail string // the observation; empty when the step failed
	Err    error
}

// Run runs the steps in order and returns the steps that it ran. The first failure ends the run and
// is the error, but a posted message is still deleted.
func Run(ctx context.Context, c Config) ([]Step, error) {
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	api, err := client.New(c.URL, client.Fixed(c.Token), c.Transport)
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
