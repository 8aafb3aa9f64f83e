package socketauth

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/problem"
)

// refusal is a check that a request failed. Its text never has a part of the request.
type refusal struct{ check string }

func (r *refusal) Error() string { return r.check }

// isRefused reports whether an error means that a token is missing or invalid.
func isRefused(err error) bool {
	var refused *refusal
	return errors.As(err, &refused) || errors.Is(err, auth.ErrRefused)
}

// verify returns the user of an access token, and when a connection with it ends: when the token
// expires, or after MaxLife.
func verify(ctx context.Context, v *auth.Verifier, clock func() time.Time, token string) (chat.UserID, time.Time, error) {
	claims, err := v.Verify(ctx, token)
	if err != nil {
		return "", time.Time{}, err
	}
	if config.IsOtherToken(claims.Values) {
		return "", time.Time{}, &refusal{"the token is not an access token"}
	}
	user, err := chat.ParseUserID(claims.Subject)
	if err != nil {
		return "", time.Time{}, &refusal{"the subject is not a user id"}
	}
	expires, err := strconv.ParseFloat(claims.Values["exp"], 64)
	if err != nil {
		return "", time.Time{}, &refusal{"the expiry is not a number"}
	}
	until := clock().Add(MaxLife)
	if expires < float64(until.Unix()) {
		until = time.Unix(int64(expires), 0)
	}
	return user, until, nil
}

// Tokens verifies the tokens that renew connections, as an Authorizer verifies those that begin
// them. It is safe for concurrent use.
type Tokens struct {
	Verifier *auth.Verifier
	Clock    func() time.Time
	Log      *slog.Logger
}

// Verify returns the user of an access token, and when it expires, or MaxLife from now. The error
// is a problem with the status 401 for an invalid token, whose check is in the log. It is
// Unavailable while the issuer's keys are.
func (t *Tokens) Verify(ctx context.Context, token string) (chat.UserID, time.Time, error) {
	user, until, err := verify(ctx, t.Verifier, t.Clock, token)
	if isRefused(err) {
		t.Log.InfoContext(ctx, "unauthorized", "check", err.Error())
		return "", time.Time{}, problem.OfStatus(http.StatusUnauthorized, "the token is not valid; connect again with another one")
	}
	if err != nil {
		return "", time.Time{}, &chat.Error{Kind: chat.Unavailable, Detail: "the token cannot be checked at present; connect again", Cause: err}
	}
	return user, until, nil
}
