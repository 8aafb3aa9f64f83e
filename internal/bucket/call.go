package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// call is a request that the client makes itself, and repeats.
type call struct {
	method, key string
	query       url.Values
	headers     http.Header
	body        []byte
}

// call makes a request, and reads its answer. It repeats failures that may pass.
func (c *Client) call(ctx context.Context, what call, read func(answer *http.Response, body []byte) error) error {
	pause := backoff
	for n := 1; ; n++ {
		again, err := c.try(ctx, what, read)
		if err == nil || !again || n == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(pause)): //nolint:gosec // jitter
		}
		pause *= 2
	}
}

// try makes one attempt, and reports whether another may succeed.
func (c *Client) try(ctx context.Context, what call, read func(*http.Response, []byte) error) (again bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(attemptTimeout, func() { cancel(errStalled) })
	defer func() { timer.Stop(); cancel(nil) }()
	r, err := c.callRequest(ctx, what, timer)
	if err != nil {
		return false, err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return true, what.failed(cause(ctx, err))
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(moving{answer.Body, timer}, maxObject+1))
	if err != nil {
		return true, what.failed(cause(ctx, err))
	}
	if again, err := check(answer.StatusCode); err != nil {
		return again, what.failed(err)
	}
	return false, read(answer, body)
}

// callRequest returns the signed request of a call.
func (c *Client) callRequest(ctx context.Context, what call, timer *time.Timer) (*http.Request, error) {
	r, err := c.request(ctx, what.method, what.key, what.query)
	if err != nil {
		return nil, err
	}
	for name, values := range what.headers {
		r.Header[name] = values
	}
	hash := emptyHash
	if len(what.body) > 0 {
		sum := sha256.Sum256(what.body)
		hash = hex.EncodeToString(sum[:])
		r.ContentLength, r.Body = int64(len(what.body)), io.NopCloser(moving{bytes.NewReader(what.body), timer})
	}
	return r, c.signCall(ctx, r, hash)
}

// check returns the error that an answer stands for, and whether another attempt may succeed.
func check(status int) (again bool, err error) {
	switch {
	case status == http.StatusNotFound:
		return false, ErrNotFound
	case status == http.StatusPreconditionFailed:
		return false, ErrChanged
	case status == http.StatusConflict: // another conditional request is in progress
		return true, ErrChanged
	case status >= http.StatusInternalServerError || status == http.StatusTooManyRequests:
		return true, fmt.Errorf("status %d", status)
	case status >= http.StatusMultipleChoices:
		return false, fmt.Errorf("status %d", status)
	}
	return false, nil
}

func (what call) failed(err error) error { return fmt.Errorf("%s a file: %w", what.method, err) }

// cause returns why a request failed: why its context ended, if it has.
func cause(ctx context.Context, err error) error {
	if ended := context.Cause(ctx); ended != nil {
		return ended
	}
	return err
}

// moving puts off the end of an attempt with each part of a body that is sent or received.
type moving struct {
	io.Reader
	timer *time.Timer
}

func (m moving) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	m.timer.Reset(attemptTimeout)
	return n, err
}
