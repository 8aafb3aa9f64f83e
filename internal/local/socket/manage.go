package socket

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// connectionsPath is the path of the calls to connections.
const connectionsPath = "/@connections/"

// Management is the http.Handler of the calls with which functions send to connections, inspect
// them and close them. It requires signed requests, as the service does.
type Management struct {
	gateway *Gateway
	signer  Signer
}

// NewManagement returns the calls to the connections of a gateway. Callers sign as the signer does.
func NewManagement(g *Gateway, s Signer) *Management { return &Management{g, s} }

// ServeHTTP answers a call.
func (m *Management) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") == "" {
		decline(w, http.StatusForbidden, "MissingAuthenticationTokenException", "Missing Authentication Token")
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
	switch {
	case err != nil:
		decline(w, http.StatusBadRequest, "BadRequestException", "Bad Request")
		return
	case len(body) > maxMessage:
		decline(w, http.StatusRequestEntityTooLarge, "PayloadTooLargeException", "Message too long")
		return
	}
	if !m.signer.signed(r, body) {
		decline(w, http.StatusForbidden, "InvalidSignatureException",
			"The request signature we calculated does not match the signature you provided.")
		return
	}
	id, ok := strings.CutPrefix(r.URL.Path, connectionsPath)
	if !ok {
		decline(w, http.StatusForbidden, "ForbiddenException", "Forbidden")
		return
	}
	c := m.gateway.find(id)
	if c == nil {
		decline(w, http.StatusGone, "GoneException", "Gone")
		return
	}
	m.call(w, r, c, body)
}

func (m *Management) call(w http.ResponseWriter, r *http.Request, c *conn, body []byte) {
	switch r.Method {
	case http.MethodPost:
		switch err := c.post(body); {
		case errors.Is(err, ErrFull):
			decline(w, http.StatusTooManyRequests, "LimitExceededException", "Rate exceeded")
		case err != nil:
			decline(w, http.StatusGone, "GoneException", "Gone")
		}
	case http.MethodGet:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may have disconnected
			"connectedAt": isoTime(c.since), "lastActiveAt": isoTime(c.lastActive()),
			"identity": map[string]string{"sourceIp": c.sourceIP, "userAgent": c.userAgent},
		})
	case http.MethodDelete:
		c.delete()
		w.WriteHeader(http.StatusNoContent)
	default:
		decline(w, http.StatusForbidden, "ForbiddenException", "Forbidden")
	}
}

// decline answers with an error of the service.
func decline(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Errortype", kind)
	w.WriteHeader(status)
	_, _ = w.Write(gatewayMessage(message, "", "")) // the caller may have disconnected
}
