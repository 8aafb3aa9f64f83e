//go:build extra

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/httpapi"
)

// connectingPage opens a socket and reports to its server how that ended.
const connectingPage = `<!doctype html><script>
const report = text => fetch("/report?" + encodeURIComponent(text));
const ws = new WebSocket(%q, ["parley.v1", "bearer." + %q]);
ws.onopen = () => { report("open " + ws.protocol); ws.close(); };
ws.onerror = () => report("refused");
</script>`

// TestServe_BrowserConnectsFromAllowedOrigins runs a page in a real browser, which sends its origin
// and requires a subprotocol.
func TestServe_BrowserConnectsFromAllowedOrigins(t *testing.T) {
	dir := dataDir(t)
	reports := make(chan string, 10)
	var page string
	serves := func() *httptest.Server {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/report":
				reports <- r.URL.RawQuery
			case "/":
				w.Header().Set("Content-Type", "text/html")
				_, _ = fmt.Fprint(w, page)
			}
		}))
		t.Cleanup(site.Close)
		return site
	}
	allowed, foreign := serves(), serves()
	s := serve(t, dir, "--origin", allowed.URL)
	page = fmt.Sprintf(connectingPage, s.line(t, "live  "), tokenOf(t, dir, "amsg"))
	for _, c := range []struct{ name, url, want string }{
		{"an allowed origin", allowed.URL, "open%20parley.v1"},
		{"a foreign origin", foreign.URL, "refused"},
	} {
		cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+dataDir(t),
			"--remote-debugging-port=0", c.url)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-reports:
			if got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		case <-time.After(readyTime):
			t.Errorf("%s: the page reports nothing", c.name)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// browser is Debian's Chromium. Only make test-extra needs it.
const browser = "chromium"

// rendered returns a page after its script has run, in a real browser.
func rendered(t *testing.T, url string) string {
	t.Helper()
	page, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=5000", "--dump-dom", url).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestServe_DocsPageShowsEveryOperation opens /docs in a real browser, which runs its script under
// the page's content policy, and checks the rendered page.
func TestServe_DocsPageShowsEveryOperation(t *testing.T) {
	s := serve(t, dataDir(t))
	page := rendered(t, s.url+"/docs#post-message")
	for _, r := range httpapi.Routes() {
		if r.Operation == "" {
			continue
		}
		shown := `<span class="method">` + r.Method + `</span><code>` + r.Path + `</code>`
		if !strings.Contains(page, shown) {
			t.Errorf("the page does not show %s %s", r.Method, r.Path)
		}
	}
	for _, want := range []string{
		`<details id="post-message" open="">`, // the anchor
		`<code>text</code> <span class="required">required</span>`,
		"curl -sS -X POST '" + s.url + "/rooms/seattle/messages' -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{\"text\":\"hello\"}'",
		`<li><code>/problems/clock-skew</code></li>`,
		`<input id="filter"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %s", want)
		}
	}
	if strings.Count(page, ` open=""`) != 1 {
		t.Error("an operation other than the anchor's is open")
	}
	rooms, messages, members := strings.Index(page, `<section id="rooms">`), strings.Index(page, `<section id="messages">`), strings.Index(page, `<section id="members">`)
	if rooms < 0 || messages < rooms || members < messages {
		t.Errorf("the page does not begin with rooms and messages: %d, %d, %d", rooms, messages, members)
	}
	if strings.Contains(page, ">This page cannot be shown") {
		t.Error("the page reports an error")
	}
	if t.Failed() {
		t.Logf("the page:\n%.3000s", page)
	}
}
