package outgoing

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newLocal returns a client of receivers on this machine.
func newLocal(t *testing.T) *Client {
	t.Helper()
	c := New(Options{Loopback: true})
	t.Cleanup(c.Close)
	return c
}

// receive serves requests on 127.0.0.1 and returns the URL.
func receive(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestPost_SendsOnlyWhatItIsGiven(t *testing.T) {
	var got *http.Request
	var body []byte
	url := receive(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("Set-Cookie", "a=b")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thanks")
	})
	c := newLocal(t)
	header := http.Header{"Webhook-Id": {"msg_1"}, "User-Agent": {"other"}}
	for range 2 { // the second would have the cookie
		answer, err := c.Post(t.Context(), url+"/hook?a=b", header, []byte("news"))
		if err != nil || answer.Status != http.StatusAccepted || !answer.OK() || string(answer.Body) != "thanks" || answer.RetryAfter != 7*time.Second {
			t.Fatalf("the answer is %+v, %v", answer, err)
		}
		if got.Method != http.MethodPost || got.RequestURI != "/hook?a=b" || string(body) != "news" {
			t.Errorf("the receiver got %s %s %q", got.Method, got.RequestURI, body)
		}
		want := http.Header{"Webhook-Id": {"msg_1"}, "User-Agent": {"Parley"}, "Content-Length": {"4"}}
		for key, values := range got.Header {
			if !slices.Equal(values, want[key]) {
				t.Errorf("the receiver got %s: %q", key, values)
			}
		}
	}
	if header.Get("User-Agent") != "other" || len(header) != 2 {
		t.Errorf("the caller's headers became %v", header)
	}
	if _, err := c.Post(t.Context(), url, nil, nil); err != nil || len(body) != 0 {
		t.Errorf("without headers and body: %q, %v", body, err)
	}
}

func TestPost_FollowsNoRedirect(t *testing.T) {
	inner := receive(t, func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") })
	for _, status := range []int{301, 302, 303, 307, 308} {
		url := receive(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inner, status) })
		if answer, err := newLocal(t).Post(t.Context(), url, nil, []byte("{}")); err != nil || answer.Status != status || answer.OK() {
			t.Errorf("the answer is %+v, %v, want %d", answer, err, status)
		}
	}
}

func TestAnswer_OK(t *testing.T) {
	for status, want := range map[int]bool{101: false, 199: false, 200: true, 204: true, 299: true, 300: false, 410: false, 500: false} {
		if (Answer{Status: status}).OK() != want {
			t.Errorf("%d is OK: %v", status, !want)
		}
	}
}

// TestPost_CutsLongAnswers also looks at which connections are used again. One byte more than is
// returned is read.
func TestPost_CutsLongAnswers(t *testing.T) {
	for _, c := range []struct {
		bytes, want, connections int
	}{{0, 0, 1}, {MaxAnswer, MaxAnswer, 1}, {MaxAnswer + 1, MaxAnswer, 1}, {MaxAnswer + 2, MaxAnswer, 2}, {16 * MaxAnswer, MaxAnswer, 2}} {
		var mu sync.Mutex
		connections := map[string]bool{}
		url := receive(t, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			connections[r.RemoteAddr] = true
			mu.Unlock()
			_, _ = io.WriteString(w, strings.Repeat("a", c.bytes)) // fails once the client has enough
		})
		client := newLocal(t)
		for range 2 {
			answer, err := client.Post(t.Context(), url, nil, nil)
			if err != nil || len(answer.Body) != c.want {
				t.Errorf("of %d bytes, %d arrived, %v", c.bytes, len(answer.Body), err)
			}
		}
		mu.Lock()
		if len(connections) != c.connections {
			t.Errorf("answers of %d bytes came over %d connections, want %d", c.bytes, len(connections), c.connections)
		}
		mu.Unlock()
	}
}

func TestPost_EndsWithItsCaller(t *testing.T) {
	arrived, done := make(chan struct{}), make(chan struct{})
	url := receive(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // so that the server notices the end of the connection
		close(arrived)
		<-r.Context().Done()
		close(done)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	if _, err := newLocal(t).Post(ctx, url, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	<-done
}

func TestPost_RefusedURL(t *testing.T) {
	c := New(Options{})
	for _, url := range []string{"http://127.0.0.1:3000/s3cret", "https://[::ffff:127.0.0.1]/s3cret", "https://0x7f.1/s3cret", "https://example.com:8443/s3cret"} {
		if _, err := c.Post(t.Context(), url, nil, nil); !errors.Is(err, ErrAddress) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"-5":                            0,
		"1.5":                           0,
		"soon":                          0,
		"90":                            90 * time.Second,
		"3600":                          MaxRetryAfter,
		"3601":                          MaxRetryAfter,
		"9223372036854775807":           MaxRetryAfter,
		"99999999999999999999999":       MaxRetryAfter,
		"-99999999999999999999999":      0,
		"Thu, 01 Jan 2026 12:02:00 GMT": 2 * time.Minute,
		"Thu, 01 Jan 2026 11:02:00 GMT": 0,
		"Thu, 01 Jan 2099 12:02:00 GMT": MaxRetryAfter,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// TestPost_Timeout has a receiver that never answers, and a client with a shorter timeout.
func TestPost_Timeout(t *testing.T) {
	url := receive(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	c := New(Options{Loopback: true, Timeout: time.Millisecond})
	t.Cleanup(c.Close)
	if _, err := c.Post(t.Context(), url, nil, nil); !errors.Is(err, ErrTimeout) {
		t.Errorf("the error is %v", err)
	}
}
