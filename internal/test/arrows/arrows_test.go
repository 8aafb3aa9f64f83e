// Package arrows holds one test: which package may import which. Arrows
// run down, so that a change stays in the room it belongs to.
package arrows

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed lists, for every package, the packages of ours it may import. A name that ends
// in /... stands for a folder.
var allowed = map[string][]string{
	"internal/chat":           {"internal/policy"},
	"internal/policy":         {},
	"internal/problem":        {},
	"internal/config":         {},
	"internal/shard":          {},
	"internal/table":          {"internal/chat", "internal/policy", "internal/shard"},
	"internal/dynamo":         {"internal/chat", "internal/config", "internal/env", "internal/feed", "internal/policy", "internal/shard", "internal/table"},
	"internal/storetest":      {"internal/chat", "internal/policy"},
	"internal/httpapi":        {"internal/chat", "internal/policy", "internal/problem"},
	"internal/archive":        {"internal/chat"},
	"internal/gateway":        {"internal/problem"},
	"internal/auth":           {},
	"internal/arrows":         {},
	"internal/test/style":     {},
	"internal/rights":         {"internal/table"},
	"internal/test/chattest":  {"internal/test/tabletest", "internal/chat", "internal/dynamo", "internal/local/engine/enginetest", "internal/policy", "internal/rights"},
	"internal/test/tabletest": {"internal/dynamo", "internal/local/engine/enginetest"},
	"internal/runtimestub":    {},
	"internal/faults":         {},
	"internal/history":        {},
	"internal/measure":        {"internal/chat", "internal/config", "internal/dynamo", "internal/feed", "internal/httpapi", "internal/runtimestub", "internal/table"},
	"internal/local/...":      {"internal/auth", "internal/config", "internal/gateway", "internal/local/..."},
	"internal/feed":           {"internal/chat"},
	"internal/feed/feedtest":  {"internal/dynamo", "internal/local/stream"},
	"internal/model":          {},
	"internal/queue":          {"internal/feed"},
	"internal/scan":           {"internal/table"},
	"internal/restore":        {"internal/chat", "internal/dynamo", "internal/policy", "internal/scan", "internal/shard", "internal/table"},
	"internal/repair":         {"internal/chat", "internal/feed", "internal/scan", "internal/table"},
	"internal/wiring":         {"internal/chat", "internal/config", "internal/dynamo", "internal/env", "internal/gateway", "internal/httpapi"},
	"internal/consumer":       {"internal/config", "internal/dynamo", "internal/env", "internal/feed", "internal/queue"},
	"internal/env":            {},
	"internal/smoke":          {},
	"internal/canary":         {"internal/config", "internal/env", "internal/smoke"},
	"internal/docs":           {},
	"functions/...":           {"internal/canary", "internal/consumer", "internal/gateway", "internal/httpapi", "internal/wiring"},
	"infra/...":               {"infra/...", "internal/config", "internal/docs", "internal/httpapi", "internal/table"},
	"cmd/chat":                {"internal/..."},
	"cmd/docs":                {"internal/docs", "internal/problem", "internal/runtimestub"},
	"internal/bill":           {},
	"cmd/bench":               {"internal/bill", "internal/dynamo", "internal/httpapi", "internal/local/...", "internal/measure"},
}

// forbidden lists what a package may not reach, by whatever way.
var forbidden = map[string][]string{
	"internal/chat":    {"net/http", "github.com/aws/", "github.com/go-json-experiment/"},
	"internal/config":  {"net/http", "github.com/", "golang.org/"},
	"internal/problem": {"encoding/json", "github.com/"},
	"internal/shard":   {"net/http", "encoding/json", "github.com/aws/"},
	"internal/httpapi": {"github.com/aws/"},
	"internal/gateway": {"parley/internal/chat"},
	"internal/dynamo":  {"github.com/aws/aws-sdk-go-v2/config", "github.com/aws/aws-sdk-go-v2/credentials", "github.com/aws/aws-sdk-go-v2/credentials/"},
	"functions/write":  {"parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "html/template", "text/template", "github.com/getkin/"},
	"functions/feed":   {"parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "parley/internal/httpapi", "github.com/danielgtaylor/huma/"},
	"functions/read":   {"parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "html/template", "text/template", "github.com/getkin/"},
}

func TestArrowsRunDown(t *testing.T) {
	for _, line := range list(t, "{{.ImportPath}} {{join .Imports \" \"}}", "./...") {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], "parley/")
		if pkg == "parley" {
			continue
		}
		may, ok := allowed[pattern(pkg)]
		if !ok {
			t.Errorf("%s is not in the list: say what it may import", pkg)
		}
		for _, imported := range fields[1:] {
			ours, isOurs := strings.CutPrefix(imported, "parley/")
			if isOurs && !slices.ContainsFunc(may, func(p string) bool { return matches(p, ours) }) {
				t.Errorf("%s imports %s", pkg, ours)
			}
		}
	}
}

func TestForbiddenPackagesAreNotReached(t *testing.T) {
	for pkg, names := range forbidden {
		for _, dep := range list(t, "{{.ImportPath}}", "-tags", "lambda.norpc", "-deps", "./"+pkg) {
			for _, name := range names {
				if dep == name || strings.HasSuffix(name, "/") && strings.HasPrefix(dep, name) {
					t.Errorf("%s reaches %s", pkg, dep)
				}
			}
		}
	}
}

// TestNoFunctionScans looks into the code of ours that each function links: a scan reads, and bills,
// everything that there is.
func TestNoFunctionScans(t *testing.T) {
	for _, function := range []string{"functions/write", "functions/read", "functions/feed"} {
		for _, line := range list(t, "{{.ImportPath}} {{.Dir}} {{join .GoFiles \" \"}}", "-tags", "lambda.norpc", "-deps", "./"+function) {
			fields := strings.Fields(line)
			if !strings.HasPrefix(fields[0], "parley/") {
				continue
			}
			for _, name := range fields[2:] {
				text, err := os.ReadFile(filepath.Join(fields[1], name))
				if err != nil {
					t.Fatal(err)
				}
				if scans(string(text)) {
					t.Errorf("%s links %s of %s, which scans", function, name, fields[0])
				}
			}
		}
	}
	text, err := os.ReadFile("../scan/scan.go")
	if err != nil || !scans(string(text)) {
		t.Errorf("the operator's scan is not seen as one: %v", err)
	}
}

func scans(text string) bool {
	return strings.Contains(text, "dynamodb.ScanInput") || strings.Contains(text, "dynamodb.NewScanPaginator")
}

// pattern is the key under which a package stands in the list.
func pattern(pkg string) string {
	for key := range allowed {
		if matches(key, pkg) {
			return key
		}
	}
	return ""
}

func matches(pattern, pkg string) bool {
	folder, isFolder := strings.CutSuffix(pattern, "/...")
	return pkg == folder || isFolder && strings.HasPrefix(pkg, folder+"/")
}

func list(t *testing.T, format string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-f", format}, args...)...)
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
