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

// verified is what an access token says about a connection with it.
type verified struct {
	user    chat.UserID
	service bool      // the token is a service's
	until   time.Time // when the token expires, or after MaxLife
}

// verify verifies an access token.
func verify(ctx context.Context, v *auth.Verifier, clock func() time.Time, token string) (verified, error) {
	claims, err := v.Verify(ctx, token)
	if err != nil {
		return verified{}, err
	}
	if config.IsOtherToken(claims.Values) {
		return verified{}, &refusal{"the token is not an access token"}
	}
	user, err := chat.ParseUserID(claims.Subject)
	if err != nil {
		return verified{}, &refusal{"the subject is not a user id"}
	}
	expires, err := strconv.ParseFloat(claims.Values["exp"], 64)
	if err != nil {
		return verified{}, &refusal{"the expiry is not a number"}
	}
	until := clock().Add(MaxLife)
	if expires < float64(until.Unix()) {
		until = time.Unix(int64(expires), 0)
	}
	return verified{user, config.IsService(claims.Values), until}, nil
}

// Tokens verifies the tokens that renew connections, as an Authorizer verifies tokens that begin
// them. It is safe for concurrent use.
type Tokens struct {
	Verifier *auth.Verifier
	Clock    func() time.Time
	Log      *slog.Logger
}

// Verify returns the user of an access token, and when it expires, or MaxLife from now. The error
// is a problem with the status 401 for an invalid token, whose check is in the log, and for a
// person's token if service is set. It is Unavailable while the issuer's keys are.
func (t *Tokens) Verify(ctx context.Context, token string, service bool) (chat.UserID, time.Time, error) {
	v, err := verify(ctx, t.Verifier, t.Clock, token)
	if err == nil && service && !v.service {
		err = &refusal{"the token is not a service's, but the connection is"}
	}
	if isRefused(err) {
		t.Log.InfoContext(ctx, "unauthorized", "check", err.Error())
		return "", time.Time{},
			problem.OfStatus(http.StatusUnauthorized, "the token is not valid; connect again with another one")
	}
	if err != nil {
		return "", time.Time{}, &chat.Error{
			Kind: chat.Unavailable, Detail: "the token cannot be checked at present; connect again", Cause: err,
		}
	}
	return v.user, v.until, nil
}
