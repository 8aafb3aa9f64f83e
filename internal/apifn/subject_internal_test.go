package apifn

import (
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/config"
	"example.com/parley/internal/gateway"
)

// TestRefused_NamesTheCheck sends events with claims, as the authorizer passes them.
func TestRefused_NamesTheCheck(t *testing.T) {
	t.Parallel()
	none, oid, half := config.TokenRules{}, config.TokenRules{UserClaim: "oid"}, config.TokenRules{Life: 12 * time.Hour}
	const tooLong = "it is valid for too long, or states no time of issue"
	for _, tt := range []struct {
		rules          config.TokenRules
		claims         map[string]string
		subject, check string
	}{
		{none, map[string]string{"sub": "ann", "token_use": "access"}, "ann", ""},
		{none, map[string]string{"sub": "ann"}, "ann", ""},
		{none, map[string]string{"sub": "ann", "token_use": "id"}, "", "it is not an access token"},
		{none, map[string]string{"token_use": "access"}, "", "it has no subject"},
		{none, nil, "", "it has no subject"},
		{none, map[string]string{"sub": "ann", "iat": "0", "exp": "86400"}, "ann", ""},
		{oid, map[string]string{"sub": "pairwise", "oid": "ann"}, "ann", ""},
		{oid, map[string]string{"sub": "ann"}, "", "it has no subject"},
		{half, map[string]string{"sub": "ann", "iat": "1000", "exp": "44200"}, "ann", ""},
		{half, map[string]string{"sub": "ann", "iat": "1000", "exp": "44201"}, "", tooLong},
		{half, map[string]string{"sub": "ann", "iat": "0", "exp": "86400"}, "", tooLong},
		{half, map[string]string{"sub": "ann", "exp": "44200"}, "", tooLong},
		{half, map[string]string{"sub": "ann", "iat": "secret", "exp": "44200"}, "", tooLong},
	} {
		p := Config{TokenRules: tt.rules}
		served := false
		handle := gateway.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			served = true
			if got := p.subject(r); got != tt.subject {
				t.Errorf("%v: the subject is %q, want %q", tt.claims, got, tt.subject)
			}
			if got := p.refused(r); got != tt.check {
				t.Errorf("%v: the check is %q, want %q", tt.claims, got, tt.check)
			}
		}))
		e := events.APIGatewayV2HTTPRequest{RouteKey: "GET /rooms", RawPath: "/rooms"}
		e.RequestContext.HTTP.Method, e.RequestContext.HTTP.Path = "GET", "/rooms"
		e.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: tt.claims},
		}
		if _, err := handle(t.Context(), e); err != nil || !served {
			t.Errorf("%v: %v, served %t", tt.claims, err, served)
		}
	}
}
