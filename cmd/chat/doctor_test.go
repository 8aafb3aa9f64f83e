package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// TestDoctor_ExitsAtABlocker runs the command against a stand-in for AWS, which knows or refuses
// the caller and supports nothing else.
func TestDoctor_ExitsAtABlocker(t *testing.T) {
	t.Parallel()
	const caller = `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:role/ada</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`
	const refusal = `<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>invalid</Message></Error></ErrorResponse>`
	signedIn := []string{"AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1"}
	for name, tt := range map[string]struct {
		args   []string
		env    []string
		answer string
		status int
		says   string
	}{
		"nothing in the way": {[]string{"--env", "dev"}, signedIn, caller, exitDone, "0 blockers, "},
		"refused":            {[]string{"--env", "dev"}, signedIn, refusal, exitFailed, "\n1 blocker, "},
		"not deployed":       {[]string{"--env", "dev", "--after", "--token", "x"}, signedIn, caller, exitFailed, "cloudformation:DescribeStacks"},
		"no token":           {[]string{"--env", "dev", "--after"}, signedIn, caller, exitFailed, "PARLEY_TOKEN"},
		"no environment":     {nil, signedIn, caller, exitUsage, "--env"},
		"another one":        {[]string{"--env", "test"}, signedIn, caller, exitUsage, "dev"},
		"no credentials":     {[]string{"--env", "dev"}, []string{"AWS_REGION=us-east-1"}, caller, exitFailed, "no AWS credentials"},
		"no Region":          {[]string{"--env", "dev"}, signedIn[:2], caller, exitFailed, "no region"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !strings.Contains(string(body), "GetCallerIdentity") || tt.answer == refusal {
					w.WriteHeader(http.StatusForbidden)
				}
				if strings.Contains(string(body), "GetCallerIdentity") {
					_, _ = io.WriteString(w, tt.answer)
				}
			}))
			t.Cleanup(server.Close)
			cmd := command(t, append([]string{"doctor"}, tt.args...)...)
			cmd.Env = append(append(cmd.Env, tt.env...), "AWS_ENDPOINT_URL="+server.URL)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if status := cmd.ProcessState.ExitCode(); status != tt.status || !strings.Contains(string(out), tt.says) {
				t.Errorf("status %d, want %d with %q:\n%s", status, tt.status, tt.says, out)
			}
		})
	}
}
