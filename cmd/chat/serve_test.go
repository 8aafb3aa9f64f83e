package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

func TestServe_ChecksTokens(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	good := tokenOf(t, dir, "amsg")
	head, rest, _ := strings.Cut(good, ".")
	for name, token := range map[string]string{
		"none": "", "garbage": "x", "cut": good[:len(good)-9], "another issuer's": tokenOf(t, dataDir(t), "amsg"), "alg none": "eyJhbGciOiJub25lIn0." + rest, "no body": head + "..",
	} {
		text := mustCall(t, 401, "PUT", s.url+"/rooms/seattle", token, "")
		if text != `{"message":"Unauthorized"}` {
			t.Errorf("%s: %s", name, text)
		}
	}
	mustCall(t, 200, "GET", s.url+"/openapi.json", "", "")
	mustCall(t, 200, "GET", s.url+"/docs", "", "")
	mustCall(t, 404, "GET", s.url+"/nothing", good, "")
	mustCall(t, 404, "GET", s.url+"/rooms/seattle", good, "")
	if logs := s.logs.String(); strings.Contains(logs, good) || strings.Contains(logs, rest) {
		t.Error("the log contains a token")
	}
}

func TestServe_RefusesAFolderInUse(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dir).CombinedOutput()
	want := fmt.Sprintf("folder %s is in use by process %d: stop it with Ctrl-C, or choose another", dir, s.cmd.Process.Pid)
	if text := string(out); err == nil || !strings.Contains(text, want) || strings.Count(text, "\n") != 1 {
		t.Errorf("second server: %v\n%s", err, out)
	}
	mustCall(t, 200, "GET", s.url+"/openapi.json", "", "")
}

// TestServe_AddressInUse uses the address of a running server, with the command and with make,
// which must fail before it installs and builds.
func TestServe_AddressInUse(t *testing.T) {
	t.Parallel()
	addr := strings.TrimPrefix(serve(t, dataDir(t)).url, "http://")
	again := exec.CommandContext(t.Context(), "make", "-C", "../..", "run", "ADDR="+addr)
	again.Env = append(os.Environ(), "MAKEFLAGS=")
	for _, cmd := range []*exec.Cmd{again, command(t, "serve", "--addr", addr, "--data", dataDir(t))} {
		out, err := cmd.CombinedOutput()
		if text := string(out); err == nil || !strings.Contains(text, "in use") || !strings.Contains(text, "ADDR=") || !strings.Contains(text, "DATA=") || strings.Contains(text, "go build") {
			t.Errorf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
}

func TestServe_EnginePort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dataDir(t), "--engine-port", port).CombinedOutput()
	if err == nil || !strings.Contains(string(out), port+": the port is in use") {
		t.Errorf("port in use: %v\n%s", err, out)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := serve(t, dataDir(t), "--engine-port", port)
	if line := s.line(t, "table "); !strings.Contains(line, addr) || !strings.Contains(line, "every web page on this machine") {
		t.Errorf("it prints %q", line)
	}
	if _, _, err := call(t.Context(), "GET", "http://"+addr, "", ""); err != nil {
		t.Errorf("the engine does not answer at %s: %v", addr, err)
	}
}

func TestRun_ExplainsMistakes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"no command":                {nil, "serve"},
		"unknown command":           {[]string{"dance"}, "dance"},
		"no user":                   {[]string{"token"}, "--user"},
		"invalid origin":            {[]string{"serve", "--origin", "http://localhost:3000/", "--data", dataDir(t)}, "--origin"},
		"invalid host of pictures":  {[]string{"serve", "--avatar-host", "https://pictures.example.com", "--data", dataDir(t)}, "--avatar-host must be"},
		"invalid creator":           {[]string{"serve", "--room-creators", "ann,b#b", "--data", dataDir(t)}, "--room-creators"},
		"an invalid user":           {[]string{"token", "--user", "a#b", "--data", dataDir(t)}, "user"},
		"an engine for all":         {[]string{"serve", "--engine-host", "0.0.0.0", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine on the internet": {[]string{"serve", "--engine-host", "203.0.113.7", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine by a name":       {[]string{"serve", "--engine-host", "docker0", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine at no address":   {[]string{"serve", "--engine-host", "", "--engine-port", "8000", "--data", dataDir(t)}, "--engine-host must be"},
		"an engine without a port":  {[]string{"serve", "--engine-host", "172.17.0.1", "--data", dataDir(t)}, "--engine-host needs --engine-port"},
		"a table without capacity":  {[]string{"serve", "--table-writes=-1", "--data", dataDir(t)}, "--table-writes: a table has"},
		"an address in use":         {[]string{"serve", "--addr", "127.0.0.1:1", "--data", dataDir(t)}, "127.0.0.1:1"},
	} {
		if name == "an address in use" && os.Geteuid() == 0 {
			continue // root may listen on this port
		}
		out, err := command(t, tt.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), tt.says) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	if out, err := command(t, "--help").CombinedOutput(); err != nil || !strings.Contains(string(out), "import") {
		t.Errorf("help: %v\n%s", err, out)
	}
}

func TestServe_RoomCreators(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--room-creators", "ann, bob")
	for user, status := range map[string]int{"ann": 201, "bob": 201, "eve": 403} {
		mustCall(t, status, "PUT", s.url+"/rooms/of-"+user, tokenOf(t, dir, user), "")
		mustCall(t, status, "POST", s.url+"/rooms", tokenOf(t, dir, user), `{"visibility":"private","name":"x"}`)
	}
}

// raw sends a request without decompressing the response or following a redirect.
func raw(t *testing.T, method, url string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, text
}

// An unknown path and an unknown method reach a function with a token, with and without configured
// origins. Without a token, API Gateway answers.
func TestServe_UnknownPathsAndPreflights(t *testing.T) {
	t.Parallel()
	const page = "https://chat.example"
	for _, origins := range [][]string{nil, {"--origin", page}} {
		dir := dataDir(t)
		s := serve(t, dir, origins...)
		token := "Bearer " + tokenOf(t, dir, "amsg")
		for request, status := range map[string]int{
			"GET /nothing": 404, "GET /rooms//messages": 404, "DELETE /docs": 405, "PATCH /rooms/seattle/messages": 405, "HEAD /people/me": 200,
		} {
			method, path, _ := strings.Cut(request, " ")
			resp, text := raw(t, method, s.url+path, "Origin", page, "Authorization", token)
			if resp.StatusCode != status || (status == 405) != (resp.Header.Get("Allow") != "") {
				t.Errorf("%v %s: %d %s %v", origins, request, resp.StatusCode, text, resp.Header)
			}
			if stranger, _ := raw(t, method, s.url+path); stranger.StatusCode != http.StatusUnauthorized {
				t.Errorf("%v %s without a token: %d", origins, request, stranger.StatusCode)
			}
			if allowed := resp.Header.Get("Access-Control-Allow-Origin"); (allowed == page) != (origins != nil) {
				t.Errorf("%v %s: allowed origin %q", origins, request, allowed)
			}
		}
		resp, _ := raw(t, http.MethodOptions, s.url+"/rooms/seattle/messages", "Origin", page, "Access-Control-Request-Method", "POST")
		if origins == nil && resp.StatusCode != http.StatusNotFound {
			t.Errorf("preflight without origins: %d", resp.StatusCode)
		}
		if origins != nil && (resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Methods") != "DELETE,GET,HEAD,PATCH,POST,PUT" ||
			resp.Header.Get("Access-Control-Allow-Headers") != strings.Join(config.AllowedHeaders(), ",") || resp.Header.Get("Access-Control-Max-Age") != "3600") {
			t.Errorf("preflight: %d %v", resp.StatusCode, resp.Header)
		}
	}
}

func TestServe_DocumentsAreCompressedAndCached(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	resp, packed := raw(t, http.MethodGet, s.url+"/openapi.json", "Accept-Encoding", "gzip")
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%v: %v", resp.Header, err)
	}
	if text, err := io.ReadAll(unpacked); err != nil || !strings.Contains(string(text), `"openapi":"3.1.0"`) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	conditional, text := raw(t, http.MethodGet, s.url+"/openapi.json", "Accept-Encoding", "gzip", "If-None-Match", resp.Header.Get("Etag"))
	if conditional.StatusCode != http.StatusNotModified || len(text) > 0 {
		t.Errorf("conditional request: %d with %d bytes", conditional.StatusCode, len(text))
	}
}

// TestServe_HasThePage requests a server's page. The page is part of the command.
func TestServe_HasThePage(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	for path, want := range map[string]string{
		"/": `<div id="app">`, "/?dev": `<div id="app">`, "/client.js": "export{", "/config.json": `"kind": "local"`, "/openapi.json": `"openapi"`,
	} {
		if got := mustCall(t, 200, "GET", s.url+path, "", ""); !strings.Contains(got, want) {
			t.Errorf("GET %s: %.200s, want %s in it", path, got, want)
		}
	}
	for _, path := range []string{"/nothing", "/index.html", "/assets/none.js"} {
		if got := mustCall(t, 404, "GET", s.url+path, tokenOf(t, dir, "amsg"), ""); !strings.Contains(got, "/problems/not-found") {
			t.Errorf("GET %s: %s, want the API's problem", path, got)
		}
	}
	mustCall(t, 404, "POST", s.url+"/", "", "{}")
	if page := s.line(t, "page  "); page != s.url+"/" {
		t.Errorf("the server prints the page %s, want %s/", page, s.url)
	}
}

// TestServe_PageShowsPicturesOfAllowedHosts checks that the page's configuration names the hosts,
// and that its policy allows no other.
func TestServe_PageShowsPicturesOfAllowedHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ flags, hosts, sources string }{
		{"", "", "'self' blob:"},
		{"--avatar-host=a.example --avatar-host=b.example", "a.example b.example", "'self' blob: https://a.example https://b.example"},
	} {
		s := serve(t, dataDir(t), strings.Fields(c.flags)...)
		res, err := http.Get(s.url + "/config.json")
		if err != nil {
			t.Fatal(err)
		}
		var told config.Page
		err = json.NewDecoder(res.Body).Decode(&told)
		_ = res.Body.Close()
		if err != nil || strings.Join(told.AvatarHosts, " ") != c.hosts {
			t.Errorf("with %q, the page receives %q, %v", c.flags, told.AvatarHosts, err)
		}
		if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "; img-src "+c.sources+";") {
			t.Errorf("with %q, the policy is %s", c.flags, policy)
		}
	}
}

func TestServe_PageOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("a page at work"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, dataDir(t), "--page", dir)
	if got := mustCall(t, 200, "GET", s.url+"/", "", ""); got != "a page at work" {
		t.Errorf("the page is %q", got)
	}
	mustCall(t, 401, "GET", s.url+"/client.js", "", "") // the built-in policy is another page's
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dataDir(t), "--page", filepath.Join(dir, "none")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the folder of the page") {
		t.Errorf("a folder that does not exist: %v\n%s", err, out)
	}
}
