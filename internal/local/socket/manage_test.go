package socket_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/apigatewaymanagementapi"
	"github.com/aws/aws-sdk-go-v2/service/apigatewaymanagementapi/types"
	"github.com/coder/websocket"

	"example.com/parley/internal/local/socket"
)

// call is a call to a connection, signed as functions sign it unless it is changed.
type call struct {
	method, id string
	body       string
	signer     socket.Signer
	at         time.Time
	change     func(*http.Request)
}

// do returns the status, the type of the error and the body.
func (a *api) do(t *testing.T, c call) (int, string, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), c.method, a.management+"/@connections/"+c.id, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(c.body))
	if c.signer.Region == "" {
		c.signer = signer
	}
	if c.at.IsZero() {
		c.at = a.clock()
	}
	err = v4.NewSigner().SignHTTP(t.Context(), c.signer.Credentials, r, hex.EncodeToString(hash[:]), "execute-api", c.signer.Region, c.at)
	if err != nil {
		t.Fatal(err)
	}
	if c.change != nil {
		c.change(r)
	}
	resp, err := a.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("X-Amzn-ErrorType"), string(text)
}

func (a *api) wantStatus(t *testing.T, c call, status int, kind string) {
	t.Helper()
	if got, gotKind, text := a.do(t, c); got != status || gotKind != kind {
		t.Errorf("%s %s: %d %s %s, want %d %s", c.method, c.id, got, gotKind, text, status, kind)
	}
}

func TestManagement_PostsLooksAndCloses(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, id := a.connect(t)
	a.wantStatus(t, call{method: "POST", id: id, body: "one"}, 200, "")
	a.wantStatus(t, call{method: "POST", id: id, body: strings.Repeat("x", 128<<10)}, 200, "")
	if one, big := receive(t, ws), receive(t, ws); one != "one" || len(big) != 128<<10 {
		t.Errorf("received %s and %d bytes", one, len(big))
	}
	a.wait(time.Minute)
	wantEcho(t, ws)
	status, _, text := a.do(t, call{method: "GET", id: id})
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != 200 || got["connectedAt"] != "2023-11-14T22:13:20.123Z" ||
		got["lastActiveAt"] != "2023-11-14T22:14:20.123Z" || got["identity"].(map[string]any)["sourceIp"] != "127.0.0.1" {
		t.Errorf("%d %s", status, text)
	}
	a.wantStatus(t, call{method: "POST", id: id, body: "last"}, 200, "")
	a.wantStatus(t, call{method: "DELETE", id: id}, 204, "")
	for _, method := range []string{"POST", "GET", "DELETE"} {
		a.wantStatus(t, call{method: method, id: id, body: ""}, 410, "GoneException")
	}
	if got := receive(t, ws); got != "last" {
		t.Errorf("the last message is %s", got)
	}
	wantClose(t, ws, 1000)
	if e := a.await(t, "DISCONNECT", 1); e.RequestContext.DisconnectStatusCode != 1000 {
		t.Errorf("ended with %d", e.RequestContext.DisconnectStatusCode)
	}
}

func TestManagement_RefusesCalls(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, id := a.connect(t)
	other := signer
	other.Credentials.SecretAccessKey = "another"
	elsewhere := signer
	elsewhere.Region = "eu-west-1"
	for name, c := range map[string]struct {
		call   call
		status int
		kind   string
	}{
		"no signature":            {call{change: func(r *http.Request) { r.Header.Del("Authorization") }}, 403, "MissingAuthenticationTokenException"},
		"another scheme":          {call{change: func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }}, 403, "InvalidSignatureException"},
		"another secret":          {call{signer: other}, 403, "InvalidSignatureException"},
		"another region":          {call{signer: elsewhere}, 403, "InvalidSignatureException"},
		"another body":            {call{change: func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("Hello")) }}, 403, "InvalidSignatureException"},
		"another connection":      {call{change: func(r *http.Request) { r.URL.Path += "x" }}, 403, "InvalidSignatureException"},
		"another method":          {call{change: func(r *http.Request) { r.Method = "PUT" }}, 403, "InvalidSignatureException"},
		"an old signature":        {call{at: start.Add(-time.Hour)}, 403, "InvalidSignatureException"},
		"an unknown connection":   {call{id: "AAAAAAAAAAAAAAA="}, 410, "GoneException"},
		"a body over 128 KB":      {call{body: strings.Repeat("x", 128<<10+1)}, 413, "PayloadTooLargeException"},
		"a method of no call":     {call{method: "PUT"}, 403, "ForbiddenException"},
		"a header added unsigned": {call{change: func(r *http.Request) { r.Header.Set("X-Other", "1") }}, 200, ""},
	} {
		if c.call.method == "" {
			c.call.method = "POST"
		}
		if c.call.id == "" {
			c.call.id = id
		}
		if c.call.body == "" {
			c.call.body = "hello"
		}
		status, kind, text := a.do(t, c.call)
		if status != c.status || kind != c.kind {
			t.Errorf("%s: %d %s %s", name, status, kind, text)
		}
	}
	if got := receive(t, ws); got != "hello" {
		t.Errorf("received %.80s", got)
	}
	wantEcho(t, ws)
}

// Posts to a client that does not receive do not wait. What it cannot take is refused, and in the end
// its connection is closed.
func TestManagement_SlowClientHarmsOnlyItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := serveInMemory(t)
		other, _ := a.connect(t)
		_, id := a.connectRaw(t)
		message := strings.Repeat("x", 128<<10)
		var full, gone bool
		began := time.Now()
		for ; !gone && time.Since(began) < waitTime; time.Sleep(time.Second) {
			before := time.Now()
			status, _, _ := a.do(t, call{method: "POST", id: id, body: message})
			if took := time.Since(before); took > 0 {
				t.Fatalf("a post took %v", took)
			}
			full, gone = full || status == 429, status == 410
			wantEcho(t, other)
		}
		if took := time.Since(began); !full || !gone || took > 25*time.Second {
			t.Errorf("full %v, gone %v after %v", full, gone, took)
		}
		if e := a.await(t, "DISCONNECT", 1); e.RequestContext.ConnectionID != id || e.RequestContext.DisconnectStatusCode != 1006 {
			t.Errorf("the end of %s with %d", e.RequestContext.ConnectionID, e.RequestContext.DisconnectStatusCode)
		}
		wantEcho(t, other)
	})
}

// Messages are refused while the function of $connect runs, as in the service.
func TestManagement_ConnectionIsGoneUntilItIsAccepted(t *testing.T) {
	t.Parallel()
	a := serve(t)
	status := 0
	a.handle = func(e event) (r0 response, err error) {
		if e.RequestContext.EventType == "CONNECT" {
			status, _, _ = a.do(t, call{method: "POST", id: e.RequestContext.ConnectionID, body: "early"})
		}
		return echo(e)
	}
	ws, id := a.connect(t)
	wantEcho(t, ws)
	if status != 410 {
		t.Errorf("status %d", status)
	}
	a.wantStatus(t, call{method: "POST", id: id, body: "x"}, 200, "")
}

// TestManagement_DeletionOvertakesMessages posts to connections that lose what is posted within a
// time before a deletion. Messages that were posted before that arrive in order.
func TestManagement_DeletionOvertakesMessages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		overtaking time.Duration
		arrives    bool
	}{
		{"posted just before", time.Hour, false},
		{"posted earlier", time.Millisecond, true},
		{"without the mode", 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := serve(t, func(cfg *socket.Config) { cfg.Overtaking = tt.overtaking })
			ws, id := a.connect(t)
			for _, text := range []string{`"one"`, `"two"`} {
				if status, _, body := a.do(t, call{method: http.MethodPost, id: id, body: text}); status != http.StatusOK {
					t.Fatal(status, body)
				}
			}
			if tt.arrives {
				for _, want := range []string{`"one"`, `"two"`} {
					if got := receive(t, ws); got != want {
						t.Errorf("received %s, want %s", got, want)
					}
				}
			}
			if status, _, body := a.do(t, call{method: http.MethodDelete, id: id}); status != http.StatusNoContent {
				t.Fatal(status, body)
			}
			if _, text, err := ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
				t.Errorf("received %s, %v after the deletion", text, err)
			}
		})
	}
}

// TestManagement_FullQueueEndsNobody posts to a client that reads nothing for 40 seconds, and then
// reads. Without a time to receive a message it is refused each time, as in the service, and goes
// on when it reads.
func TestManagement_FullQueueEndsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := serveInMemory(t, func(cfg *socket.Config) { cfg.WriteTime = time.Hour })
		other, _ := a.connect(t)
		slow, id := a.connectRaw(t)
		post := call{method: "POST", id: id, body: strings.Repeat("x", 128<<10)}
		accepted := 0
		for began := time.Now(); time.Since(began) < 40*time.Second; time.Sleep(time.Second) {
			if status, kind, _ := a.do(t, post); status == http.StatusOK {
				accepted++
			} else if status != http.StatusTooManyRequests || kind != "LimitExceededException" {
				t.Fatalf("status %d %s", status, kind)
			}
		}
		if accepted == 0 || accepted > 5 { // one is being sent
			t.Errorf("%d messages are queued for a client that reads nothing", accepted)
		}
		wantEcho(t, other)
		for range accepted {
			if got := slow.message(len(post.body)); got != post.body {
				t.Fatalf("received %d bytes", len(got))
			}
		}
		a.wantStatus(t, post, http.StatusOK, "")
		if got := slow.message(len(post.body)); got != post.body {
			t.Errorf("received %d bytes", len(got))
		}
	})
}

// TestManagement_SDKsClient calls connections with AWS's own client, which signs requests and reads
// errors as the service has them.
func TestManagement_SDKsClient(t *testing.T) {
	t.Parallel()
	a := serve(t)
	a.advance(time.Since(start)) // the client signs with the machine's clock
	ws, id := a.connect(t)
	c := apigatewaymanagementapi.New(apigatewaymanagementapi.Options{
		BaseEndpoint: &a.management, Region: signer.Region, HTTPClient: a.client, RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(staticCredentials),
	})
	post := func(id, text string) error {
		_, err := c.PostToConnection(t.Context(), &apigatewaymanagementapi.PostToConnectionInput{ConnectionId: &id, Data: []byte(text)})
		return err
	}
	if err := post(id, "hello"); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, ws); got != "hello" {
		t.Error(got)
	}
	var tooLarge *types.PayloadTooLargeException
	if err := post(id, strings.Repeat("x", 128<<10+1)); !errors.As(err, &tooLarge) {
		t.Errorf("a large message: %v", err)
	}
	got, err := c.GetConnection(t.Context(), &apigatewaymanagementapi.GetConnectionInput{ConnectionId: &id})
	if err != nil || got.ConnectedAt == nil || got.LastActiveAt == nil || aws.ToString(got.Identity.SourceIp) != "127.0.0.1" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := c.DeleteConnection(t.Context(), &apigatewaymanagementapi.DeleteConnectionInput{ConnectionId: &id}); err != nil {
		t.Error(err)
	}
	var gone *types.GoneException
	if err := post(id, "late"); !errors.As(err, &gone) {
		t.Errorf("a connection that has ended: %v", err)
	}
	wantClose(t, ws, 1000)
}
