package socket_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/local/socket"
)

func TestNew_RefusesIncompleteConfigurations(t *testing.T) {
	t.Parallel()
	if _, err := socket.New(socket.Config{}); err == nil {
		t.Error("an empty configuration is accepted")
	}
}

// The events have the fields of the service's own, as events/testdata of aws-lambda-go and the guide
// to Lambda authorizers have them.
func TestGateway_EventsAreTheServices(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, resp, err := a.dial(t, "Origin: https://chat.example", "X-Twice: 1", "X-Twice: 2", "User-Agent: test")
	if err != nil {
		t.Fatal(err)
	}
	if ws.Subprotocol() != "parley.v1" || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("status %d, subprotocol %q", resp.StatusCode, ws.Subprotocol())
	}
	asked := a.authorized[0]
	if asked.Type != "REQUEST" || asked.MethodArn != "arn:aws:execute-api:us-east-1:000000000000:local/local/$connect" ||
		asked.Headers["Sec-WebSocket-Protocol"] != "parley.v1,bearer.token" || asked.Headers["X-Twice"] != "2" ||
		len(asked.MultiValueHeaders["X-Twice"]) != 2 || asked.RequestContext.Identity.SourceIP != "127.0.0.1" {
		t.Errorf("the authorizer's event: %+v", asked)
	}
	a.wait(time.Second)
	wantEcho(t, ws)
	if err := ws.Close(4000, "bye"); err != nil {
		t.Fatal(err)
	}
	connect, message, end := a.await(t, "CONNECT", 1), a.await(t, "MESSAGE", 1), a.await(t, "DISCONNECT", 1)
	host := strings.TrimPrefix(a.url, "http://")
	for _, e := range []event{connect, message, end} {
		rc := e.RequestContext
		rc.Identity = events.APIGatewayRequestIdentity{}
		reason := "bye"
		want := events.APIGatewayWebsocketProxyRequestContext{
			Stage: "local", APIID: "local", DomainName: host, MessageDirection: "IN",
			ConnectionID: connect.RequestContext.ConnectionID, ConnectedAt: start.UnixMilli(),
			RequestTime: "14/Nov/2023:22:13:21 +0000", RequestTimeEpoch: start.UnixMilli() + 1000,
			Authorizer: map[string]any{"principalId": "amsg", "user": "amsg", "until": "1700007200"},
			RequestID:  rc.RequestID, ExtendedRequestID: rc.RequestID, EventType: rc.EventType,
		}
		switch rc.EventType {
		case "CONNECT":
			want.RouteKey, want.RequestTime, want.RequestTimeEpoch = "$connect", "14/Nov/2023:22:13:20 +0000", start.UnixMilli()
		case "MESSAGE":
			want.RouteKey, want.MessageID = "$default", rc.RequestID
		case "DISCONNECT":
			want.RouteKey, want.DisconnectStatusCode, want.DisconnectReason = "$disconnect", 4000, &reason
		}
		if diff := cmp.Diff(want, rc); diff != "" {
			t.Errorf("%s (-want +got)\n%s", rc.EventType, diff)
		}
		if e.RequestContext.Identity.SourceIP != "127.0.0.1" || e.RequestContext.Identity.UserAgent != "test" {
			t.Errorf("identity %+v", e.RequestContext.Identity)
		}
	}
	if connect.Headers["Origin"] != "https://chat.example" || connect.Headers["Upgrade"] != "" || message.Headers != nil ||
		end.Headers["Host"] != host || message.Body != `{"type":"hello"}` || connect.Body != "" {
		t.Errorf("headers %v, %v, %v", connect.Headers, message.Headers, end.Headers)
	}
	id := regexp.MustCompile(`^[A-Za-z0-9_-]{15}=$`)
	if !id.MatchString(connect.RequestContext.ConnectionID) || message.RequestContext.RequestID == connect.RequestContext.RequestID {
		t.Errorf("ids %q, %q", connect.RequestContext.ConnectionID, message.RequestContext.RequestID)
	}
}

func TestGateway_RefusesConnections(t *testing.T) {
	t.Parallel()
	deny := policy("Allow", "*")
	deny.PolicyDocument.Statement = append(deny.PolicyDocument.Statement, policy("Deny", "*").PolicyDocument.Statement...)
	object := policy("Allow", "*")
	object.Context["object"] = map[string]any{}
	answers := func(r events.APIGatewayCustomAuthorizerResponse, err error) socket.Authorize {
		return func(context.Context, events.APIGatewayCustomAuthorizerRequestTypeRequest) (events.APIGatewayCustomAuthorizerResponse, error) {
			return r, err
		}
	}
	connects := func(status int, err error) func(event) (events.APIGatewayProxyResponse, error) {
		return func(event) (events.APIGatewayProxyResponse, error) {
			return events.APIGatewayProxyResponse{StatusCode: status, Body: "secret"}, err
		}
	}
	for name, c := range map[string]struct {
		authorize socket.Authorize
		handle    func(event) (events.APIGatewayProxyResponse, error)
		status    int
		message   string
	}{
		"an unauthorized client":   {authorize: answers(policy("Allow", "*"), errors.New("Unauthorized")), status: 401, message: "Unauthorized"},
		"an explicit deny":         {authorize: answers(deny, nil), status: 403, message: "Forbidden"},
		"no statement":             {authorize: answers(events.APIGatewayCustomAuthorizerResponse{}, nil), status: 403, message: "Forbidden"},
		"another route is allowed": {authorize: answers(policy("Allow", "*/$default"), nil), status: 403, message: "Forbidden"},
		"the authorizer fails":     {authorize: answers(policy("Allow", "*"), errors.New("secret")), status: 500, message: "Internal server error"},
		"the authorizer panics": {authorize: func(context.Context, events.APIGatewayCustomAuthorizerRequestTypeRequest) (events.APIGatewayCustomAuthorizerResponse, error) {
			panic("secret")
		}, status: 500, message: "Internal server error"},
		"a context with an object":     {authorize: answers(object, nil), status: 500, message: "Internal server error"},
		"the function refuses":         {handle: connects(429, nil), status: 429, message: "Too Many Requests"},
		"the function redirects":       {handle: connects(301, nil), status: 301, message: "Moved Permanently"},
		"the function fails":           {handle: connects(200, errors.New("secret")), status: 502, message: "Internal server error"},
		"the function has no response": {handle: connects(0, nil), status: 502, message: "Internal server error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := serve(t)
			if c.authorize != nil {
				a.authorize = c.authorize
			}
			if c.handle != nil {
				a.handle = c.handle
			}
			_, resp, err := a.dial(t)
			if err == nil || resp == nil || resp.StatusCode != c.status {
				t.Fatalf("%v, %v, want the status %d", resp, err, c.status)
			}
			text, err := io.ReadAll(resp.Body)
			var body map[string]string
			if err != nil || json.Unmarshal(text, &body) != nil || body["message"] != c.message || body["connectionId"] == "" {
				t.Errorf("%s, %v", text, err)
			}
			if len(a.all("DISCONNECT")) > 0 {
				t.Error("a connection that never was has ended")
			}
		})
	}
}

// A client without the identity's header reaches no function.
func TestGateway_RequiresTheIdentity(t *testing.T) {
	t.Parallel()
	a := serve(t)
	_, resp, err := websocket.Dial(t.Context(), a.url, nil)
	if err == nil || resp.StatusCode != http.StatusUnauthorized || len(a.authorized) > 0 {
		t.Errorf("%v, %v, asked %d times", resp, err, len(a.authorized))
	}
}

func TestGateway_RoutesAndResponses(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, id := a.connect(t)
	failed := `{"message":"Internal server error","connectionId":"` + id + `","requestId":"`
	for _, c := range []struct{ text, route, want string }{
		{`{"type":"hello"}`, "$default", `{"type":"hello"}`},
		{`{"type":7}`, "$default", `{"type":7}`},
		{`{"type":"$connect"}`, "$default", `{"type":"$connect"}`},
		{`{"type":"$disconnect"}`, "$default", `{"type":"$disconnect"}`},
		{`not JSON`, "$default", `not JSON`},
		{`[]`, "$default", `[]`},
		{`{"type":"quiet"}`, "quiet", ``},
		{`panic`, "$default", failed},
		{`error`, "$default", failed},
		{`status`, "$default", failed},
	} {
		n := len(a.all("MESSAGE"))
		send(t, ws, c.text)
		e := a.await(t, "MESSAGE", n+1)
		if e.RequestContext.RouteKey != c.route || e.Body != c.text {
			t.Errorf("%s reached %s as %s", c.text, e.RequestContext.RouteKey, e.Body)
		}
		if c.want == "" {
			continue
		}
		if got := receive(t, ws); got != c.want && (c.want != failed || !strings.HasPrefix(got, failed)) {
			t.Errorf("%s got %s, want %s", c.text, got, c.want)
		}
	}
	if logs := a.logs.String(); strings.Count(logs, "secret cause") != 2 || strings.Contains(logs, "bearer.") {
		t.Errorf("logs\n%s", logs)
	}
}

func TestGateway_MessageWithoutARoute(t *testing.T) {
	t.Parallel()
	a := serve(t)
	a.RemoveRoute("$default")
	ws, id := a.connect(t)
	send(t, ws, `{"type":"hello"}`)
	if got := receive(t, ws); !strings.HasPrefix(got, `{"message":"Forbidden","connectionId":"`+id+`","requestId":"`) {
		t.Error(got)
	}
}

// TestGateway_MessagesOfAllSizesInOrder posts messages of sizes at which the form of a frame
// changes, faster than the client receives them. The gateway answers pings in between.
func TestGateway_MessagesOfAllSizesInOrder(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, id := a.connect(t)
	pings := make(chan error, 1)
	const rounds = 20
	sizes := []int{0, 1, 125, 126, 511, 512, 32<<10 - 1, 32 << 10, 32<<10 + 1, 64 << 10, 128 << 10}
	go func() {
		for range rounds {
			if err := ws.Ping(t.Context()); err != nil {
				pings <- err
				return
			}
		}
		pings <- nil
	}()
	for range rounds {
		for _, n := range sizes {
			if err := a.Post(id, []byte(strings.Repeat("x", n))); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range sizes {
			if got := receive(t, ws); len(got) != n {
				t.Fatalf("received %d bytes, want %d", len(got), n)
			}
		}
	}
	go func() { _, _, _ = ws.Read(t.Context()) }() // the last answers to pings
	if err := <-pings; err != nil {
		t.Error(err)
	}
	if err := a.Delete(id); err != nil {
		t.Error(err)
	}
}
