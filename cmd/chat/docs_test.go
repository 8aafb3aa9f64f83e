//go:build extra

package main

import (
	"os/exec"
	"strings"
	"testing"

	"parley/internal/httpapi"
)

// browser is Debian's Chromium. Only make test-extra needs it.
const browser = "chromium"

// TestServe_DocsPageShowsEveryOperation opens /docs in a real browser, which runs its script under
// the page's content policy, and checks the rendered page.
func TestServe_DocsPageShowsEveryOperation(t *testing.T) {
	s := serve(t, dataDir(t))
	page, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=5000", "--dump-dom", s.url+"/docs").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range httpapi.Routes() {
		if r.Public {
			continue
		}
		shown := `<span class="method">` + r.Method + `</span><code>` + r.Path + `</code>`
		if !strings.Contains(string(page), shown) {
			t.Errorf("the page does not show %s %s", r.Method, r.Path)
		}
	}
	if strings.Contains(string(page), "cannot be shown") || t.Failed() {
		t.Logf("the page:\n%s", page)
	}
}
