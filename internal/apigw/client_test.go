package apigw_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/live"
)

var keys = credentials.NewStaticCredentialsProvider("AKID", "secret", "session")

const connection live.ConnectionID = "L0SM9cOFvHcCIhw="

// patience bounds posts in tests of other things than the bound. A busy machine needs it.
const patience = 30 * time.Second

// newClient returns a client of a TLS server with the given handler, and the server.
func newClient(t *testing.T, cfg apigw.Config, handler http.HandlerFunc) (*apigw.Client, *httptest.Server) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the faults of the tests
	server.StartTLS()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	cfg.Endpoint, cfg.Region, cfg.Credentials, cfg.TLS = server.URL+cfg.Endpoint, "eu-central-1", keys, &tls.Config{RootCAs: roots}
	c, err := apigw.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c, server
}

// TestPost_SendsTheFrameToTheConnection checks the requests that reach the service.
func TestPost_SendsTheFrameToTheConnection(t *testing.T) {
	t.Parallel()
	for endpoint, path := range map[string]string{"/live": "/live", "/live/": "/live", "": "", "/": ""} {
		sendsTheFrame(t, endpoint, path+"/@connections/L0SM9cOFvHcCIhw%3D")
	}
}

func sendsTheFrame(t *testing.T, endpoint, path string) {
	t.Helper()
	var got []string
	c, _ := newClient(t, apigw.Config{Endpoint: endpoint, Timeout: patience}, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+r.RequestURI+" "+string(body))
		if r.Header.Get("X-Amz-Security-Token") != "session" || !strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/execute-api/aws4_request") {
			t.Errorf("headers %v", r.Header)
		}
	})
	if err := errors.Join(c.Post(t.Context(), connection, []byte(`{"type":"x"}`)), c.Close(t.Context(), connection)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0] != "POST "+path+` {"type":"x"}` || got[1] != "DELETE "+path+" " {
		t.Errorf("received %q", got)
	}
}

// TestPost_Errors responds to each attempt with a status.
func TestPost_Errors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		statuses []int
		want     error // nil for success
		other    bool  // neither of the two errors
	}{
		{"sent", []int{200}, nil, false},
		{"gone", []int{410}, live.ErrGone, false},
		{"refused once", []int{429, 200}, nil, false},
		{"refused", []int{429, 429}, live.ErrRefused, false},
		{"refused after an error", []int{500, 429}, live.ErrRefused, false},
		{"an error of the service", []int{500, 503}, live.ErrBusy, false},
		{"gone at the retry", []int{500, 410}, live.ErrGone, false},
		{"forbidden", []int{403}, nil, true},
		{"too large", []int{413}, nil, true},
		{"a redirect", []int{302}, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			c, _ := newClient(t, apigw.Config{Timeout: patience, Rand: func() float64 { return 0 }}, func(w http.ResponseWriter, _ *http.Request) {
				n := int(calls.Add(1))
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.statuses[min(n, len(tt.statuses))-1])
			})
			err := c.Post(t.Context(), connection, []byte("frame"))
			is := err != nil && !errors.Is(err, live.ErrGone) && !errors.Is(err, live.ErrBusy)
			if is != tt.other || !tt.other && !errors.Is(err, tt.want) || int(calls.Load()) != len(tt.statuses) {
				t.Errorf("%v after %d calls", err, calls.Load())
			}
			if err != nil && strings.Contains(err.Error(), "L0SM") {
				t.Errorf("the error holds the connection: %v", err)
			}
		})
	}
}

// TestPost_NotSent posts without a service, and with a context that has ended.
func TestPost_NotSent(t *testing.T) {
	t.Parallel()
	c, server := newClient(t, apigw.Config{}, func(http.ResponseWriter, *http.Request) {})
	server.Close()
	if err := c.Post(t.Context(), connection, nil); !errors.Is(err, live.ErrBusy) {
		t.Errorf("no service: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Post(ctx, connection, nil); !errors.Is(err, live.ErrBusy) {
		t.Errorf("canceled: %v", err)
	}
}

// TestPost_SurvivesConnectionsThatTheServiceClosed closes the idle connections between posts.
func TestPost_SurvivesConnectionsThatTheServiceClosed(t *testing.T) {
	t.Parallel()
	var got atomic.Int32
	now := time.Now()
	c, server := newClient(t, apigw.Config{Timeout: patience, Clock: func() time.Time { return now }}, func(http.ResponseWriter, *http.Request) { got.Add(1) })
	for round := range 5 {
		var posts sync.WaitGroup
		for range 16 {
			posts.Go(func() {
				if err := c.Post(t.Context(), connection, []byte("frame")); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		posts.Wait()
		server.CloseClientConnections()
		now = now.Add(time.Minute)
	}
	if got.Load() != 5*16 {
		t.Errorf("%d posts arrived", got.Load())
	}
}

// TestNew_RefusesWhatIsNoAddress uses endpoints to which no request can be sent.
func TestNew_RefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"", "abc", "abc.example/live", "wss://abc.example/live", "https://", ":"} {
		if _, err := apigw.New(apigw.Config{Endpoint: endpoint, Credentials: aws.AnonymousCredentials{}}); err == nil {
			t.Errorf("%q is accepted", endpoint)
		}
	}
}
