// Package socketauth decides who may open a connection for live delivery. It is the authorizer of
// the WebSocket API in API Gateway, and of the local server. It verifies the access token and the
// origin of the page, and reads no table.
package socketauth

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
)

// MaxLife is the longest life of a connection. API Gateway ends each connection after two hours.
const MaxLife = 2 * time.Hour

// ErrUnauthorized is the answer to a connection without a valid token. API Gateway recognizes the
// text and answers with 401.
var ErrUnauthorized = errors.New("Unauthorized")

// Options are the settings of an Authorizer. Origins may be empty.
type Options struct {
	Verifier *auth.Verifier
	// Origins are the origins of pages that may connect. Clients other than browsers send none, and
	// may always connect.
	Origins []string
	Clock   func() time.Time
	Log     *slog.Logger
}

// Authorizer authorizes connections. It is safe for concurrent use.
type Authorizer struct{ o Options }

// New returns an Authorizer.
func New(o Options) *Authorizer { return &Authorizer{o} }

// Handle answers API Gateway's request to authorize a connection. The answer's context contains
// the user and the connection's end. The error is ErrUnauthorized for a missing or invalid token,
// and while the issuer's keys are unavailable. Pages of foreign origins, and services that connect
// for somebody else, get a denying policy.
func (a *Authorizer) Handle(
	ctx context.Context, e events.APIGatewayCustomAuthorizerRequestTypeRequest,
) (events.APIGatewayCustomAuthorizerResponse, error) {
	var none events.APIGatewayCustomAuthorizerResponse
	h := headersOf(e)
	v, err := a.authenticate(ctx, h)
	if isRefused(err) {
		a.o.Log.InfoContext(ctx, "unauthorized", "check", err.Error())
		return none, ErrUnauthorized
	}
	if err != nil {
		// Any other error would be a 500. On 401, a client fetches a token and retries, which is
		// also right here.
		a.o.Log.ErrorContext(ctx, "a token cannot be checked", "cause", err.Error())
		return none, ErrUnauthorized
	}
	if check := a.forbidden(h); check != "" {
		a.o.Log.InfoContext(ctx, "forbidden", "check", check)
		return answer(e, deny, string(v.user), nil), nil
	}
	values := map[string]any{
		config.ContextUser: string(v.user), config.ContextUntil: strconv.FormatInt(v.until.Unix(), 10),
		config.ContextRenewable: strconv.FormatInt(a.o.Clock().Add(MaxLife).Unix(), 10),
	}
	if v.service {
		values[config.ContextService] = config.ServiceConnection
	}
	return answer(e, allow, string(v.user), values), nil
}

// authenticate verifies the token of a request.
func (a *Authorizer) authenticate(ctx context.Context, h headers) (verified, error) {
	token, err := tokenOf(h)
	if err != nil {
		return verified{}, err
	}
	return verify(ctx, a.o.Verifier, a.o.Clock, token)
}

// forbidden returns the check that an authenticated request fails, or "".
func (a *Authorizer) forbidden(h headers) string {
	for _, origin := range h.values("Origin") {
		if !slices.Contains(a.o.Origins, origin) {
			return "the origin is not in the list"
		}
	}
	if len(h.values(actAs)) > 0 {
		return "a connection is only for the subject of its token"
	}
	return ""
}

// The effects of policies.
const (
	allow = "Allow"
	deny  = "Deny"
)

// answer returns an answer whose policy has an effect on the request.
func answer(
	e events.APIGatewayCustomAuthorizerRequestTypeRequest, effect, principal string, values map[string]any,
) events.APIGatewayCustomAuthorizerResponse {
	return events.APIGatewayCustomAuthorizerResponse{
		PrincipalID: principal, Context: values,
		PolicyDocument: events.APIGatewayCustomAuthorizerPolicy{
			Version: "2012-10-17",
			Statement: []events.IAMPolicyStatement{{
				Action: []string{"execute-api:Invoke"}, Effect: effect, Resource: []string{e.MethodArn},
			}},
		},
	}
}
