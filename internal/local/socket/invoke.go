package socket

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// invoke calls the function of a route. It turns a panic into an error, because a panic ends one
// invocation and not the whole API.
func (g *Gateway) invoke(
	ctx context.Context, route Route, e events.APIGatewayWebsocketProxyRequest,
) (resp events.APIGatewayProxyResponse, err error) {
	// As in the service, the function continues when the client disconnects.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), invokeTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("function panicked: %v\n%s", p, debug.Stack())
		}
	}()
	resp, err = route.Invoke(ctx, e)
	if err == nil && (resp.StatusCode < 100 || resp.StatusCode > 599) {
		err = fmt.Errorf("the response has no valid status: %d", resp.StatusCode)
	}
	return resp, err
}

func succeeded(resp events.APIGatewayProxyResponse) bool {
	return resp.StatusCode >= 200 && resp.StatusCode <= 299
}

// header returns a header of a response, or "".
func header(resp events.APIGatewayProxyResponse, name string) string {
	for n, value := range resp.Headers {
		if strings.EqualFold(n, name) {
			return value
		}
	}
	for n, values := range resp.MultiValueHeaders {
		if strings.EqualFold(n, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// refuse answers a request without opening a connection, and logs it. The connection is nil if
// there is none yet.
func (g *Gateway) refuse(w http.ResponseWriter, r *http.Request, c *conn, status int) {
	g.cfg.Log.InfoContext(r.Context(), "refused", "method", r.Method, "path", r.URL.Path, "status", status)
	g.answer(w, c, status, http.StatusText(status))
}

// fail answers a request whose function or gateway failed, as the service does. Only the log
// contains the reason.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, c *conn, status int, err error) {
	g.cfg.Log.ErrorContext(r.Context(), "invocation failed", "path", r.URL.Path, "status", status, "error", err)
	g.answer(w, c, status, "Internal server error")
}

func (g *Gateway) answer(w http.ResponseWriter, c *conn, status int, message string) {
	id := ""
	if c != nil {
		id = c.id
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(gatewayMessage(message, id, id)) // the client may have disconnected
}

// gatewayMessage returns a message of the service itself.
func gatewayMessage(message, connection, request string) []byte {
	text, err := json.Marshal(struct {
		Message    string `json:"message"`
		Connection string `json:"connectionId,omitempty"`
		Request    string `json:"requestId,omitempty"`
	}{message, connection, request})
	if err != nil {
		return nil
	}
	return text
}
