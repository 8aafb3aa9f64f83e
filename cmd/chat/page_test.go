package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

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
