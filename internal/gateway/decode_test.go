package gateway_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/gateway"
)

var _ lambda.Handler = gateway.Function(nil)

func withClaims(claims string) []byte {
	return []byte(`{"rawPath":"/","requestContext":{"requestId":"id-1","http":{"method":"GET"},
		"authorizer":{"jwt":{"claims":` + claims + `,"scopes":["chat"]}}}}`)
}

func TestDecode_ClaimsAreTextsNumbersOrBooleans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, claims string
		want         map[string]string
		refused      string // the claim that the error names
	}{
		{name: "texts, as the service sends them", claims: `{"sub":"ada","exp":"1700003600","groups":"[a b]"}`,
			want: map[string]string{"sub": "ada", "exp": "1700003600", "groups": "[a b]"}},
		{name: "escapes in a text", claims: `{"sub":"a\"\u00e9\\"}`, want: map[string]string{"sub": `a"é\`}},
		{name: "an empty text", claims: `{"sub":""}`, want: map[string]string{"sub": ""}},
		{name: "a number keeps its digits", claims: `{"exp":1700003600,"big":12345678901234567890,"f":1.50}`,
			want: map[string]string{"exp": "1700003600", "big": "12345678901234567890", "f": "1.50"}},
		{name: "booleans", claims: `{"email_verified":true,"x":false}`, want: map[string]string{"email_verified": "true", "x": "false"}},
		{name: "no claims", claims: `{}`, want: map[string]string{}},
		{name: "null instead of claims", claims: `null`},
		{name: "a list", claims: `{"sub":"ada","groups":["a"]}`, refused: "groups"},
		{name: "an object", claims: `{"address":{}}`, refused: "address"},
		{name: "null", claims: `{"sub":null}`, refused: "sub"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e, err := gateway.Decode(withClaims(c.claims))
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Fatalf("%v does not name the claim %s", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, e.RequestContext.Authorizer.JWT.Claims); diff != "" {
				t.Error(diff)
			}
			if e.RequestContext.RequestID != "id-1" || e.RequestContext.HTTP.Method != http.MethodGet || e.RequestContext.Authorizer.JWT.Scopes[0] != "chat" {
				t.Errorf("the rest of the context is lost: %+v", e.RequestContext)
			}
		})
	}
}

// TestFunction_InvokeFailsOnAnEventThatItCannotRead checks that the handler never receives an
// event with an invalid claim, and therefore without a caller.
func TestFunction_InvokeFailsOnAnEventThatItCannotRead(t *testing.T) {
	t.Parallel()
	reached := false
	f := gateway.Function(func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		reached = true
		return events.APIGatewayV2HTTPResponse{StatusCode: 200}, nil
	})
	for _, payload := range []string{``, `{`, `[]`, `"x"`, `{"rawPath":1}`, string(withClaims(`{"sub":["ada"]}`)), string(withClaims(`7`))} {
		if answer, err := f.Invoke(t.Context(), []byte(payload)); err == nil || answer != nil {
			t.Errorf("%s: %s, %v", payload, answer, err)
		}
	}
	if reached {
		t.Error("the handler was reached")
	}
}

func TestFunction_InvokePassesClaimsToTheHandler(t *testing.T) {
	t.Parallel()
	f := gateway.Function(gateway.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, gateway.Claims(r)["sub"]+" "+gateway.Claims(r)["exp"])
	})))
	answer, err := f.Invoke(t.Context(), withClaims(`{"sub":"ada","exp":1700003600}`))
	var resp events.APIGatewayV2HTTPResponse
	if err != nil || json.Unmarshal(answer, &resp) != nil || resp.Body != "ada 1700003600" {
		t.Errorf("%s, %v", answer, err)
	}
}

// FuzzDecode compares Decode with aws-lambda-go's decoding for events that the latter accepts.
func FuzzDecode(f *testing.F) {
	f.Add(withClaims(`{"sub":"ada","exp":1700003600,"ok":true,"l":[],"n":null}`))
	f.Add(withClaims(`{"sub":"ada"}`))
	f.Add([]byte(`{"version":"2.0","rawPath":"/%","cookies":["a"],"headers":{"a":"b"},"requestContext":{"authorizer":{"jwt":{"claims":null}}}}`))
	f.Add([]byte(`{"RequestContext":{"AUTHORIZER":{"JWT":{"Claims":{"sub":"a","sub":1}}}}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		got, err := gateway.Decode(payload)
		var want events.APIGatewayV2HTTPRequest
		if theirs := json.Unmarshal(payload, &want); err != nil || theirs != nil {
			return
		}
		if a := want.RequestContext.Authorizer; a != nil {
			a.Lambda, a.IAM = nil, nil // of other kinds of authorizer
			if a.JWT == nil {
				want.RequestContext.Authorizer = nil
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", payload, diff)
		}
	})
}
