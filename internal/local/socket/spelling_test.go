package socket_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"example.com/parley/internal/follow"
)

// TestGateway_ComparesTheSpellingOfTheIdentity sends the names that clients are known to send.
func TestGateway_ComparesTheSpellingOfTheIdentity(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{
		"Sec-WebSocket-Protocol":  http.StatusSwitchingProtocols, // browsers
		"Sec-Websocket-Protocol":  http.StatusUnauthorized,       // Go's net/http
		"sec-websocket-protocol":  http.StatusUnauthorized,       // Node's own WebSocket
		"SEC-WEBSOCKET-PROTOCOL":  http.StatusUnauthorized,
		"Sec-WebSocket-Protocols": http.StatusUnauthorized,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := serve(t)
			_, resp := a.dialRaw(t, strings.Replace(handshake, "Sec-WebSocket-Protocol", name, 1))
			asked := status == http.StatusSwitchingProtocols
			if resp.StatusCode != status || len(a.authorized) > 0 != asked {
				t.Errorf("status %d, want %d; the authorizer was asked %d times", resp.StatusCode, status, len(a.authorized))
			}
		})
	}
}

// TestGateway_ComparesTheSpellingOfEachRequest sends several requests over one connection, in pieces.
func TestGateway_ComparesTheSpellingOfEachRequest(t *testing.T) {
	t.Parallel()
	a := serve(t)
	wrong := strings.Replace(handshake, "Sec-WebSocket-Protocol", "Sec-Websocket-Protocol", 1)
	noUpgrade := strings.Replace(handshake, "Upgrade: websocket\r\n", "", 1)
	c, resp := a.dialRaw(t, noUpgrade)
	for n, next := range []struct {
		request string
		status  int
	}{{wrong, http.StatusUnauthorized}, {noUpgrade, http.StatusUpgradeRequired}, {wrong, http.StatusUnauthorized}, {handshake, http.StatusSwitchingProtocols}} {
		_, _ = io.Copy(io.Discard, resp.Body)
		for _, piece := range strings.SplitAfter(next.request, "e") {
			c.write([]byte(piece))
		}
		var err error
		if resp, err = http.ReadResponse(c.r, nil); err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != next.status {
			t.Errorf("request %d: status %d, want %d", n, resp.StatusCode, next.status)
		}
	}
}

// TestGateway_FailsWithoutPrepare shows that a server cannot forget to be prepared.
func TestGateway_FailsWithoutPrepare(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	server := httptest.NewServer(a.Gateway)
	t.Cleanup(server.Close)
	_, resp, err := websocket.Dial(t.Context(), server.URL, &websocket.DialOptions{
		HTTPClient: follow.HandshakeClient(http.DefaultClient), Subprotocols: []string{"parley.v1", "bearer.token"},
	})
	if err == nil || resp.StatusCode != http.StatusInternalServerError || len(a.authorized) > 0 {
		t.Errorf("%v, %v", resp, err)
	}
}
