// Package apigw sends frames to connections through API Gateway's management API.
//
// It signs requests itself, over net/http. The SDK's client costs about twice the CPU, and posting
// is most of the work of the feed function.
package apigw

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/live"
)

const (
	// DefaultTimeout bounds a post with its retry. A slower connection gets the change at its next
	// sync.
	DefaultTimeout = time.Second
	// retryWait bounds the random wait before the retry. It is short compared with a batch.
	retryWait = 50 * time.Millisecond
	// idleConns is how many connections to the service stay open between batches: as many as there
	// are concurrent posts, because another TLS handshake costs more than dozens of posts.
	idleConns = 64
	// idleTimeout is shorter than the service's own, so that no post uses a connection that the
	// service is closing.
	idleTimeout = 50 * time.Second
	// maxAnswer bounds the part of a response that is read. If it covers the whole response, the
	// connection to the service is reused.
	maxAnswer = 4 << 10

	service = "execute-api"
)

// Config holds the settings of a Client. Endpoint, Region and Credentials are required.
type Config struct {
	// Endpoint is the base address of the management API, without /@connections.
	Endpoint    string
	Region      string
	Credentials aws.CredentialsProvider
	Rate        int              // the maximum number of posts a second; zero means DefaultRate
	Timeout     time.Duration    // of a post with its retry; zero means DefaultTimeout
	Clock       func() time.Time // nil means time.Now
	Rand        func() float64   // returns a number in [0, 1); nil means math/rand
	TLS         *tls.Config      // nil means the system's
	// Dial connects to the service; nil means net.Dialer.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Client sends frames. It implements live.Poster, and is safe for concurrent use.
type Client struct {
	base        *url.URL
	region      string
	credentials aws.CredentialsProvider
	signer      *v4.Signer
	transport   *http.Transport
	pace        *pace
	timeout     time.Duration
	clock       func() time.Time
	rand        func() float64
	used        atomic.Int64 // the time of the last request, in nanoseconds
}

var _ live.Poster = (*Client)(nil)

// New returns a client. It makes no request.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(cfg.Endpoint)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf(
			"the endpoint %q is not an address such as https://abc.execute-api.us-east-1.amazonaws.com/live",
			cfg.Endpoint,
		)
	}
	c := &Client{
		base: base, region: cfg.Region, credentials: cfg.Credentials, signer: v4.NewSigner(),
		timeout: cmp.Or(cfg.Timeout, DefaultTimeout), clock: cfg.Clock, rand: cfg.Rand,
	}
	if c.clock == nil {
		c.clock = time.Now
	}
	if c.rand == nil {
		c.rand = rand.Float64
	}
	c.pace = newPace(cfg.Rate, c.clock)
	// With HTTP/2, a post costs a third more CPU, and a bad connection to the service delays all
	// posts.
	var http1 http.Protocols
	http1.SetHTTP1(true)
	c.transport = &http.Transport{
		Protocols: &http1, TLSClientConfig: cfg.TLS, MaxIdleConnsPerHost: idleConns, IdleConnTimeout: idleTimeout,
		TLSHandshakeTimeout: c.timeout, DisableCompression: true, DialContext: cfg.Dial,
	}
	return c, nil
}

// Post sends a frame. The error is live.ErrGone if the connection has ended, and wraps
// live.ErrRefused if the service refused the frame twice with 429. It wraps live.ErrBusy if the
// service failed twice, or did not respond in time and may have sent the frame.
func (c *Client) Post(ctx context.Context, to live.ConnectionID, frame []byte) error {
	sum := sha256.Sum256(frame)
	return c.try(ctx, request{method: http.MethodPost, to: to, frame: frame, hash: hex.EncodeToString(sum[:])})
}

// emptyHash is the SHA-256 hash of no bytes.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Close ends a connection. It returns the same errors as Post.
func (c *Client) Close(ctx context.Context, to live.ConnectionID) error {
	return c.try(ctx, request{method: http.MethodDelete, to: to, hash: emptyHash})
}

// Pacing returns how the client has kept within the account's rate of requests.
func (c *Client) Pacing() live.Pacing { return c.pace.pacing() }

// Paced returns how long all requests in total have waited for their turn.
func (c *Client) Paced() time.Duration { return c.Pacing().Waited }

// CloseIdle closes the connections to the service that no request uses.
func (c *Client) CloseIdle() { c.transport.CloseIdleConnections() }

type request struct {
	method string
	to     live.ConnectionID
	frame  []byte
	hash   string // of the frame
}

// try sends a request, and retries once if the first attempt failed temporarily.
func (c *Client) try(ctx context.Context, r request) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err := c.send(ctx, r)
	if !errors.Is(err, live.ErrBusy) || errors.Is(err, live.ErrPaced) {
		return err
	}
	if smithytime.SleepWithContext(ctx, time.Duration(c.rand()*float64(retryWait))) != nil {
		return err
	}
	return c.send(ctx, r)
}

// send makes one attempt.
func (c *Client) send(ctx context.Context, r request) error {
	if c.pace.wait(ctx) != nil {
		return live.ErrPaced
	}
	req, err := c.signed(ctx, r)
	if err != nil {
		return err
	}
	c.wake()
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return busy("no answer", err)
	}
	_, _ = io.CopyN(io.Discard, resp.Body, maxAnswer)
	_ = resp.Body.Close()
	c.pace.answer(r.to, resp.StatusCode == http.StatusTooManyRequests)
	switch {
	case resp.StatusCode < http.StatusMultipleChoices:
		return nil
	case resp.StatusCode == http.StatusGone:
		return live.ErrGone
	case resp.StatusCode == http.StatusTooManyRequests:
		return live.ErrRefused
	case resp.StatusCode >= http.StatusInternalServerError:
		return busy(fmt.Sprintf("status %d", resp.StatusCode), nil)
	}
	return fmt.Errorf("the service refuses a request to a connection with status %d", resp.StatusCode)
}

// wake closes the connections to the service after a pause. A function's process is frozen between
// invocations, so its timers may not have closed connections that the service has closed
// meanwhile.
func (c *Client) wake() {
	now := c.clock().UnixNano()
	if last := c.used.Swap(now); now-last > int64(idleTimeout) {
		c.transport.CloseIdleConnections()
	}
}

// busy returns an error that wraps live.ErrBusy. The text of the cause could contain the
// connection's id, so only its kind is kept.
func busy(what string, cause error) error {
	if errors.Is(cause, context.DeadlineExceeded) || errors.Is(cause, context.Canceled) {
		what = "no time left"
	}
	return fmt.Errorf("%w: %s", live.ErrBusy, what)
}

// signed returns a signed request.
func (c *Client) signed(ctx context.Context, r request) (*http.Request, error) {
	const connections = "/@connections/"
	target := *c.base
	target.Path = strings.TrimSuffix(c.base.Path, "/") + connections + string(r.to)
	target.RawPath = strings.TrimSuffix(c.base.EscapedPath(), "/") + connections + escape(string(r.to))
	req := (&http.Request{
		Method: r.method, URL: &target, Host: target.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header, 5),
	}).WithContext(ctx)
	if r.frame != nil {
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.frame)), nil }
		req.Body, _ = req.GetBody()
		req.ContentLength = int64(len(r.frame))
		req.Header["Content-Type"] = octetStream
	}
	credentials, err := c.credentials.Retrieve(ctx)
	if err != nil {
		return nil, fmt.Errorf("credentials for a post: %w", err)
	}
	if err := c.signer.SignHTTP(ctx, credentials, req, r.hash, service, c.region, c.clock()); err != nil {
		return nil, fmt.Errorf("sign a post: %w", err)
	}
	return req, nil
}

// octetStream is the media type that the SDK sends.
var octetStream = []string{"application/octet-stream"}

// escape returns a segment of a path in the form that signatures use: all characters except the
// unreserved ones are encoded. Connection ids end in "=", which net/url would not encode.
func escape(s string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s) + 2)
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}
