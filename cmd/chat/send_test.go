package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// sendLines runs chat send once.
func sendLines(t *testing.T, input string, args ...string) (out string, failed bool) {
	t.Helper()
	cmd := command(t, append([]string{"send"}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	text, err := cmd.CombinedOutput()
	return string(text), err != nil
}

// texts returns the texts of a room's messages, oldest first.
func texts(t *testing.T, page string) string {
	t.Helper()
	var body struct{ Items []struct{ Text string } }
	if err := json.Unmarshal([]byte(page), &body); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range body.Items {
		all = append(all, m.Text)
	}
	return strings.Join(all, "\n")
}

// flaky is a proxy that hides every second response to a post from the client, although the
// message was stored.
func flaky(t *testing.T, to string) (string, *atomic.Int64) {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	var posts atomic.Int64
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.Request.Method == http.MethodPost && posts.Add(1)%2 == 1 {
			r.StatusCode = http.StatusGatewayTimeout
			_ = r.Body.Close()
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2
			r.Header.Set("Content-Length", "2")
		}
		return nil
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL, &posts
}

func TestSendCmd_PostsEachLineOnceInOrder(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	proxy, posts := flaky(t, s.url)
	out, failed := sendLines(t, "one\r\n\ntwo\n   \n  three é\nlast without an end", "--url", proxy, "--as", "amsg", "--data", dir, "seattle")
	if failed || out != "chat: posted 4 messages\n" {
		t.Errorf("failed %v: %s", failed, out)
	}
	if got := texts(t, mustCall(t, 200, "GET", s.url+"/rooms/seattle/messages?order=asc", token, "")); got != "one\ntwo\n  three é\nlast without an end" {
		t.Errorf("the room has %q", got)
	}
	if n := posts.Load(); n != 8 {
		t.Errorf("%d posts, want 8: each is answered at the second attempt", n)
	}
}

func TestSendCmd_SaysWhereItStopped(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	local := []string{"--url", s.url, "--data", dir}
	for _, tt := range []struct {
		name, input string
		args        []string
		says        string
	}{
		{"a long line", "one\n" + strings.Repeat("x", 40_000) + "\nthree\n", []string{"--as", "amsg", "seattle"}, "line 2 is longer than a message"},
		{"not UTF-8", "one\n\xff\nthree\n", []string{"--as", "amsg", "seattle"}, "line 2: it is not UTF-8 (it is not posted; 1 messages were posted before it)"},
		{"an absent room", "one\n", []string{"--as", "amsg", "portland"}, "line 1: POST /rooms/portland/messages: 404"},
		{"a room that is none", "one\n", []string{"--as", "amsg", "a/b"}, "room"},
		{"nobody", "one\n", []string{"seattle"}, "--as"},
		{"a user that is none", "one\n", []string{"--as", "a b", "seattle"}, "user"},
		{"a wrong token", "one\n", []string{"--token", "xyz", "seattle"}, "line 1: POST /rooms/seattle/messages: 401"},
		{"no server", "one\n", []string{"--as", "amsg", "--url", "http://127.0.0.1:1", "--patience", "1s", "seattle"}, "(it may be posted; 0 messages"},
	} {
		if out, failed := sendLines(t, tt.input, append(local, tt.args...)...); !failed || !strings.Contains(out, tt.says) {
			t.Errorf("%s: failed %v, want %q in %s", tt.name, failed, tt.says, out)
		}
	}
	if got := texts(t, mustCall(t, 200, "GET", s.url+"/rooms/seattle/messages", token, "")); got != "one\none" {
		t.Errorf("the room has %q", got)
	}
	longest := strings.Repeat("x", 32<<10)
	if out, failed := sendLines(t, longest+"\r\n", append(local, "--token", token, "seattle")...); failed {
		t.Errorf("the longest line: %s", out)
	}
}

func TestTokenCmd_AsksTheServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, err := command(t, "token", "--as", "amsg", "--url", s.url, "--data", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	mustCall(t, 200, "GET", s.url+"/people/me", strings.TrimSpace(string(out)), "")
	text, err := command(t, "token", "--as", "amsg", "--url", s.url, "--data", dataDir(t)).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "the server does not accept the token: GET /people/me: 401") {
		t.Errorf("another folder's token: %v\n%s", err, text)
	}
	if text, err := command(t, "token", "--data", dir).CombinedOutput(); err == nil || !strings.Contains(string(text), "--as") {
		t.Errorf("no user: %v\n%s", err, text)
	}
}
