package functions_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/parley/internal/test/runtimestub"
)

const (
	userPool       = "us-east-1_canary"
	canaryClient   = "client-of-the-pool"
	canaryPassword = "correct horse battery staple"
)

// TestCanary_RunsAgainstAWholeServer runs the function's binary against chat serve, with a token of
// the server's issuer.
func TestCanary_RunsAgainstAWholeServer(t *testing.T) {
	s := newServer(t)
	aws := &signInStub{token: s.token(t, "canary")}
	fn := startCanary(t, s.url, aws)
	event := readEvent(t, "canary", "scheduled")
	checkAllUsed(t, "canary", []string{"scheduled"})

	for run := range 2 {
		if answer, err := invokeRaw(t, fn, event); err != nil || answer != "null" {
			t.Fatalf("run %d: %s, %v", run+1, answer, err)
		}
	}
	if rooms := s.get(t, "/people/me/rooms", aws.token); strings.Count(rooms, `"role":"owner"`) != 1 {
		t.Errorf("the canary's rooms after two runs: %s", rooms)
	}
	for _, tt := range []struct {
		name  string
		spoil func(*signInStub)
		says  string
	}{
		{"no password", func(a *signInStub) { a.noPassword = true }, "sign in: read the password"},
		{"another password", func(a *signInStub) { a.wrongPassword = true }, "NotAuthorizedException"},
		{"a password that must be changed", func(a *signInStub) { a.challenge = true }, "the user pool asks for more than a password"},
		{"a token of another person", func(a *signInStub) { a.token = "e30.e30.e30" }, "room: GET /people/me/rooms"},
	} {
		good := aws.token
		aws.set(tt.spoil)
		if answer, err := invokeRaw(t, fn, event); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %s, %v", tt.name, answer, err)
		}
		aws.set(func(a *signInStub) { *a = signInStub{token: good} })
	}
	s.stop(t)
	if answer, err := invokeRaw(t, fn, event); err == nil || !strings.Contains(err.Error(), "room: GET /people/me/rooms") {
		t.Errorf("without a server: %s, %v", answer, err)
	}
}

// startCanary starts the function with the variables of the template. Its log must not contain the
// credentials.
func startCanary(t *testing.T, url string, aws *signInStub) *runtimestub.Function {
	t.Helper()
	stub := httptest.NewServer(aws)
	t.Cleanup(stub.Close)
	var logs bytes.Buffer
	token := aws.token
	t.Cleanup(func() { // after the function has ended
		if text := logs.String(); strings.Contains(text, canaryPassword) || strings.Contains(text, token) || !strings.Contains(text, `"change":`) {
			t.Errorf("the log contains a secret, or no times:\n%s", text)
		}
	})
	env := environment(t, "canary", map[string]string{
		"Api.ApiEndpoint": url, "UserPool": userPool, "UserPoolClient": canaryClient, "AWS::StackName": "Parley",
	}, "")
	services := recorder.Proxy(t, "canary", stub.URL)
	env = append(env, "AWS_ENDPOINT_URL_SSM="+services, "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER="+services)
	return startLogged(t, "canary", runtimestub.Config{Command: build(t, "canary"), Env: env, Logs: &logs})
}

func invokeRaw(t *testing.T, fn *runtimestub.Function, event string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTime)
	defer cancel()
	answer, err := fn.Invoke(ctx, []byte(event))
	return string(answer), err
}

// signInStub stands in for Parameter Store and Cognito, which cannot run here.
type signInStub struct {
	mu            sync.Mutex
	token         string
	noPassword    bool
	wrongPassword bool
	challenge     bool
}

func (s *signInStub) set(change func(*signInStub)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := signInStub{token: s.token}
	change(&kept)
	s.token, s.noPassword, s.wrongPassword, s.challenge = kept.token, kept.noPassword, kept.wrongPassword, kept.challenge
}

func (s *signInStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var in struct {
		Name, UserPoolId, ClientId, AuthFlow string //nolint:revive // as AWS names them
		WithDecryption                       bool
		AuthParameters                       map[string]string
	}
	err := json.NewDecoder(r.Body).Decode(&in)
	fail := func(kind string) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"__type":%q,"message":"no"}`, kind)
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	target := r.Header.Get("X-Amz-Target")
	asked := in.UserPoolId == userPool && in.ClientId == canaryClient && in.AuthFlow == "ADMIN_USER_PASSWORD_AUTH" &&
		in.AuthParameters["USERNAME"] == "canary" && in.AuthParameters["PASSWORD"] == canaryPassword
	switch {
	case err != nil || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "):
		fail("InvalidRequest")
	case target == "AmazonSSM.GetParameter" && (s.noPassword || in.Name != "/Parley/canary" || !in.WithDecryption):
		fail("ParameterNotFound")
	case target == "AmazonSSM.GetParameter":
		_, _ = fmt.Fprintf(w, `{"Parameter":{"Name":%q,"Type":"SecureString","Value":%q}}`, in.Name, canaryPassword)
	case target != "AWSCognitoIdentityProviderService.AdminInitiateAuth" || s.wrongPassword || !asked:
		fail("NotAuthorizedException")
	case s.challenge:
		_, _ = io.WriteString(w, `{"ChallengeName":"NEW_PASSWORD_REQUIRED","Session":"x"}`)
	default:
		_, _ = fmt.Fprintf(w, `{"AuthenticationResult":{"AccessToken":%q,"ExpiresIn":300,"TokenType":"Bearer"}}`, s.token)
	}
}

// server is a chat serve with everything that it starts.
type server struct {
	binary, data, url string
	cmd               *exec.Cmd
}

func newServer(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{binary: filepath.Join(dir, "chat"), data: filepath.Join(dir, "data")}
	if out, err := exec.Command("go", "build", "-o", s.binary, "../cmd/chat").CombinedOutput(); err != nil {
		t.Fatalf("build chat: %v\n%s", err, out)
	}
	s.cmd = exec.Command(s.binary, "serve", "--addr", "127.0.0.1:0", "--data", s.data)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // it may already have ended
	lines := bufio.NewScanner(out)
	for lines.Scan() && s.url == "" {
		if url, ok := strings.CutPrefix(lines.Text(), "ready "); ok {
			s.url = strings.Fields(url)[0]
		}
	}
	if s.url == "" {
		t.Fatal("chat serve is not ready in time")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return s
}

func (s *server) token(t *testing.T, user string) string {
	t.Helper()
	out, err := exec.Command(s.binary, "token", "--data", s.data, "--user", user).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func (s *server) get(t *testing.T, path, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d, %v\n%s", path, res.StatusCode, err, text)
	}
	return string(text)
}

// stop stops the server and waits for it.
func (s *server) stop(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(testTime):
		t.Fatal("chat serve does not end")
	}
}
