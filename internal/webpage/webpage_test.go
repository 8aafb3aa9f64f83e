package webpage_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/webpage"
	"example.com/parley/web"
)

// elsewhere is the status of the handler behind the page.
const elsewhere = http.StatusTeapot

func newPage(t *testing.T, o webpage.Options) http.Handler {
	t.Helper()
	o.Next = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(elsewhere) })
	h, err := webpage.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// request sends a request with headers, which are given as name, value, name, value.
func request(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	var r io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// files returns the paths of the built-in files with their contents.
func files(t *testing.T) map[string]string {
	t.Helper()
	built, err := web.Files()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for name, text := range built {
		if name == "index.html" {
			name = ""
		}
		found["/"+name] = string(text)
	}
	return found
}

func TestNew_ServesEveryBuiltInFile(t *testing.T) {
	t.Parallel()
	where := config.Page{API: "https://api.example.com", AvatarHosts: []string{"pictures.example.com"}}
	h := newPage(t, webpage.Options{Page: where})
	types := map[string]string{"/": "text/html; charset=utf-8", "/client.js": "text/javascript; charset=utf-8", "/more.js": "text/javascript; charset=utf-8", "/files.js": "text/javascript; charset=utf-8", "/search.js": "text/javascript; charset=utf-8", "/notices.js": "text/javascript; charset=utf-8", "/cache.js": "text/javascript; charset=utf-8", "/scrub.js": "text/javascript; charset=utf-8", "/favicon.svg": "image/svg+xml", "/sw.js": "text/javascript; charset=utf-8", "/manifest.webmanifest": "application/manifest+json", "/icon.png": "image/png"}
	served := files(t)
	for path := range types {
		if served[path] == "" {
			t.Errorf("the build has no %s", path)
		}
	}
	for path, content := range served {
		for _, encoding := range []string{"", "gzip"} {
			res := request(h, http.MethodGet, path, "Accept-Encoding", encoding)
			if got := body(t, res); res.StatusCode != http.StatusOK || got != content || res.Header.Get("Content-Encoding") != encoding {
				t.Errorf("GET %s with %q: %d, %d bytes, want 200 and %d", path, encoding, res.StatusCode, len(got), len(content))
			}
			want := map[string]string{
				"Content-Security-Policy": where.Policy(), "X-Content-Type-Options": "nosniff",
				"Cross-Origin-Opener-Policy": "same-origin", "Permissions-Policy": config.PagePermissions,
				"Referrer-Policy": "no-referrer", "Vary": "Accept-Encoding", "Cache-Control": "no-cache", "Access-Control-Allow-Origin": "",
			}
			if strings.HasPrefix(path, "/assets/") {
				want["Cache-Control"], want["Content-Type"] = "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"
			}
			if strings.HasSuffix(path, ".css") {
				want["Content-Type"] = "text/css; charset=utf-8"
			}
			if slices.Contains([]string{"/client.js", "/more.js", "/files.js", "/search.js", "/notices.js", "/cache.js", "/scrub.js"}, path) {
				want["Access-Control-Allow-Origin"] = "*"
			}
			if types[path] != "" {
				want["Content-Type"] = types[path]
			}
			for name, value := range want {
				if got := res.Header.Get(name); got != value {
					t.Errorf("GET %s: %s is %q, want %q", path, name, got, value)
				}
			}
			again := request(h, http.MethodGet, path, "Accept-Encoding", encoding, "If-None-Match", res.Header.Get("Etag"))
			if again.StatusCode != http.StatusNotModified || again.Header.Get("Content-Security-Policy") == "" || body(t, again) != "" {
				t.Errorf("GET %s once more: %d", path, again.StatusCode)
			}
			head := request(h, http.MethodHead, path, "Accept-Encoding", encoding)
			if head.StatusCode != http.StatusOK || head.Header.Get("Etag") != res.Header.Get("Etag") || body(t, &http.Response{Body: head.Body}) != "" {
				t.Errorf("HEAD %s: %d", path, head.StatusCode)
			}
		}
	}
}

// TestNew_IndexNamesFilesThatExist reads the built-in page as a browser does.
func TestNew_IndexNamesFilesThatExist(t *testing.T) {
	t.Parallel()
	served := files(t)
	named := regexp.MustCompile(`(?:src|href)="(/[^"]*)"`).FindAllStringSubmatch(served["/"], -1)
	if len(named) < 4 {
		t.Fatalf("the page names %d files:\n%s", len(named), served["/"])
	}
	h := newPage(t, webpage.Options{})
	for _, n := range named {
		if res := request(h, http.MethodGet, n[1]); res.StatusCode != http.StatusOK {
			t.Errorf("the page names %s, which is answered with %d", n[1], res.StatusCode)
		}
	}
	for path, text := range served {
		for _, n := range regexp.MustCompile(`"(\.?\.?/[a-zA-Z0-9_./-]+\.js)"`).FindAllStringSubmatch(text, -1) {
			if path != "/" && served[joined(path, n[1])] == "" {
				t.Errorf("%s imports %s, which the build has not", path, n[1])
			}
		}
	}
	if inline := regexp.MustCompile(`<style|style="|<script>| on[a-z]+="`).FindString(served["/"]); inline != "" {
		t.Errorf("the page contains %s, which its policy forbids", inline)
	}
}

// joined returns the path that a script means by the name of another.
func joined(script, name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return path.Join(path.Dir(script), name)
}

func TestNew_PassesOnWhatIsNotThePages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"notes", "main.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []webpage.Options{{}, {Dir: dir}} {
		h := newPage(t, o)
		for _, c := range []struct{ method, path string }{
			{"GET", "/nothing"}, {"GET", "/assets"}, {"GET", "/assets/"}, {"GET", "/assets/none.js"}, {"GET", "/index.html"}, {"GET", "//client.js"},
			{"GET", "/../client.js"}, {"GET", "/%2e%2e/webpage.go"}, {"GET", "/client.js/"}, {"GET", "/notes"}, {"GET", "/main.go"}, {"GET", "/docs"},
			{"POST", "/"}, {"POST", "/config.json"}, {"OPTIONS", "/client.js"}, {"PUT", "/app.js"}, {"DELETE", "/app.css"},
		} {
			if res := request(h, c.method, c.path); res.StatusCode != elsewhere || res.Header.Get("Content-Security-Policy") != "" {
				t.Errorf("%s %s is answered by the page: %d", c.method, c.path, res.StatusCode)
			}
		}
	}
}

// TestNew_HidesNoRoute checks that no operation of the API has a path of the page.
func TestNew_HidesNoRoute(t *testing.T) {
	t.Parallel()
	h := newPage(t, webpage.Options{})
	for _, r := range httpapi.Routes() {
		if res := request(h, r.Method, r.Path); res.StatusCode != elsewhere {
			t.Errorf("%s %s is answered by the page", r.Method, r.Path)
		}
	}
}

func TestNew_Config(t *testing.T) {
	t.Parallel()
	want := config.Page{API: "https://api.example.com", Socket: "wss://live.example.com/live", Docs: "https://api.example.com/docs",
		SignIn:      config.PageSignIn{Kind: config.SignInOIDC, Authorize: "https://x/authorize", Token: "https://x/token", Logout: "https://x/logout", Revoke: "https://x/revoke", Client: "c", Scope: "openid"},
		AvatarHosts: []string{"pictures.example.com"}}
	res := request(newPage(t, webpage.Options{Page: want}), http.MethodGet, "/config.json")
	var got config.Page
	if err := json.Unmarshal([]byte(body(t, res)), &got); err != nil || !reflect.DeepEqual(got, want) || res.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the configuration is %+v, %v, want %+v", got, err, want)
	}
}

func TestNew_FolderIsReadAtEachRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newPage(t, webpage.Options{Dir: dir})
	if res := request(h, http.MethodGet, "/"); res.StatusCode != elsewhere {
		t.Errorf("an empty folder has a page: %d", res.StatusCode)
	}
	for _, text := range []string{"one", "two"} {
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		res := request(h, http.MethodGet, "/", "Accept-Encoding", "gzip")
		if got := body(t, res); got != text || res.Header.Get("Content-Encoding") != "gzip" || res.Header.Get("Cache-Control") != "no-store" || res.Header.Get("Content-Security-Policy") != (config.Page{}).Policy() {
			t.Errorf("the folder's page is %q with %v, want %q", got, res.Header, text)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "leak.js")); err != nil {
		t.Fatal(err)
	}
	if res := request(h, http.MethodGet, "/leak.js"); res.StatusCode == http.StatusOK {
		t.Error("a link leaves the folder")
	}
	if _, err := webpage.New(webpage.Options{Dir: filepath.Join(dir, "none")}); err == nil {
		t.Error("a folder that does not exist is accepted")
	}
}

func TestPage_PeopleSeeNoProblem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		headers    []string
		status     int
		html       bool
	}{
		{"a person who opens an unknown address", "/nonsense", []string{"Accept", "text/html,*/*;q=0.8"}, http.StatusNotFound, true},
		{"a person who has the document", "/nonsense", []string{"Accept", "text/html", "If-None-Match", "*"}, http.StatusNotFound, true},
		{"a person who opens an address of the API", "/rooms", []string{"Accept", "text/html"}, http.StatusUnauthorized, true},
		{"a person who opens what is there", "/docs", []string{"Accept", "text/html"}, http.StatusOK, false},
		{"a program", "/nonsense", []string{"Accept", "*/*"}, http.StatusNotFound, false},
		{"a program with a token", "/nonsense", []string{"Accept", "text/html", "Authorization", "Bearer x"}, http.StatusNotFound, false},
	} {
		next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.Header().Set("Cache-Control", "no-store")
			switch r.URL.Path {
			case "/nonsense":
				w.WriteHeader(http.StatusNotFound)
			case "/rooms":
				w.WriteHeader(http.StatusUnauthorized)
			}
			_, _ = io.WriteString(w, "{}")
		})
		h, err := webpage.New(webpage.Options{Next: next})
		if err != nil {
			t.Fatal(err)
		}
		res := request(h, http.MethodGet, c.path, c.headers...)
		text := body(t, res)
		isHTML := strings.Contains(text, `<a href="/">`) && strings.HasPrefix(res.Header.Get("Content-Type"), "text/html")
		if res.StatusCode != c.status || isHTML != c.html || !c.html && text != "{}" {
			t.Errorf("%s gets %d %s %q", c.name, res.StatusCode, res.Header.Get("Content-Type"), text)
		}
		if c.html && res.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s gets no policy", c.name)
		}
	}
}
