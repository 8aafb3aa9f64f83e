//go:build extra

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"
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
