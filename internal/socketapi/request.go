package socketapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/explain"
	"example.com/parley/internal/live"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

// request is the handler's state for one event.
type request struct {
	connection live.Connection
	service    bool   // the connection is a service's
	attempt    string // unique among the requests of the connection
	log        *slog.Logger
	kind, id   string // of a message, as far as they are known
	status     int    // of the problem, if the message has one
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
	if err != nil || e.RequestContext.ConnectionID == "" {
		return live.Connection{},
			fmt.Errorf("the authorizer's time is %q, the connection %q", text, e.RequestContext.ConnectionID)
	}
	c := live.Connection{ID: live.ConnectionID(e.RequestContext.ConnectionID), User: user, Until: time.Unix(until, 0)}
	text, _ = stated[config.ContextRenewable].(string)
	if renewable, err := strconv.ParseInt(text, 10, 64); err == nil && renewable > until {
		c.RenewableUntil = time.Unix(renewable, 0)
	}
	return c, nil
}

// isService reports whether the authorizer stated that the connection is a service's.
func isService(e event) bool {
	stated, _ := e.RequestContext.Authorizer.(map[string]any)
	return stated[config.ContextService] == config.ServiceConnection
}

// message handles a message and returns the frame that answers it. The frame is empty if the
// connection has been closed.
func (h *Handler) message(ctx context.Context, r *request, e event) []byte {
	ended, err := h.hasEnded(ctx, r)
	if err != nil {
		return h.refuse(ctx, r, "", h.problemOf(ctx, r, err))
	}
	if ended {
		h.end(ctx, r, ReasonExpired, nil)
		return nil
	}
	if wait := h.buckets.Take(r.connection.ID, 1); wait > 0 {
		return h.refuse(ctx, r, "", tooFast(wait))
	}
	if e.IsBase64Encoded {
		return h.refuse(ctx, r, "", malformed(nil))
	}
	message, head, p := decode(e.Body)
	r.kind, r.id = head.Type, head.ID
	if p != nil {
		return h.refuse(ctx, r, head.ID, p)
	}
	ack, err := h.serve(ctx, r, message)
	if err != nil {
		p := h.problemOf(ctx, r, err)
		if reason := endReason(err); reason != "" {
			r.status = p.Status
			h.end(ctx, r, reason, problemFrame(head.ID, p))
			return nil
		}
		return h.refuse(ctx, r, head.ID, p)
	}
	ack.Type, ack.ID, ack.Now = typeAck, head.ID, wire.TimeText(h.Clock())
	return encode(ack)
}

// endReason returns the reason for which an error ends the connection, or "" if it continues.
func endReason(err error) string {
	switch {
	case errors.Is(err, live.ErrConnections):
		return ReasonTooManyConnections
	case chat.KindOf(err) == chat.Suspended:
		return ReasonSuspended
	}
	return ""
}

// tooFast returns the problem of a connection that sends too many messages.
func tooFast(wait time.Duration) *problem.Problem {
	p := problem.OfStatus(
		http.StatusTooManyRequests,
		fmt.Sprintf("a connection may send %d messages a second; wait before the next", MessageRate),
	)
	p.RetryAfter = wait
	return p
}

// refuse returns the frame of a problem. The connection is closed after too many problems that are
// the client's own.
func (h *Handler) refuse(ctx context.Context, r *request, id string, p *problem.Problem) []byte {
	r.status = p.Status
	frame := problemFrame(id, p)
	switch p.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests:
		if h.refusals.add(r.connection, h.Clock()) >= MaxRefusals {
			h.end(ctx, r, ReasonRefusals, frame)
			return nil
		}
	}
	return frame
}

func problemFrame(id string, p *problem.Problem) []byte {
	return encode(&Problem{Type: typeProblem, ID: id, Problem: p, RetryAfter: seconds(p)})
}

// problemOf returns the problem of an error. It logs the cause.
func (h *Handler) problemOf(ctx context.Context, r *request, err error) *problem.Problem {
	p := explain.Error(err)
	if p == nil {
		r.log.ErrorContext(ctx, "internal error", "cause", err.Error())
		return explain.Internal()
	}
	if kind, cause, ok := explain.Cause(err); ok {
		r.log.WarnContext(ctx, "request failed", "kind", kind.String(), "cause", cause.Error())
	}
	p.Detail = strings.ReplaceAll(p.Detail, chat.RetryHint, retryHint)
	return p
}

// retryHint replaces chat.RetryHint: a frame has a field instead of a header.
const retryHint = "retry after the seconds in retryAfter"

// seconds returns the delay of a problem, rounded up.
func seconds(p *problem.Problem) int { return int(math.Ceil(p.RetryAfter.Seconds())) }

// end sends the last frames of a connection, and closes it live.CloseDelay later: the answer to
// its message, if any, and the reason. The invocation waits: at 512 MB, a million waits cost $7.
// They are rare, and the writes of a million dials with 30 rooms cost $40. A connection that
// cannot be closed at present is closed by its next message, by a post or by API Gateway.
func (h *Handler) end(ctx context.Context, r *request, reason string, last []byte) {
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	id := r.connection.ID
	r.log.InfoContext(ctx, "closing", "reason", reason)
	sent := false
	for _, frame := range [][]byte{last, encode(&Closing{Type: typeClosing, Reason: reason})} {
		if frame == nil {
			continue
		}
		err := h.Poster.Post(ctx, id, frame)
		if err != nil {
			r.log.WarnContext(ctx, "a last frame was not sent", "cause", err.Error())
		}
		sent = sent || err == nil
	}
	if sent {
		h.Wait(ctx, live.CloseDelay)
	}
	if err := h.Poster.Close(ctx, id); err != nil && !errors.Is(err, live.ErrGone) {
		r.log.WarnContext(ctx, "the connection was not closed", "cause", err.Error())
	}
}

// encode returns the JSON of a frame.
func encode(frame any) []byte {
	var b bytes.Buffer
	if err := wire.Marshal(&b, frame); err != nil {
		panic(err) // encoding this package's types cannot fail
	}
	return b.Bytes()
}

// renew extends a connection, given a new token of its person. It also acts as a sync. If the
// token is refused, the connection keeps its end. A suspended person's connection row is deleted,
// so the connection cannot be renewed after the account was read.
func (h *Handler) renew(ctx context.Context, r *request, m *renewRequest) (*Ack, error) {
	if err := h.charge(ctx, r, requestUnits); err != nil {
		return nil, err
	}
	user, until, err := h.Tokens.Verify(ctx, m.Token, r.service)
	if err != nil {
		return nil, err
	}
	if user != r.connection.User {
		return nil,
			problem.OfStatus(http.StatusForbidden, "the token is another person's; a connection is for one person")
	}
	if err := h.Accounts.CheckCurrent(ctx, user); err != nil {
		return nil, err
	}
	positions, err := h.Subscriptions.Renew(ctx, r.connection, until)
	if err != nil {
		return nil, err
	}
	return ackOf(positions), nil
}

// hasEnded reports whether a connection has ended. It sets the end of one that was renewed.
func (h *Handler) hasEnded(ctx context.Context, r *request) (bool, error) {
	if h.Clock().Before(r.connection.Until) {
		return false, nil
	}
	end, err := h.Subscriptions.End(ctx, r.connection)
	r.connection.Until = end
	return !h.Clock().Before(end), err
}
