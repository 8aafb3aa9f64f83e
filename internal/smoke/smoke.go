// Package smoke checks a deployment as one of its users. It posts a message through the public API,
// sends it again, reads it, waits for its change in the room's feed, and deletes it. The command
// and the canary run the same steps.
package smoke

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
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

// position finds the end of the feed, as a client does when it opens a room.
func (r *run) position(ctx context.Context) (string, error) {
	var page struct{ Since string }
	if err := r.get(ctx, r.path("/messages?limit=1"), &page); err != nil {
		return "", err
	}
	r.since = page.Since
	feed, err := r.changes(ctx)
	if err != nil {
		return "", err
	}
	r.since, r.seq = feed.Since, feed.Head
	if n := len(feed.Items); n > 0 {
		r.seq = feed.Items[n-1].Seq
	}
	return "since " + strconv.FormatInt(r.seq, 10), nil
}

// feed is the part of a page of changes that the steps check.
type feed struct {
	Items []struct {
		Seq      int64
		Type, ID string
	}
	Head  int64
	Since string
	Reset bool
}

// changes reads the changes after the run's position.
func (r *run) changes(ctx context.Context) (f feed, err error) {
	if err := r.get(ctx, r.path("/changes?"+url.Values{"since": {r.since}}.Encode()), &f); err != nil {
		return feed{}, err
	}
	if f.Reset {
		return feed{}, fmt.Errorf("the feed does not continue from number %d, which it returned itself", r.seq)
	}
	return f, nil
}

// change waits until the message's change is in the feed.
func (r *run) change(ctx context.Context) (string, error) {
	return r.until(ctx, "the message's change is not in the feed: check that the feed function reads the table's "+
		"stream", func(ctx context.Context) (string, error) {
		page, err := r.changes(ctx)
		if err != nil {
			return "", err
		}
		if len(page.Items) == 0 && page.Head > r.seq {
			return "", fmt.Errorf("the feed has a gap: no change follows %d, but its head is %d", r.seq, page.Head)
		}
		r.since = page.Since
		for _, c := range page.Items {
			if c.Seq != r.seq+1 {
				return "", fmt.Errorf("the feed has a gap: %d follows %d", c.Seq, r.seq)
			}
			r.seq = c.Seq
			if c.Type == "message.created" && c.ID == r.message {
				return "number " + strconv.FormatInt(c.Seq, 10), nil
			}
		}
		return "", nil
	})
}
