// Package outgoing sends requests to addresses that people wrote, such as the URLs of webhooks. No
// other package may open such addresses.
//
// A person may choose an address that only this program can reach: the runtime of its function, the
// metadata of its machine, a private network. A name may have another address at each lookup, so a
// check before the call proves nothing. The dialer therefore checks each address after the name is
// resolved, immediately before it connects.
package outgoing

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// Timeout bounds a call, from the lookup of the name to the end of the answer. Receivers should
	// store a request, answer, and process it afterwards.
	Timeout = 5 * time.Second
	// MaxAnswer is how many bytes of an answer's body are returned. Error messages are shorter, and
	// concurrent calls need little memory.
	MaxAnswer = 64 << 10
	// MaxRetryAfter bounds the wait that a receiver may ask for, so that a mistake does not stop
	// deliveries for days.
	MaxRetryAfter = time.Hour

	// maxHeader bounds the headers of an answer. Servers accept 8 to 16 KB of a request.
	maxHeader = 16 << 10
	// idleConns is how many connections to strangers' servers stay open between calls. It is small,
	// because each costs memory and may be used against the program.
	idleConns = 32
	// idlePerHost is the part of idleConns that one host may use.
	idlePerHost = 2
	// idleTimeout is shorter than the time after which most servers close connections, which is a
	// minute.
	idleTimeout = 50 * time.Second
	// userAgent has no version, which would show strangers the known faults.
	userAgent = "Parley"
)

// Post returns one of these errors if there is no answer. Their texts contain neither the URL nor
// an address, so they may be shown and logged.
var (
	ErrAddress = errors.New("the address is not allowed")
	ErrName    = errors.New("the name of the host has no address")
	ErrConnect = errors.New("no connection could be made")
	ErrTLS     = errors.New("the TLS handshake failed, for example because of the certificate")
	ErrTimeout = errors.New("the answer took too long")
	ErrAnswer  = errors.New("the answer is not complete, or is not HTTP")
)

// Options say which addresses may be opened, and how. The zero value allows https on public
// addresses.
type Options struct {
	// Loopback allows http://127.0.0.1 with any port, for receivers on a developer's machine.
	Loopback bool
	// Hosts are the names, in lower case, that may have addresses of a private network. Loopback
	// and link-local addresses remain refused.
	Hosts []string

	Resolver *net.Resolver    // nil means the system's
	Roots    *x509.CertPool   // nil means the system's
	Clock    func() time.Time // for Retry-After; nil means time.Now
	Timeout  time.Duration    // of a call; zero means Timeout
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	options   Options
	transport *http.Transport
}

// New returns a client.
func New(o Options) *Client {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	o.Timeout = cmp.Or(o.Timeout, Timeout)
	c := &Client{options: o}
	var protocols http.Protocols
	protocols.SetHTTP1(true) // a receiver of HTTP/2 may send much that is not its answer
	c.transport = &http.Transport{
		// Proxy is nil: a proxy would resolve names itself, after the check.
		DialContext:            c.dial,
		DialTLSContext:         c.dialTLS,
		DisableCompression:     true, // a small answer may be large when decompressed
		MaxIdleConns:           idleConns,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeader,
		Protocols:              &protocols,
	}
	return c
}

// Close closes the connections that no call uses.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Answer is a receiver's answer.
type Answer struct {
	Status     int           // including redirects, which are not followed
	RetryAfter time.Duration // zero if the receiver states none; at most MaxRetryAfter
	Body       []byte        // the first MaxAnswer bytes
}

// OK reports whether the receiver accepted the request. A redirect is a failure.
func (a Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// Gone reports whether the receiver wants no more requests.
func (a Answer) Gone() bool { return a.Status == http.StatusGone }

// Refused reports whether the receiver does not take this body, now or later.
func (a Answer) Refused() bool {
	switch a.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// Reason returns the status with its text, such as "404 Not Found".
func (a Answer) Reason() string {
	return strings.TrimSpace(strconv.Itoa(a.Status) + " " + http.StatusText(a.Status))
}

// Post sends a request to a URL. If there is no answer within Timeout, or the address is not
// allowed, it returns one of this package's errors. If ctx is canceled, it returns ctx's error.
//
// If the receiver closes an idle connection meanwhile, the request is sent again, so a receiver may
// get it twice.
func (c *Client) Post(ctx context.Context, text string, header http.Header, body []byte) (Answer, error) {
	to, err := ParseURL(text, c.options)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: the URL %w", ErrAddress, err)
	}
	call, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(call, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return Answer{}, fmt.Errorf("%w: the URL cannot be read", ErrAddress)
	}
	if header != nil {
		req.Header = header.Clone()
	}
	req.Header.Set("User-Agent", userAgent)
	// Without a value, this header is not sent. It permits the transport to repeat the request
	// after the end of an idle connection.
	req.Header["Idempotency-Key"] = []string{}
	answer, err := c.answer(req)
	if err != nil {
		return Answer{}, failure(ctx, call, err)
	}
	return answer, nil
}

// answer sends a request once, without http.Client, which follows redirects and quotes URLs in
// errors.
func (c *Client) answer(req *http.Request) (Answer, error) {
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	answer := Answer{Status: resp.StatusCode}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return answer, nil // its body is the connection, which has no end
	}
	answer.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), c.options.Clock())
	// A body of MaxAnswer bytes is read to its end, so that the connection is kept. Closing a
	// longer body closes the connection.
	answer.Body, err = io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
	answer.Body = answer.Body[:min(len(answer.Body), MaxAnswer)]
	return answer, err
}

// dial connects to a host if its address is permitted. The dial may outlive the call, so it has a
// timeout of its own.
func (c *Client) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, ErrAddress
	}
	dialer := net.Dialer{Timeout: c.options.Timeout, Resolver: c.options.Resolver, Control: c.control(host)}
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	var lookup *net.DNSError
	var timed net.Error
	switch {
	case err == nil:
		return conn, nil
	case errors.Is(err, ErrAddress):
		return nil, ErrAddress
	case errors.As(err, &timed) && timed.Timeout():
		return nil, ErrTimeout
	case errors.As(err, &lookup):
		return nil, ErrName
	}
	return nil, ErrConnect
}

// dialTLS connects to a host and makes the handshake. Its errors have no common type, so they are
// mapped here.
func (c *Client) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	plain, err := c.transport.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, ErrAddress
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	conn := tls.Client(plain, &tls.Config{RootCAs: c.options.Roots, ServerName: host, MinVersion: tls.VersionTLS12})
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = plain.Close() // the handshake has failed already
		if ctx.Err() != nil {
			return nil, ErrTimeout
		}
		return nil, ErrTLS
	}
	return conn, nil
}

// control returns the check of each address of a host, which runs before the connection is made.
func (c *Client) control(host string) func(network, addr string, _ syscall.RawConn) error {
	return func(_, addr string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(addr)
		if err != nil || !c.options.permits(host, to) {
			return ErrAddress
		}
		return nil
	}
}

// failure returns the error of Post for an error of the transport.
func failure(ctx, call context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if call.Err() != nil {
		return ErrTimeout
	}
	for _, known := range []error{ErrAddress, ErrName, ErrConnect, ErrTLS, ErrTimeout} {
		if errors.Is(err, known) {
			return known
		}
	}
	return ErrAnswer
}

// retryAfter returns the wait that a Retry-After header asks for, in seconds or as a date.
func retryAfter(value string, now time.Time) time.Duration {
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		seconds = min(seconds, int64(MaxRetryAfter/time.Second))
		return max(0, time.Duration(seconds)*time.Second)
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return max(0, min(date.Sub(now), MaxRetryAfter))
}
