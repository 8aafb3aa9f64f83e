// Package client is the client of Parley's API in Go.
//
// A Client sends requests as one user. Its error for an answer that is no success is a *Refusal. A
// Sender posts messages exactly once: it retries each with its id until the outcome is certain.
// Follow reports the changes of rooms live and in order. A program that stores the positions of
// Follow and posts with IDOf answers each message once, even if it is killed: see examples/bot.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/follow"
)

const (
	// requestTime bounds one request. API Gateway itself gives up after 30 s.
	requestTime = 31 * time.Second
	// maxAnswer bounds a response. A page of messages has at most 1 MB of text, and a Lambda
	// function returns at most 6 MB.
	maxAnswer = 6 << 20
)

// TokenSource returns an access token that is valid now.
type TokenSource func(context.Context) (string, error)

// Fixed returns a source that always returns the same token.
func Fixed(token string) TokenSource {
	return func(context.Context) (string, error) { return token, nil }
}

// Client calls the API as one user.
type Client struct {
	base  string
	token TokenSource
	http  *http.Client
}

// New checks the address. Plain HTTP is accepted only for this machine, because the token is sent
// with each request. A nil transport is http.DefaultTransport.
func New(base string, token TokenSource, transport http.RoundTripper) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil ||
		(u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf(
			"the URL must be the API's address, such as https://abc123.execute-api.us-east-1.amazonaws.com, not %q",
			base,
		)
	}
	if u.Scheme == "http" && !follow.IsLocal(u.Hostname()) {
		return nil, fmt.Errorf("the URL must be https, because the token is sent to it: %q", base)
	}
	c := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Client{base: strings.TrimSuffix(base, "/"), token: token, http: c}, nil
}

// Base returns the address of the API, without a slash at its end.
func (c *Client) Base() string { return c.base }

// Token returns a token that can be sent in a header.
func (c *Client) Token(ctx context.Context) (string, error) {
	token, err := c.token(ctx)
	switch {
	case err != nil:
		return "", err
	case token == "":
		return "", errors.New("the token is missing")
	case strings.ContainsAny(token, " \t\r\n"):
		return "", errors.New("the token contains a space or a line break")
	}
	return token, nil
}

// Call is one request and its expected outcome.
type Call struct {
	Method, Path string
	Body         any
	IfMatch      string
	IfNoneMatch  string
	Want         []int // accepted statuses
	Into         any   // receives the decoded body, unless nil or the status is 304
}

// Answer is a response without its body.
type Answer struct {
	Status int
	Header http.Header
}

// Do sends a request. Its error names the method, the path and the API's reason, never the token.
// For a response with an unwanted status, it is a *Refusal.
func (c *Client) Do(ctx context.Context, in Call) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	a, err := c.do(ctx, in)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", in.Method, in.Path, err)
	}
	return a, nil
}

// Get sends a GET request and decodes its answer into into.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	_, err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: into})
	return err
}

func (c *Client) do(ctx context.Context, in Call) (Answer, error) {
	r, err := c.request(ctx, in)
	if err != nil {
		return Answer{}, err
	}
	res, err := c.http.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the URL is already in the message
		}
		return Answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return Answer{}, fmt.Errorf("read the response: %w", err)
	}
	if !slices.Contains(in.Want, res.StatusCode) {
		return Answer{}, refusal(res, text)
	}
	if in.Into != nil && res.StatusCode != http.StatusNotModified {
		if err := json.Unmarshal(text, in.Into); err != nil {
			return Answer{}, fmt.Errorf("decode the response: %w", err)
		}
	}
	return Answer{res.StatusCode, res.Header}, nil
}

func (c *Client) request(ctx context.Context, in Call) (*http.Request, error) {
	token, err := c.Token(ctx)
	if err != nil {
		return nil, err
	}
	var body io.Reader = http.NoBody
	if in.Body != nil {
		text, err := json.Marshal(in.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, in.Method, c.base+in.Path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if in.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if in.IfMatch != "" {
		r.Header.Set("If-Match", in.IfMatch)
	}
	if in.IfNoneMatch != "" {
		r.Header.Set("If-None-Match", in.IfNoneMatch)
	}
	return r, nil
}
