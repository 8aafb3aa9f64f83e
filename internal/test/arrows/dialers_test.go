package arrows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dialers are the packages that open connections or make HTTP clients, with the peers. Only
// internal/outgoing may open addresses that people wrote: it checks them after their names are
// resolved. The other peers are stated by the operator, by AWS or by the user of a program.
var dialers = map[string]string{
	"client":                  "the API that its user names",
	"cmd/chat":                "the API, issuer and account that the operator names",
	"functions/canary":        "the deployment's own API",
	"examples/commands":       "the deployment that its user names",
	"examples/github":         "the deployment that its user names",
	"examples/moderator":      "the deployment that its user names",
	"internal/apigw":          "the deployment's own management API",
	"internal/auth":           "the issuer in the settings",
	"internal/bucket":         "the deployment's own bucket",
	"internal/doctor":         "the deployment that the operator names",
	"internal/dynamo":         "the database",
	"internal/feedfn":         "the deployment's own queue",
	"internal/follow":         "the API that its user names",
	"internal/hookqueue":      "the deployment's own queue",
	"internal/local/engine":   "the engine of this machine, and its release",
	"internal/local/stream":   "the engine of this machine",
	"internal/local/throttle": "the engine of this machine",
	"internal/measure":        "the servers that it measures",
	"internal/outgoing":       "addresses that people wrote",
	"internal/pagefn":         "the deployment's own bucket and API",
	"internal/socketauth":     "the issuer in the settings",
}

// dialing are the names, by import path, that open connections or make clients.
var dialing = map[string][]string{
	"net":                        {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "DialUnix", "Dialer"},
	"net/http":                   {"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"},
	"crypto/tls":                 {"Dial", "DialWithDialer", "Dialer"},
	"github.com/coder/websocket": {"Dial"},
}

func TestDialers_AreListed(t *testing.T) {
	found := map[string]bool{}
	for _, line := range list(t, "{{.ImportPath}} {{.Dir}}", "./...") {
		path, dir, _ := strings.Cut(line, " ")
		pkg := strings.TrimPrefix(path, "example.com/parley/")
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(pkg, "internal/test/") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, use := range dials(t, string(text)) {
				found[pkg] = true
				if dialers[pkg] == "" {
					t.Errorf("%s uses %s, and is not in the list: state its peers, or use internal/outgoing for addresses that people wrote", pkg, use)
				}
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(dialers)) {
		if !found[pkg] {
			t.Errorf("%s is in the list, and opens no connection", pkg)
		}
	}
}

func TestDials(t *testing.T) {
	for text, want := range map[string]int{
		`import "net"; var d net.Dialer`:                               1,
		`import other "net"; var c, _ = other.Dial("tcp", "a:1")`:      1,
		`import "net/http"; var c = &http.Client{}`:                    1,
		`import "net/http"; var c = new(http.Client)`:                  1,
		`import "net/http"; func f() { http.Get("a"); http.Head("a")}`: 2,
		`import "crypto/tls"; var c, _ = tls.Dial("tcp", "a:1", nil)`:  1,
		`import "net/http"; func f(*http.Client, http.Header) {}`:      0,
		`import "example.com/http"; var c http.Client`:                 0,
	} {
		if got := dials(t, "package p; "+text); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

// dials returns the uses of dialing's names in a file. A pointer's type is no use: the client is
// made elsewhere.
func dials(t *testing.T, text string) (uses []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{} // by the name of the import
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = dialing[path]
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			return false
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && slices.Contains(names[pkg.Name], n.Sel.Name) {
				uses = append(uses, pkg.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return uses
}
