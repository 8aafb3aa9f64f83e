package functions_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/config"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/test/runtimestub"
)

// TestAuthorizer_AnswersEveryEventAsInLambda runs the binary with the keys of an issuer with TLS.
// It makes no call that needs a permission.
func TestAuthorizer_AnswersEveryEventAsInLambda(t *testing.T) {
	keys := newKeys(t)
	var logs bytes.Buffer
	env := environment(t, "authorizer", map[string]string{"UserPool.ProviderURL": keys.address, "UserPoolClient": issuer.Audience}, "")
	env = append(env, config.EnvOrigins+"=https://chat.example.com", "SSL_CERT_FILE="+keys.certificate)
	token, expired := keys.token(t, time.Now), keys.token(t, func() time.Time { return time.Now().Add(-2 * time.Hour) })
	t.Cleanup(func() { // after the function has ended
		if text := logs.String(); strings.Contains(text, token) || strings.Contains(text, expired) || !strings.Contains(text, "unauthorized") {
			t.Errorf("the log contains a token, or no refusal:\n%s", text)
		}
	})
	fn := startLogged(t, "authorizer", runtimestub.Config{Command: build(t, "authorizer"), Env: env, Logs: &logs})
	var used []string
	for _, r := range authorizerRequests {
		used = append(used, r.name)
		event := strings.NewReplacer("{{token}}", token, "{{expired}}", expired).Replace(r.event(t))
		answer, err := invokeRaw(t, fn, event)
		if got := effectOf(t, answer, err); got != r.effect {
			t.Errorf("%s: %s, want %s", r.name, got, r.effect)
		}
	}
	checkAllUsed(t, "authorizer", used)
}

// authorizerRequest is a request for a connection: the event of connect.json with other headers.
type authorizerRequest struct{ name, protocol, origin, effect string }

var authorizerRequests = []authorizerRequest{
	{name: "connect", protocol: "parley.v1, bearer.{{token}}", effect: "Allow"},
	{name: "connect-page", protocol: "parley.v1, bearer.{{token}}", origin: "https://chat.example.com", effect: "Allow"},
	{name: "connect-foreign-page", protocol: "parley.v1, bearer.{{token}}", origin: "https://evil.example.com", effect: "Deny"},
	{name: "connect-expired", protocol: "parley.v1, bearer.{{expired}}", effect: "Unauthorized"},
	{name: "connect-invalid-token", protocol: "parley.v1, bearer.not-a-token", effect: "Unauthorized"},
	{name: "connect-no-token", protocol: "parley.v1", effect: "Unauthorized"},
	{name: "connect-no-subprotocol", effect: "Unauthorized"},
}

func (r authorizerRequest) event(t *testing.T) string {
	t.Helper()
	var e struct {
		Type              string              `json:"type"`
		MethodArn         string              `json:"methodArn"`
		Headers           map[string]string   `json:"headers"`
		MultiValueHeaders map[string][]string `json:"multiValueHeaders"`
		Query             map[string]string   `json:"queryStringParameters"`
		MultiValueQuery   map[string][]string `json:"multiValueQueryStringParameters"`
		StageVariables    map[string]string   `json:"stageVariables"`
		RequestContext    map[string]any      `json:"requestContext"`
	}
	if err := json.Unmarshal([]byte(readEvent(t, "authorizer", "connect")), &e); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Sec-WebSocket-Protocol": r.protocol, "Origin": r.origin} {
		delete(e.Headers, name)
		delete(e.MultiValueHeaders, name)
		if value != "" {
			e.Headers[name], e.MultiValueHeaders[name] = value, []string{value}
		}
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// effectOf returns API Gateway's interpretation of the authorizer's response. A person who is let
// in must be in the context, with the end of the connection.
func effectOf(t *testing.T, answer string, err error) string {
	t.Helper()
	var failure *runtimestub.FunctionError
	if errors.As(err, &failure) {
		return failure.Message
	}
	if err != nil {
		t.Fatal(err)
	}
	var a events.APIGatewayCustomAuthorizerResponse
	if err := json.Unmarshal([]byte(answer), &a); err != nil || len(a.PolicyDocument.Statement) != 1 {
		t.Fatalf("%v\n%s", err, answer)
	}
	s := a.PolicyDocument.Statement[0]
	if s.Effect == "Allow" && (a.Context[config.ContextUser] != "amsg" || a.Context[config.ContextUntil] == "" || a.Context[config.ContextRenewable] == "" || a.PrincipalID != "amsg") {
		t.Errorf("the context is %v, of %q", a.Context, a.PrincipalID)
	}
	return s.Effect
}

// keyServer is an issuer whose keys are served as by identity providers.
type keyServer struct {
	address     string
	certificate string // a file
	dir         string
}

func newKeys(t *testing.T) *keyServer {
	t.Helper()
	k := &keyServer{dir: t.TempDir()}
	signer, err := issuer.Open(issuer.Config{Dir: k.dir, Clock: time.Now, Rand: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	jwks, err := signer.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	k.address = server.URL
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, k.address, k.address+"/keys")
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(jwks) })
	k.certificate = filepath.Join(t.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(k.certificate, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return k
}

// token returns a token of a person, valid for an hour from a given time.
func (k *keyServer) token(t *testing.T, clock func() time.Time) string {
	t.Helper()
	signer, err := issuer.Open(issuer.Config{Dir: k.dir, Clock: clock, Rand: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	token, err := signer.Token("amsg", time.Hour, issuer.Claim{Name: "iss", Value: k.address})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
