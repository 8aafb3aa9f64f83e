package apifn

import (
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/gateway"
)

// TestRefused_NamesTheCheck sends events with claims, as the authorizer passes them.
func TestRefused_NamesTheCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		claims         map[string]string
		subject, check string
	}{
		{map[string]string{"sub": "ann", "token_use": "access"}, "ann", ""},
		{map[string]string{"sub": "ann"}, "ann", ""},
		{map[string]string{"sub": "ann", "token_use": "id"}, "", "the token is not an access token"},
		{map[string]string{"token_use": "access"}, "", "the token has no subject"},
		{nil, "", "the token has no subject"},
	} {
		served := false
		handle := gateway.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			served = true
			if got := subject(r); got != tt.subject {
				t.Errorf("%v: the subject is %q, want %q", tt.claims, got, tt.subject)
			}
			if got := refused(r); tt.check != "" && got != tt.check {
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
