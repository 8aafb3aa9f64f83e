package dynamo_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// attemptsOfACall is the number of attempts at a call whose failure may pass.
const attemptsOfACall = 4

// TestTranslate_FailedConnectionIsUnavailable fails connections in every way that a network does.
// Each call is retried. Its error is then an outage that may pass, not a fault of the service.
func TestTranslate_FailedConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(*testing.T) *wire{
		"refused":                   refusedWire,
		"closed before an answer":   func(t *testing.T) *wire { return newWire(t, func(*net.TCPConn) {}) },
		"reset before an answer":    func(t *testing.T) *wire { return newWire(t, reset) },
		"closed within the answer":  func(t *testing.T) *wire { return newWire(t, func(c *net.TCPConn) { half(c) }) },
		"reset within the answer":   func(t *testing.T) *wire { return newWire(t, func(c *net.TCPConn) { half(c); reset(c) }) },
		"an answer without a body":  func(t *testing.T) *wire { return newWire(t, func(c *net.TCPConn) { headers(c) }) },
		"no such host":              unknownHost,
		"a resolver that is down":   brokenResolver,
		"a certificate not trusted": untrustedWire,
		"plain text for TLS":        plainWire,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := at(t)
			store := dynamo.New(dynamo.NewClient(dynamo.ClientConfig{
				Region: "us-east-1", Endpoint: w.endpoint, Credentials: dynamo.StaticCredentials("x", "x", ""),
				Jitter: func() float64 { return 0 }, Options: []func(*dynamodb.Options){w.count},
			}), dynamo.Options{Table: "t", Clock: time.Now})
			_, err := store.FeedHead(t.Context(), "seattle")
			if chat.KindOf(err) != chat.Unavailable {
				t.Errorf("%v is not unavailable", err)
			}
			if n := w.sent.Load(); n != attemptsOfACall {
				t.Errorf("sent %d times, want %d: %v", n, attemptsOfACall, err)
			}
		})
	}
}

// wire is an endpoint whose connections fail.
type wire struct {
	endpoint string
	sent     atomic.Int32
	dial     func(*http.Transport)
}

// count counts the attempts of a client.
func (w *wire) count(o *dynamodb.Options) {
	client, _ := o.HTTPClient.(*http.Client)
	if w.dial != nil {
		w.dial(dynamo.TransportOf(client))
	}
	o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
		w.sent.Add(1)
		return client.Do(r)
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// newWire returns an endpoint that reads each request and then breaks its connection.
func newWire(t *testing.T, treat func(*net.TCPConn)) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
				_, _ = io.Copy(io.Discard, r.Body)
				treat(c.(*net.TCPConn))
			}
			_ = c.Close()
		}
	}()
	return &wire{endpoint: "http://" + l.Addr().String()}
}

func reset(c *net.TCPConn) { _ = c.SetLinger(0) }

func headers(c *net.TCPConn) {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: 20\r\n\r\n")
}

func half(c *net.TCPConn) {
	headers(c)
	_, _ = io.WriteString(c, `{"Item":{`)
}

func refusedWire(t *testing.T) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return &wire{endpoint: "http://" + l.Addr().String()}
}

// unknownHost fails like a resolver that does not know the name. brokenResolver fails like one that
// is down.
func unknownHost(*testing.T) *wire {
	return failedDial(&net.DNSError{Err: "no such host", Name: "dynamodb.example", IsNotFound: true})
}

func brokenResolver(*testing.T) *wire {
	return failedDial(&net.DNSError{Err: "server misbehaving", Name: "dynamodb.example"})
}

func failedDial(cause error) *wire {
	return &wire{endpoint: "http://dynamodb.example", dial: func(t *http.Transport) {
		t.DialContext = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: cause}
		}
	}}
}

// untrustedWire presents a self-signed certificate. plainWire does not use TLS.
func untrustedWire(t *testing.T) *wire {
	t.Helper()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return &wire{endpoint: server.URL}
}

func plainWire(t *testing.T) *wire {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	return &wire{endpoint: strings.Replace(server.URL, "http:", "https:", 1)}
}
