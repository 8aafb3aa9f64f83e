// Package socketapi is the WebSocket edge: the requests of the protocol parley.v1, and its frames
// about connections. It holds no rules of the domain.
//
// A client sends JSON objects with a type and an id, and gets an ack or a problem with the same
// id. Package live sends everything else that a client receives.
package socketapi

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/explain"
	"example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/tokenbucket"
)

// The types of API Gateway's events for the function of a WebSocket API.
type (
	event  = events.APIGatewayWebsocketProxyRequest
	answer = events.APIGatewayProxyResponse
)

// Subscriptions are the rooms of connections. live.Service implements it.
type Subscriptions interface {
	Open(ctx context.Context, c live.Connection, rooms []chat.RoomID) error
	Subscribe(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error)
	Unsubscribe(ctx context.Context, c live.Connection, room chat.RoomID) (was bool, err error)
	Forget(ctx context.Context, c live.Connection, rooms []chat.RoomID) error
	Positions(ctx context.Context, c live.Connection) ([]live.Position, error)
	PositionsOf(ctx context.Context, c live.Connection, known []live.Known) ([]live.Position, error)
	End(ctx context.Context, c live.Connection) (time.Time, error)
	Renew(ctx context.Context, c live.Connection, until time.Time) ([]live.Position, error)
}

// Listeners are the connections of rooms. live.Service implements it.
type Listeners interface {
	HangUp(ctx context.Context, c live.Connection) ([]chat.RoomID, error)
	Disconnect(ctx context.Context, c live.Connection) ([]chat.RoomID, error)
	Typing(ctx context.Context, c live.Connection, room chat.RoomID) ([]live.Subscription, error)
	Audience(ctx context.Context, room chat.RoomID, limit int) ([]live.Subscription, error)
}

// Inbox lists the rooms of people. inbox.Service implements it.
type Inbox interface {
	Recent(ctx context.Context, user chat.UserID, limit int) ([]chat.RoomID, error)
}

// Accounts checks whether people are suspended. account.Service implements it.
type Accounts interface {
	Check(ctx context.Context, user chat.UserID) (account.Account, error)
	CheckCurrent(ctx context.Context, user chat.UserID) error
}

// Tokens verifies access tokens. socketauth.Tokens implements it.
type Tokens interface {
	// Verify refuses a person's token if service is set.
	Verify(ctx context.Context, token string, service bool) (user chat.UserID, until time.Time, err error)
}

// Meter charges people's budgets. ratelimit.Meter implements it.
type Meter interface {
	Take(ctx context.Context, user chat.UserID, known ratelimit.Budgets, costs ...ratelimit.Cost) error
}

// Options are the settings of a Handler. Fields without a default are required.
type Options struct {
	Subscriptions Subscriptions
	Listeners     Listeners
	Inbox         Inbox
	Blocks        chat.Blocks
	Accounts      Accounts
	Tokens        Tokens
	Meter         Meter
	// ServiceMeter charges the connections of services; nil means Meter.
	ServiceMeter Meter
	Poster       live.Poster
	Log          *slog.Logger
	// Quiet leaves requests that neither fail nor are slow to the gateway's log
	// (config.RequestLevel).
	Quiet bool
	Clock func() time.Time
	// Wait waits for a time, or until ctx ends; nil means live.Wait.
	Wait func(ctx context.Context, d time.Duration)
	// AnnounceTime bounds the sending of typing and presence in one request; zero means 200 ms.
	AnnounceTime time.Duration
}

// Handler handles the events of connections. It is safe for concurrent use.
type Handler struct {
	Options
	buckets  *tokenbucket.Buckets[live.ConnectionID]
	refusals *refusals
	rests    *live.Rests
}

// New returns a Handler.
func New(o Options) *Handler {
	if o.AnnounceTime == 0 {
		o.AnnounceTime = announceTime
	}
	if o.ServiceMeter == nil {
		o.ServiceMeter = o.Meter
	}
	if o.Wait == nil {
		o.Wait = live.Wait
	}
	return &Handler{
		Options: o, refusals: newRefusals(), rests: live.NewRests(o.Clock),
		buckets: tokenbucket.New[live.ConnectionID](MessageRate, MessageBurst, o.Clock),
	}
}

// Handle handles an event of a connection: its beginning, its end, or a message. The body of the
// answer to a message is the frame for the client. The error is only for API Gateway's log.
func (h *Handler) Handle(ctx context.Context, e event) (a answer, err error) {
	began := h.Clock()
	rc := e.RequestContext
	r := &request{log: h.Log.With("request", rc.RequestID, "connection", rc.ConnectionID), attempt: rc.RequestID}
	ctx, cancel := context.WithTimeout(ctx, RequestTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			r.log.ErrorContext(ctx, "panic", "cause", p, "stack", string(debug.Stack()))
			a, err = answer{StatusCode: http.StatusInternalServerError}, nil
			if rc.RouteKey == defaultRoute { // the client waits for an answer
				a = answer{StatusCode: http.StatusOK, Body: string(h.refuse(ctx, r, r.id, explain.Internal()))}
			}
		}
		if r.status == 0 {
			r.status = a.StatusCode
		}
		took := h.Clock().Sub(began)
		r.log.Log(
			ctx, config.RequestLevel(h.Quiet, r.status, took), "request", "route", rc.RouteKey, "type", r.kind,
			"status", r.status, "ms", took.Milliseconds(),
		)
	}()
	if r.connection, err = connectionOf(e); err != nil {
		r.log.ErrorContext(ctx, "internal error", "cause", err.Error())
		return answer{StatusCode: http.StatusUnauthorized}, nil
	}
	if r.service = isService(e); r.service {
		ctx = chat.WithService(ctx, r.connection.User)
	}
	switch rc.RouteKey {
	case connectRoute:
		return h.connect(ctx, r), nil
	case disconnectRoute:
		return answer{StatusCode: http.StatusOK}, h.disconnect(ctx, r)
	}
	return answer{StatusCode: http.StatusOK, Body: string(h.message(ctx, r, e))}, nil
}

// connect answers a new connection. It refuses suspended people. It selects the subprotocol,
// without which browsers refuse the connection. It stores nothing, because most connections soon
// send a hello.
func (h *Handler) connect(ctx context.Context, r *request) answer {
	if _, err := h.Accounts.Check(ctx, r.connection.User); err != nil {
		return answer{StatusCode: h.problemOf(ctx, r, err).Status}
	}
	return answer{StatusCode: http.StatusOK, Headers: map[string]string{"Sec-WebSocket-Protocol": config.Subprotocol}}
}

// disconnect deletes the rows of a connection that has ended, and notifies the others. API Gateway
// may not announce an end. The rows then expire, or are deleted after the first failed post.
func (h *Handler) disconnect(ctx context.Context, r *request) error {
	h.refusals.forget(r.connection.ID)
	rooms, err := h.Listeners.HangUp(ctx, r.connection)
	if err != nil {
		r.log.ErrorContext(ctx, "the connection's rows stay until they expire", "cause", err.Error())
		return err
	}
	h.announce(ctx, r, rooms, false)
	return nil
}

// The routes of the WebSocket API. API Gateway reads the type of a message to select a route, and
// no type has a route of its own.
const (
	connectRoute    = "$connect"
	disconnectRoute = "$disconnect"
	defaultRoute    = "$default"
)

// RouteSelection is the expression by which API Gateway selects the route of a message.
const RouteSelection = "$request.body.type"

// Route is a route of the WebSocket API.
type Route struct {
	Key string
	// Authorized means that the authorizer checks its requests.
	Authorized bool
	// Answers means that the function's answer is sent to the client.
	Answers bool
}

// Routes returns all routes. The stack and the local server use them.
func Routes() []Route {
	return []Route{
		{Key: connectRoute, Authorized: true, Answers: true},
		{Key: disconnectRoute},
		{Key: defaultRoute, Answers: true},
	}
}
