package socket

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
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

// unauthorized is the text of the error with which an authorizer refuses a client with 401.
const unauthorized = "Unauthorized"

// authorize asks the authorizer, and stores its results for the events. It reports whether the
// client may connect. If not, it has answered the request.
func (g *Gateway) authorize(w http.ResponseWriter, r *http.Request, c *conn) bool {
	if !g.identified(w, r, c) {
		return false
	}
	e := g.authorizerEvent(r, c)
	resp, err := g.callAuthorizer(r.Context(), e)
	switch {
	case err != nil && err.Error() == unauthorized:
		g.refuse(w, r, c, http.StatusUnauthorized)
		return false
	case err != nil:
		g.fail(w, r, c, http.StatusInternalServerError, err)
		return false
	case !allows(resp.PolicyDocument, e.MethodArn):
		g.refuse(w, r, c, http.StatusForbidden)
		return false
	}
	c.authorizer = map[string]any{"principalId": resp.PrincipalID}
	for name, value := range resp.Context {
		switch value.(type) {
		case string, bool, float64, int, int64:
			c.authorizer[name] = fmt.Sprint(value) // the service sends every value as text
		default:
			g.fail(
				w, r, c, http.StatusInternalServerError,
				fmt.Errorf("the authorizer's %s is no text, number or boolean", name),
			)
			return false
		}
	}
	return true
}

// identified reports whether a client has sent the identity's header in its exact spelling. If not,
// it has answered the request without asking the authorizer.
func (g *Gateway) identified(w http.ResponseWriter, r *http.Request, c *conn) bool {
	if r.Header.Get(g.cfg.Identity) == "" {
		g.refuse(w, r, c, http.StatusUnauthorized)
		return false
	}
	switch spelling, err := g.spelling(r); {
	case err != nil:
		g.fail(w, r, c, http.StatusInternalServerError, err)
		return false
	case spelling != g.cfg.Identity:
		g.cfg.Log.WarnContext(
			r.Context(), "API Gateway takes the header for another", "spelling", spelling, "needs", g.cfg.Identity,
		)
		g.refuse(w, r, c, http.StatusUnauthorized)
		return false
	}
	return true
}

// callAuthorizer turns a panic into an error.
func (g *Gateway) callAuthorizer(
	ctx context.Context, e events.APIGatewayCustomAuthorizerRequestTypeRequest,
) (resp events.APIGatewayCustomAuthorizerResponse, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), invokeTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("authorizer panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return g.cfg.Authorize(ctx, e)
}

// allows reports whether a policy lets a client invoke a route: a statement allows it and no
// statement denies it.
func allows(policy events.APIGatewayCustomAuthorizerPolicy, arn string) bool {
	allowed := false
	for _, s := range policy.Statement {
		if !slices.ContainsFunc(
			s.Action, isInvoke,
		) || !slices.ContainsFunc(s.Resource, func(pattern string) bool { return matches(pattern, arn) }) {
			continue
		}
		switch s.Effect {
		case "Allow":
			allowed = true
		default:
			return false
		}
	}
	return allowed
}

func isInvoke(action string) bool {
	return matches(strings.ToLower(action), "execute-api:invoke")
}

// matches reports whether an IAM pattern matches a text. Its wildcards also match slashes.
func matches(pattern, text string) bool {
	plain := strings.NewReplacer("/", "\x00", "[", `\[`, `\`, `\\`)
	ok, err := path.Match(plain.Replace(pattern), strings.ReplaceAll(text, "/", "\x00"))
	return err == nil && ok
}
