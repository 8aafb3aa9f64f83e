// Package socketauth decides who may open a connection for live delivery. It is the authorizer of
// the WebSocket API in API Gateway, and of the local server. It verifies the access token and the
// origin of the page, and reads no table.
package socketauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
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

const (
	// offered is the header with the subprotocols that a client offers. The token is one of them,
	// because a page can set no other header of a WebSocket. It is never in the query: that is
	// logged.
	offered = "Sec-WebSocket-Protocol"
	// bearer begins the subprotocol with the token.
	bearer = "bearer."
	// actAs is the header with which services act for people over HTTP.
	actAs = "Parley-Act-As"
)

// headers are the values of a request's headers, by their names as sent.
type headers map[string][]string

// headersOf returns the headers of a request. API Gateway sends each header twice, once with all
// its values.
func headersOf(e events.APIGatewayCustomAuthorizerRequestTypeRequest) headers {
	if len(e.MultiValueHeaders) > 0 {
		return e.MultiValueHeaders
	}
	h := headers{}
	for name, value := range e.Headers {
		h[name] = []string{value}
	}
	return h
}

// values returns the values of a header, whatever the case of its name.
func (h headers) values(name string) []string {
	var all []string
	for sent, values := range h {
		if strings.EqualFold(sent, name) {
			all = append(all, values...)
		}
	}
	return all
}

// tokenOf returns the one token of a request that offers the subprotocol.
func tokenOf(h headers) (string, error) {
	var protocols, tokens []string
	for name := range strings.SplitSeq(strings.Join(h.values(offered), ","), ",") {
		name = strings.TrimSpace(name)
		if token, ok := strings.CutPrefix(name, bearer); ok {
			tokens = append(tokens, token)
			continue
		}
		protocols = append(protocols, name)
	}
	switch {
	case !slices.Contains(protocols, config.Subprotocol):
		return "", &refusal{"the subprotocol " + config.Subprotocol + " is not offered"}
	case len(tokens) != 1:
		return "", &refusal{"there is not one token among the subprotocols"}
	}
	return tokens[0], nil
}

// FromEnv returns the authorizer of a deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (*Authorizer, error) {
	log, err := config.FunctionLogger(getenv, logs)
	if err != nil {
		return nil, err
	}
	verifier, err := verifierFromEnv(getenv, log)
	if err != nil {
		return nil, err
	}
	return New(Options{Verifier: verifier, Origins: list(getenv(config.EnvOrigins)), Clock: time.Now, Log: log}), nil
}

// TokensFromEnv returns the token verifier for another deployed function. It makes no request.
func TokensFromEnv(getenv func(string) string, log *slog.Logger) (*Tokens, error) {
	verifier, err := verifierFromEnv(getenv, log)
	if err != nil {
		return nil, err
	}
	return &Tokens{Verifier: verifier, Clock: time.Now, Log: log}, nil
}

func verifierFromEnv(getenv func(string) string, log *slog.Logger) (*auth.Verifier, error) {
	if err := config.Require(getenv, config.EnvIssuer, config.EnvAudience); err != nil {
		return nil, err
	}
	keys, err := auth.NewRemote(auth.RemoteConfig{
		Issuer: getenv(config.EnvIssuer), Client: &http.Client{}, Clock: time.Now, Log: log,
	})
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvIssuer, err)
	}
	rules, err := config.TokenRulesOf(getenv)
	if err != nil {
		return nil, err
	}
	verifier, err := auth.New(auth.Config{
		Issuer: getenv(config.EnvIssuer), Audiences: list(getenv(config.EnvAudience)), Keys: keys, Clock: time.Now,
		Rules: rules,
	})
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvAudience, err)
	}
	return verifier, nil
}

// list returns the items of a text that are separated by commas.
func list(text string) []string {
	if text == "" {
		return nil
	}
	items := strings.Split(text, ",")
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	return items
}
