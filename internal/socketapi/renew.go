package socketapi

import (
	"context"
	"net/http"

	"example.com/parley/internal/problem"
)

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
