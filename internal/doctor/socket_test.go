package doctor_test

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/doctor"
)

// ending is how a gateway ends a connection whose requests it has refused.
type ending func(context.Context, *websocket.Conn)

// against runs the steps against a stand-in that answers nothing on a connection before its end, and
// returns their outcomes by name. A request of the API succeeds in creating a room, and in nothing
// else.
func against(t *testing.T, transport http.RoundTripper, end ending) map[string]error {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"id":"p-1","createdBy":"ada"}`)
			return
		}
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"parley.v1"}})
		if err != nil {
			return
		}
		for range 50 {
			if _, _, err := c.Read(r.Context()); err != nil {
				return
			}
		}
		end(c.CloseRead(r.Context()), c)
	}))
	t.Cleanup(server.Close)
	steps, err := doctor.Exercise(t.Context(), doctor.ExerciseOptions{
		URL: server.URL, Socket: "ws" + strings.TrimPrefix(server.URL, "http"), Token: "x", Transport: transport,
		Clock: time.Now, Random: rand.Reader, Patience: 500 * time.Millisecond, // it ends most steps
	})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]error{}
	for _, s := range steps {
		outcomes[s.Name] = s.Err
		if s.Minor != (s.Name == "connect as Go does") {
			t.Errorf("%s: minor is %v", s.Name, s.Minor)
		}
	}
	return outcomes
}

// exact is a transport to a gateway that knows the header of the subprotocols by one spelling.
type exact string

func (e exact) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, found := r.Header[string(e)]; r.Header.Get("Upgrade") == "" || found {
		return http.DefaultTransport.RoundTrip(r)
	}
	return &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

// TestExercise_ConnectsWithBothSpellings meets gateways that compare the header exactly.
func TestExercise_ConnectsWithBothSpellings(t *testing.T) {
	t.Parallel()
	for spelling, refused := range map[string]string{"Sec-Websocket-Protocol": "connect as a browser does", "Sec-WebSocket-Protocol": "connect as Go does"} {
		outcomes := against(t, exact(spelling), func(context.Context, *websocket.Conn) {})
		for _, name := range []string{"connect as a browser does", "connect as Go does"} {
			err := outcomes[name]
			if err == nil || strings.Contains(err.Error(), "answered with 401") != (name == refused) {
				t.Errorf("where only %s is known, %q gives %v", spelling, name, err)
			}
		}
	}
}

// TestExercise_ForcesARefusal connects to gateways that end a connection well, and in a wrong way.
func TestExercise_ForcesARefusal(t *testing.T) {
	t.Parallel()
	reason := func(ctx context.Context, c *websocket.Conn) {
		_ = c.Write(ctx, websocket.MessageText, []byte(`{"type":"closing","reason":"refusals"}`))
	}
	for name, tt := range map[string]struct {
		end  ending
		says string // of the error; empty for none
	}{
		"the reason comes first": {func(ctx context.Context, c *websocket.Conn) { reason(ctx, c); _ = c.CloseNow() }, ""},
		"no reason":              {func(_ context.Context, c *websocket.Conn) { _ = c.CloseNow() }, "wait for the reason of the end"},
		"no end":                 {func(ctx context.Context, c *websocket.Conn) { reason(ctx, c); <-ctx.Done() }, "does not end"},
		"no refusal":             {func(ctx context.Context, _ *websocket.Conn) { <-ctx.Done() }, "wait for the reason of the end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err, ran := against(t, nil, tt.end)["be refused until the end"]
			if !ran || tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("%v, want %q", err, tt.says)
			}
		})
	}
}
