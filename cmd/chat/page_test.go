package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe_HasThePage asks a server for its page. The page is part of the command.
func TestServe_HasThePage(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	for path, want := range map[string]string{
		"/": `<div id="app">`, "/?dev": `<div id="app">`, "/client.js": "export{", "/config.json": `"kind": "local"`, "/openapi.json": `"openapi"`,
	} {
		if got := mustCall(t, 200, "GET", s.url+path, "", ""); !strings.Contains(got, want) {
			t.Errorf("GET %s: %.200s, want %s in it", path, got, want)
		}
	}
	for _, path := range []string{"/nothing", "/index.html", "/chunks/none.js"} {
		if got := mustCall(t, 404, "GET", s.url+path, "", ""); !strings.Contains(got, "urn:parley:problem:not-found") {
			t.Errorf("GET %s: %s, want the API's problem", path, got)
		}
	}
	mustCall(t, 404, "POST", s.url+"/", "", "{}")
	if page := s.line(t, "page  "); page != s.url+"/" {
		t.Errorf("the server prints the page %s, want %s/", page, s.url)
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
	mustCall(t, 404, "GET", s.url+"/client.js", "", "") // the built-in one is of another page
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dataDir(t), "--page", filepath.Join(dir, "none")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the folder of the page") {
		t.Errorf("a folder that does not exist: %v\n%s", err, out)
	}
}
