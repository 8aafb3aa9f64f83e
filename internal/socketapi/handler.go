package socketapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/chat"
	"parley/internal/config"
	"parley/internal/live"
)

// The names of the types of API Gateway's events for functions of a WebSocket API.
type (
	event  = events.APIGatewayWebsocketProxyRequest
	answer = events.APIGatewayProxyResponse
)

// Options are the settings of a Handler.
type Options struct {
	Log   *slog.Logger
	Clock func() time.Time
}

// Handler handles the events of connections. It is safe for concurrent use.
type Handler struct {
	o Options
}

// New returns a Handler.
func New(o Options) *Handler { return &Handler{o: o} }

// RequestLine is the message of the log line of each event.
const RequestLine = "request"

// Handle handles an event of a connection: its beginning, its end, or a message. The body of the
// answer to a message is the frame for the client.
func (h *Handler) Handle(ctx context.Context, e event) (a answer, err error) {
	began := h.o.Clock()
	rc := e.RequestContext
	log := h.o.Log.With("request", rc.RequestID, "connection", rc.ConnectionID)
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			log.ErrorContext(ctx, "panic", "cause", p, "stack", string(debug.Stack()))
			a, err = answer{StatusCode: http.StatusInternalServerError}, nil
		}
		log.InfoContext(ctx, RequestLine, "route", rc.RouteKey, "status", a.StatusCode, "ms", h.o.Clock().Sub(began).Milliseconds())
	}()
	if _, err := connectionOf(e); err != nil {
		log.ErrorContext(ctx, "internal error", "cause", err.Error())
		return answer{StatusCode: http.StatusUnauthorized}, nil
	}
	switch rc.RouteKey {
	case connectRoute:
		return connect(), nil
	case disconnectRoute:
		return answer{StatusCode: http.StatusOK}, nil
	}
	return answer{StatusCode: http.StatusNotImplemented}, nil
}

// connect answers to a new connection. It selects the subprotocol, without which browsers refuse
// the connection, and stores nothing: most connections say hello in the next moment.
func connect() answer {
	return answer{StatusCode: http.StatusOK, Headers: map[string]string{"Sec-WebSocket-Protocol": config.Subprotocol}}
}

// connectionOf returns the connection of an event, with the person and the time that the authorizer
// stated. It fails if the API has no authorizer.
func connectionOf(e event) (live.Connection, error) {
	stated, _ := e.RequestContext.Authorizer.(map[string]any)
	name, _ := stated[config.ContextUser].(string)
	user, err := chat.ParseUserID(name)
	if err != nil {
		return live.Connection{}, fmt.Errorf("the authorizer's user: %w", err)
	}
	text, _ := stated[config.ContextUntil].(string)
	until, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return live.Connection{}, fmt.Errorf("the authorizer's time: %w", err)
	}
	return live.Connection{ID: live.ConnectionID(e.RequestContext.ConnectionID), User: user, Until: time.Unix(until, 0)}, nil
}
