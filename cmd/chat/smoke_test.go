package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// smokeRun runs the command once.
func smokeRun(t *testing.T, url, token string, args ...string) (out string, failed bool) {
	t.Helper()
	cmd := command(t, append([]string{"smoke", "--url", url}, args...)...)
	cmd.Env = append(cmd.Env, "PARLEY_TOKEN="+token)
	text, err := cmd.CombinedOutput()
	if strings.Contains(string(text), token) && token != "" {
		t.Errorf("the output contains the token:\n%s", text)
	}
	return string(text), err != nil
}

var smokeSteps = regexp.MustCompile(`(?s)^room +\d+ ms +.*\nposition .*\npost +\d+ ms +201\nretry +\d+ ms +200, not stored twice\nread .*\nlist .*\nchange +\d+ ms +number \d+\ndelete +\d+ ms +.*\n$`)

// TestSmoke_Succeeds runs the steps twice. The second run uses the room of the first.
func TestSmoke_Succeeds(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "canary")
	for run := range 2 {
		out, failed := smokeRun(t, s.url, token)
		if failed || !smokeSteps.MatchString(out) {
			t.Fatalf("run %d: failed %v\n%s", run+1, failed, out)
		}
		if isNew := strings.Contains(out, " is new"); isNew != (run == 0) {
			t.Errorf("run %d created a room: %v", run+1, isNew)
		}
	}
	rooms := mustCall(t, 200, "GET", s.url+"/people/me/rooms", token, "")
	if strings.Count(rooms, `"role":"owner"`) != 1 {
		t.Errorf("rooms after the run: %s", rooms)
	}
	room := regexp.MustCompile(`p-[a-z0-9]+`).FindString(rooms)
	if left := mustCall(t, 200, "GET", s.url+"/rooms/"+room+"/messages", token, ""); strings.Contains(left, `"text":"smoke`) || strings.Count(left, `"deletedBy":"canary"`) != 2 {
		t.Errorf("messages after the run: %s", left)
	}
}

// TestSmoke_NamesTheBrokenStep puts a proxy that breaks one thing in front of a server.
func TestSmoke_NamesTheBrokenStep(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	tests := []struct {
		name   string
		broken breaker
		says   string
	}{
		{"a post without its id", breaker{request: edit("POST", "/messages", func(b map[string]any) { delete(b, "id") })}, "post: the response contains another message"},
		{"a retry that is stored again", breaker{response: func(r *http.Response) { r.Header.Del("Idempotent-Replay") }}, "retry: the retry was answered with 200; want 200 with Idempotent-Replay"},
		{"a page without the message", breaker{answer: edit("GET", "/messages", func(b map[string]any) { b["items"] = []any{} })}, "list: after 10s the message is not on the room's newest page"},
		{"a stream without a reader", breaker{answer: edit("GET", "/changes", func(b map[string]any) { b["items"], b["head"] = []any{}, 0 })}, "change: after 10s the message's change is not in the feed: check that the feed function reads the table's stream"},
		{"a feed with a hole", breaker{answer: edit("GET", "/changes", func(b map[string]any) {
			if all := b["items"].([]any); len(all) > 0 {
				b["items"] = all[1:]
			}
		})}, "change: the feed has a gap"},
		{"a feed of another generation", breaker{answer: edit("GET", "/changes", func(b map[string]any) { b["reset"] = true })}, "position: the feed does not continue"},
		{"no writes", breaker{refuse: "POST"}, `: 503: "out of order"`},
		{"no deletions", breaker{refuse: "DELETE"}, "delete: DELETE /rooms/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			user := "canary-" + strings.ReplaceAll(tt.name, " ", "-")
			token := tokenOf(t, dir, user)
			proxy := tt.broken.start(t, s.url)
			patience := "1m"
			if strings.Contains(tt.says, "after 10s") { // it is what ends these runs
				patience = "10s"
			}
			out, failed := smokeRun(t, proxy, token, "--patience", patience)
			if !failed || !strings.Contains(out, tt.says) {
				t.Errorf("failed %v, want %q in\n%s", failed, tt.says, out)
			}
			if deleted := strings.Contains(out, "the text is gone"); deleted != strings.Contains(out, "post ") && tt.broken.refuse == "" {
				t.Errorf("deleted: %v\n%s", deleted, out)
			}
		})
	}
}

func TestSmoke_ExplainsInvalidFlags(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	for name, tt := range map[string]struct{ url, token, says string }{
		"no token":          {s.url, "", "--token"},
		"a wrong token":     {s.url, "xyz", "room: GET /people/me/rooms?limit=200: 401: Unauthorized"},
		"two words":         {s.url, "Bearer xyz", "the token contains a space"},
		"no address":        {"seattle", "xyz", `the URL must be the API's address`},
		"a plain address":   {"http://api.example.com", "xyz", "the URL must be https, because the token is sent to it"},
		"no server":         {"http://127.0.0.1:1", "xyz", "connection refused"},
		"a page of the API": {s.url + "/docs?x=1", "xyz", `the URL must be the API's address`},
	} {
		if out, failed := smokeRun(t, tt.url, tt.token); !failed || !strings.Contains(out, tt.says) {
			t.Errorf("%s: failed %v, want %q in\n%s", name, failed, tt.says, out)
		}
	}
}

// breaker is a proxy that breaks one thing.
type breaker struct {
	request  func(method, path string, body []byte) []byte
	answer   func(method, path string, body []byte) []byte
	response func(*http.Response)
	refuse   string // a method for which the response is 503
}

// start starts the proxy in front of a server.
func (b breaker) start(t *testing.T, target string) string {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(u)
			r.Out.Header.Del("Accept-Encoding") // responses can be edited
			if b.request != nil {
				body, _ := io.ReadAll(r.In.Body)
				changed := b.request(r.In.Method, r.In.URL.Path, body)
				r.Out.Body, r.Out.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if b.response != nil {
				b.response(r)
			}
			if b.answer != nil {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return err
				}
				changed := b.answer(r.Request.Method, r.Request.URL.Path, body)
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
				r.Header.Del("Content-Length")
			}
			return nil
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == b.refuse {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "out of order")
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// edit returns a function that changes the JSON bodies of requests with a method and a path suffix.
func edit(method, suffix string, change func(map[string]any)) func(string, string, []byte) []byte {
	return func(m, path string, body []byte) []byte {
		var object map[string]any
		if m != method || !strings.HasSuffix(path, suffix) || json.Unmarshal(body, &object) != nil {
			return body
		}
		change(object)
		changed, err := json.Marshal(object)
		if err != nil {
			return body
		}
		return changed
	}
}

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

// benchRun runs a short load as a user of a data folder.
func benchRun(t *testing.T, dir, url string, args ...string) (out string, failed bool) {
	t.Helper()
	cmd := command(t, append([]string{"bench", "--url", url, "--data", dir, "--as", "ann", "--posts", "20", "--pages", "10", "--for", "1s"}, args...)...)
	text, err := cmd.CombinedOutput()
	return string(text), err != nil
}

var benchTable = regexp.MustCompile(`(?s)^requests +answered .*\nposts +20 +0 .*\npages +10 +0 .*\nall 20 acknowledged messages are in the room once\n$`)

// TestBench_VerifiesALoad runs a load as one person and as several. The room is deleted.
func TestBench_VerifiesALoad(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	for _, args := range [][]string{nil, {"--people", "3"}} {
		if out, failed := benchRun(t, dir, s.url, args...); failed || !benchTable.MatchString(out) {
			t.Errorf("%v: failed %v\n%s", args, failed, out)
		}
	}
	for _, user := range []string{"ann", "ann-1", "ann-3"} {
		if rooms := mustCall(t, 200, "GET", s.url+"/people/me/rooms", tokenOf(t, dir, user), ""); strings.Contains(rooms, `"bench-`) {
			t.Errorf("%s is still in a room: %s", user, rooms)
		}
	}
}

// TestBench_NamesWhatIsWrong puts a proxy that corrupts one thing in front of a server.
func TestBench_NamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	first := func(change func(all []any) []any) func(map[string]any) {
		return func(b map[string]any) {
			if all, ok := b["items"].([]any); ok && len(all) > 0 {
				b["items"] = change(all)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		broken breaker
		says   string
	}{
		{"a lost message", breaker{answer: edit("GET", "/messages", first(func(all []any) []any { return all[1:] }))}, "of 20 acknowledged messages 1 are missing"},
		{"a repeated message", breaker{answer: edit("GET", "/messages", first(func(all []any) []any { return append(all, all[0]) }))}, "1 are duplicated"},
		{"an unknown message", breaker{answer: edit("GET", "/messages", first(func(all []any) []any { return append(all, map[string]any{"id": "x"}) }))}, "1 are unknown"},
		{"no pages", breaker{refuse: "GET"}, `503: "out of order"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if out, failed := benchRun(t, dir, tt.broken.start(t, s.url)); !failed || !strings.Contains(out, tt.says) {
				t.Errorf("failed %v, want %q in\n%s", failed, tt.says, out)
			}
		})
	}
}

func TestBench_ExplainsInvalidFlags(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for says, args := range map[string][]string{
		"--people must be 1 to 1000":             {"--people", "0"},
		"--posts and --pages must not be":        {"--posts=-1"},
		"--for must be positive":                 {"--for", "0s"},
		"the URL must be the API's address":      {"--url", "seattle"},
		"--people needs --as, because one token": {"--as", "", "--people", "2"},
	} {
		if out, failed := benchRun(t, dir, "http://127.0.0.1:1", args...); !failed || !strings.Contains(out, says) {
			t.Errorf("%v: failed %v, want %q in\n%s", args, failed, says, out)
		}
	}
}
