package socketauth_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/socketauth"
	"example.com/parley/internal/test/owntokens"
)

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
