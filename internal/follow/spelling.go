package follow

import (
	"cmp"
	"net/http"
)

// protocolHeader offers the subprotocols. API Gateway matches header names case-sensitively when
// it looks for a token, and net/http sends the canonical form, Sec-Websocket-Protocol.
const protocolHeader = "Sec-WebSocket-Protocol"

// HandshakeClient returns a copy of an HTTP client whose requests spell Sec-WebSocket-Protocol as
// API Gateway requires, for WebSocket handshakes.
func HandshakeClient(c *http.Client) *http.Client {
	exact := *c
	exact.Transport = exactTransport{cmp.Or(c.Transport, http.DefaultTransport)}
	return &exact
}

type exactTransport struct{ base http.RoundTripper }

// RoundTrip sends a request with the exact name of the header.
func (t exactTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	canonical := http.CanonicalHeaderKey(protocolHeader)
	if offered, ok := r.Header[canonical]; ok {
		r = r.Clone(r.Context())
		delete(r.Header, canonical)
		r.Header[protocolHeader] = offered
	}
	return t.base.RoundTrip(r)
}
