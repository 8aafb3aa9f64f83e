package socketauth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/socketauth"
	"example.com/parley/internal/test/owntokens"
)

const (
	issuer   = "https://issuer.example/pool"
	audience = "client-1"
	page     = "https://chat.example"
	arn      = "arn:aws:execute-api:us-east-1:123456789012:abc/live/$connect"
)

func now() time.Time { return time.Unix(1_700_000_000, 0) }

// testKey is created once, because a key takes a tenth of a second.
var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// keyring has one key, and cannot be reached for the key id "down".
type keyring struct{}

func (keyring) Key(_ context.Context, id string) (*rsa.PublicKey, error) {
	if id == "down" {
		return nil, errors.New("the network is down")
	}
	return &testKey().PublicKey, nil
}

// token signs a token of the user amsg that expires in an hour, with other claims. A claim of nil
// is left out.
func token(t *testing.T, key string, other jwt.MapClaims) string {
	t.Helper()
	claims := jwt.MapClaims{
		"iss": issuer, "sub": "amsg", "client_id": audience, "token_use": "access",
		"iat": now().Unix(), "exp": now().Add(time.Hour).Unix(),
	}
	maps.Copy(claims, other)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	tk := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	tk.Header["kid"] = key
	text, err := tk.SignedString(testKey())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func authorizer(t *testing.T, logs *bytes.Buffer) *socketauth.Authorizer {
	t.Helper()
	v, err := auth.New(auth.Config{Issuer: issuer, Audiences: []string{audience}, Keys: keyring{}, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	return socketauth.New(socketauth.Options{
		Verifier: v, Origins: []string{page, "https://other.example"}, Clock: now, Log: slog.New(slog.NewTextHandler(logs, nil)),
	})
}

func TestHandle_Cases(t *testing.T) {
	t.Parallel()
	valid := token(t, "k", nil)
	offer := func(protocols ...string) map[string][]string {
		return map[string][]string{"Sec-WebSocket-Protocol": protocols}
	}
	with := func(h map[string][]string, name, value string) map[string][]string {
		h[name] = append(h[name], value)
		return h
	}
	good := func() map[string][]string { return offer("parley.v1, bearer." + valid) }
	claims := func(other jwt.MapClaims) map[string][]string {
		return offer("parley.v1, bearer." + token(t, "k", other))
	}
	const unauthorized, denied = "Unauthorized", "Deny"
	hour, most := now().Add(time.Hour).Unix(), now().Add(2*time.Hour).Unix()
	for _, tt := range []struct {
		name    string
		headers map[string][]string
		query   string
		want    string // an error's text, Deny, or "" for a connection
		until   int64
		check   string // in the log
	}{
		{name: "a token", headers: good(), until: hour},
		{name: "in two headers", headers: offer("bearer."+valid, "parley.v1"), until: hour},
		{name: "among other subprotocols", headers: offer("graphql-ws,parley.v1,bearer." + valid), until: hour},
		{name: "a header in lower case", headers: map[string][]string{"sec-websocket-protocol": {"parley.v1,bearer." + valid}}, until: hour},
		{name: "no header", want: unauthorized, check: "is not offered"},
		{name: "no token", headers: offer("parley.v1"), want: unauthorized, check: "not one token"},
		{name: "an empty token", headers: offer("parley.v1, bearer."), want: unauthorized, check: "there is none"},
		{name: "two tokens", headers: offer("parley.v1, bearer." + valid + ", bearer." + valid), want: unauthorized, check: "not one token"},
		{name: "no subprotocol", headers: offer("bearer." + valid), want: unauthorized, check: "is not offered"},
		{name: "another version", headers: offer("parley.v2, bearer." + valid), want: unauthorized, check: "is not offered"},
		{name: "the subprotocol in capitals", headers: offer("PARLEY.V1, bearer." + valid), want: unauthorized, check: "is not offered"},
		{name: "a token in the query", headers: offer("parley.v1"), query: valid, want: unauthorized, check: "not one token"},
		{name: "a token in Authorization", headers: with(offer("parley.v1"), "Authorization", "Bearer "+valid), want: unauthorized, check: "not one token"},
		{name: "a token in a cookie", headers: with(offer("parley.v1"), "Cookie", "bearer."+valid), want: unauthorized, check: "not one token"},
		{name: "an ID token", headers: claims(jwt.MapClaims{"token_use": "id"}), want: unauthorized, check: "not an access token"},
		{name: "a token without a use", headers: claims(jwt.MapClaims{"token_use": nil}), until: hour},
		{name: "an expired token", headers: claims(jwt.MapClaims{"exp": now().Unix()}), want: unauthorized, check: "expired"},
		{name: "a foreign audience", headers: claims(jwt.MapClaims{"client_id": "other"}), want: unauthorized, check: "audience"},
		{name: "a foreign issuer", headers: claims(jwt.MapClaims{"iss": "https://evil.example"}), want: unauthorized, check: "issuer"},
		{name: "a subject that is no user id", headers: claims(jwt.MapClaims{"sub": "a#b"}), want: unauthorized, check: "not a user id"},
		{name: "a long-lived token", headers: claims(jwt.MapClaims{"exp": now().Add(30 * 24 * time.Hour).Unix()}), until: most},
		{name: "a token of exactly two hours", headers: claims(jwt.MapClaims{"exp": most}), until: most},
		{name: "a page in the list", headers: with(good(), "Origin", page), until: hour},
		{name: "a foreign page", headers: with(good(), "Origin", "https://evil.example"), want: denied, check: "origin"},
		{name: "a page of the same host without TLS", headers: with(good(), "origin", "http://chat.example"), want: denied, check: "origin"},
		{name: "a sandboxed page", headers: with(good(), "Origin", "null"), want: denied, check: "origin"},
		{name: "two origins", headers: with(with(good(), "Origin", page), "Origin", "https://evil.example"), want: denied, check: "origin"},
		{name: "a foreign page without a token", headers: with(offer("parley.v1"), "Origin", "https://evil.example"), want: unauthorized, check: "not one token"},
		{name: "a service, as itself", headers: claims(jwt.MapClaims{"scope": "parley/act-as"}), until: hour},
		{name: "a service, as itself, with a list of scopes", headers: claims(jwt.MapClaims{"scp": []string{"openid", "parley/act-as"}}), until: hour},
		{name: "a service, for somebody", headers: with(claims(jwt.MapClaims{"scope": "parley/act-as"}), "Parley-Act-As", "bob"), want: denied, check: "only for the subject of its token"},
		{name: "a person, for somebody", headers: with(good(), "parley-act-as", "bob"), want: denied, check: "only for the subject of its token"},
		{name: "keys that cannot be read", headers: offer("parley.v1, bearer." + token(t, "down", nil)), want: unauthorized, check: "network"},
	} {
		var logs bytes.Buffer
		e := events.APIGatewayCustomAuthorizerRequestTypeRequest{MethodArn: arn, MultiValueHeaders: tt.headers}
		if tt.query != "" {
			e.QueryStringParameters = map[string]string{"token": tt.query, "access_token": tt.query}
		}
		a, err := authorizer(t, &logs).Handle(t.Context(), e)
		if got := outcome(a, err); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if want := strconv.FormatInt(tt.until, 10); tt.want == "" && (a.Context["user"] != "amsg" || a.Context["until"] != want || a.Context["renewable"] != strconv.FormatInt(most, 10) || a.PrincipalID != "amsg") {
			t.Errorf("%s: %+v, want amsg until %s", tt.name, a, want)
		}
		if service := strings.HasPrefix(tt.name, "a service, as itself"); tt.want == "" && (a.Context["service"] == "true") != service {
			t.Errorf("%s: the context is %v", tt.name, a.Context)
		}
		if tt.want != "" && len(a.Context) > 0 {
			t.Errorf("%s: a refusal with the context %v", tt.name, a.Context)
		}
		if !strings.Contains(logs.String(), tt.check) || (tt.check == "") != (logs.Len() == 0) || leaks(logs.String(), tt.headers) {
			t.Errorf("%s: the log is %s, want %q and no token", tt.name, logs.String(), tt.check)
		}
	}
}

// outcome returns the error's text, Deny, or "" for a policy that allows the request.
func outcome(a events.APIGatewayCustomAuthorizerResponse, err error) string {
	if err != nil {
		return err.Error()
	}
	s := a.PolicyDocument.Statement
	if a.PolicyDocument.Version != "2012-10-17" || len(s) != 1 || len(s[0].Resource) != 1 || s[0].Resource[0] != arn || s[0].Action[0] != "execute-api:Invoke" {
		return "a wrong policy"
	}
	if s[0].Effect == "Allow" {
		return ""
	}
	return s[0].Effect
}

// leaks reports whether a log holds a token of the headers.
func leaks(log string, headers map[string][]string) bool {
	for _, values := range headers {
		for part := range strings.FieldsFuncSeq(strings.Join(values, ","), func(r rune) bool { return strings.ContainsRune(", .", r) }) {
			if strings.HasPrefix(part, "eyJ") && strings.Contains(log, part) {
				return true
			}
		}
	}
	return false
}

// TestHandle_HeadersWithoutLists sends headers as an API with single values does.
func TestHandle_HeadersWithoutLists(t *testing.T) {
	t.Parallel()
	var logs bytes.Buffer
	e := events.APIGatewayCustomAuthorizerRequestTypeRequest{
		MethodArn: arn, Headers: map[string]string{"Sec-WebSocket-Protocol": "parley.v1, bearer." + token(t, "k", nil)},
	}
	if a, err := authorizer(t, &logs).Handle(t.Context(), e); outcome(a, err) != "" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestHandle_AcceptsOrRefusesOwnTokens opens connections with the tokens of an app that signs them
// itself, and renews connections with them. No log has a token.
func TestHandle_AcceptsOrRefusesOwnTokens(t *testing.T) {
	t.Parallel()
	keys := auth.Fixed{}
	for _, key := range owntokens.Keys() {
		keys[key.ID] = key.Public
	}
	i := owntokens.Issuer{Name: issuer, Audience: config.OwnAudience, Life: config.OwnTokenLife, Now: now()}
	v, err := auth.New(auth.Config{Issuer: i.Name, Audiences: []string{i.Audience}, Keys: keys, Clock: now, Rules: config.TokenRules{Life: i.Life}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range i.Cases(t) {
		var logs bytes.Buffer
		log := slog.New(slog.NewTextHandler(&logs, nil))
		headers := map[string][]string{"Sec-WebSocket-Protocol": {"parley.v1, bearer." + c.Token}}
		a, err := socketauth.New(socketauth.Options{Verifier: v, Clock: now, Log: log}).Handle(t.Context(),
			events.APIGatewayCustomAuthorizerRequestTypeRequest{MethodArn: arn, MultiValueHeaders: headers})
		if got := outcome(a, err); (got == "") != c.OK || !c.OK && got != "Unauthorized" {
			t.Errorf("%s: %q", c.Name, got)
		}
		user, _, err := (&socketauth.Tokens{Verifier: v, Clock: now, Log: log}).Verify(t.Context(), c.Token, false)
		if (err == nil) != c.OK || c.OK && user != owntokens.User {
			t.Errorf("%s: renewal by %q, %v", c.Name, user, err)
		}
		if leaks(logs.String(), headers) || err != nil && strings.Contains(err.Error(), c.Token) {
			t.Errorf("%s: the log or the error has the token: %s%v", c.Name, logs.String(), err)
		}
	}
}
