// Package arrows holds one test: which package may import which. Arrows
// run down, so that a change stays in the room it belongs to.
package arrows

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The floors of the domain. A capability has a service and a store of its own, builds on the
// chat, and imports no other capability. The capabilities in ownCalls are above the store: they
// have rows of their own and call the table.
var (
	chat         = []string{"internal/chat", "internal/digest", "internal/expiring", "internal/policy", "internal/visual"}
	capabilities = []string{"internal/direct", "internal/feed", "internal/growth", "internal/membership", "internal/privateroom", "internal/ratelimit"}
	domain       = slices.Concat(chat, capabilities)
	ownCalls     = []string{"internal/account", "internal/activity", "internal/attachment", "internal/block", "internal/document", "internal/erase", "internal/hook", "internal/inbox", "internal/incoming", "internal/invite", "internal/mention", "internal/notify", "internal/people", "internal/picture", "internal/pin", "internal/poll", "internal/reaction", "internal/report", "internal/saved", "internal/thread"}
	services     = slices.Concat(domain, ownCalls)
	store        = []string{"internal/dynamo", "internal/table"}
)

// allowed lists, for every package, the packages of ours it may import. A name that ends
// in /... stands for a folder.
var allowed = map[string][]string{
	"api":                  {},
	"internal/policy":      {},
	"internal/shard":       {},
	"internal/problem":     {},
	"internal/config":      {},
	"internal/publickey":   {},
	"internal/expiring":    {},
	"internal/gate":        {},
	"internal/tokenbucket": {"internal/expiring"},
	"internal/digest":      {},
	"internal/outgoing":    {},
	"internal/visual":      {},
	"internal/timetext":    {},
	"internal/chat":        {"internal/digest", "internal/expiring", "internal/policy", "internal/timetext", "internal/tokenbucket", "internal/visual"},
	"internal/account":     slices.Concat(chat, store, []string{"internal/expiring", "internal/ratelimit"}),
	"internal/activity":    with(chat, store...),
	"internal/attachment":  slices.Concat(chat, store, []string{"internal/bucket", "internal/config", "internal/feed", "internal/tally"}), // its projection
	"internal/block":       slices.Concat(chat, store, []string{"internal/expiring"}),
	"internal/direct":      chat,
	"internal/document":    with(chat, store...),
	"internal/erase":       slices.Concat(chat, store, []string{"internal/account", "internal/bucket", "internal/picture"}), // an account asks for it
	"internal/feed":        chat,
	"internal/growth":      with(chat, "internal/expiring", "internal/feed", "internal/shard"),                                                                // follows the rate of batches
	"internal/hook":        slices.Concat(chat, store, []string{"internal/account", "internal/feed", "internal/outgoing", "internal/timer", "internal/wire"}), // a cursor on feeds
	"internal/timer":       with(store, "internal/chat"),
	"internal/inbox":       slices.Concat(chat, store, []string{"internal/feed", "internal/notify"}),      // counts by the feed, and keeps levels
	"internal/incoming":    slices.Concat(chat, store, []string{"internal/people", "internal/slacktext"}), // whose profiles name bots
	"internal/invite":      with(chat, store...),
	"internal/membership":  chat,
	"internal/mention":     slices.Concat(chat, store, []string{"internal/feed"}), // its projection
	"internal/notify":      with(chat, store...),
	"internal/people":      with(chat, store...),
	"internal/picture":     slices.Concat(chat, store, []string{"internal/account", "internal/attachment", "internal/bucket", "internal/people"}), // whose profiles name pictures
	"internal/pin":         slices.Concat(chat, store, []string{"internal/feed"}),                                                                 // deletions unpin
	"internal/poll":        with(chat, store...),
	"internal/privateroom": chat,
	"internal/quote":       chat,
	"internal/ratelimit":   with(chat, "internal/expiring"),
	"internal/reaction":    slices.Concat(chat, store, []string{"internal/emoji"}),
	"internal/report":      with(chat, store...),
	"internal/saved":       with(chat, store...),
	"internal/search":      with(chat, "internal/block", "internal/bucket", "internal/feed", "internal/thread"), // its index follows the feed
	"internal/thread":      slices.Concat(chat, store, []string{"internal/feed"}),                               // counts by the feed, and rows that follow from it
	"internal/app":         with(services, "internal/bucket", "internal/dynamo", "internal/live", "internal/outgoing", "internal/picture", "internal/quote", "internal/search"),

	"internal/bucket":              {"internal/config"},
	"internal/attachment/transfer": {"internal/attachment", "internal/bucket", "internal/chat", "internal/dynamo"},

	"internal/emoji":     {},
	"internal/slacktext": {"internal/emoji"},
	"internal/tally":     {"internal/chat", "internal/feed"},
	"internal/stream":    {"internal/account", "internal/block", "internal/chat", "internal/feed", "internal/inbox", "internal/mention", "internal/policy", "internal/poll", "internal/reaction", "internal/table", "internal/thread"},
	"internal/live":      slices.Concat(store, []string{"internal/chat", "internal/emoji", "internal/expiring", "internal/feed", "internal/policy", "internal/wire"}),
	"internal/wire":      {"internal/chat", "internal/emoji", "internal/feed", "internal/timetext"},
	"internal/apigw":     {"internal/live"},

	"internal/table":     with(domain, "internal/shard", "internal/tally", "internal/timetext"),
	"internal/dynamo":    with(domain, "internal/config", "internal/gate", "internal/shard", "internal/table", "internal/tally"),
	"internal/explain":   {"internal/chat", "internal/problem", "internal/wire"},
	"internal/httpapi":   with(services, "api", "internal/app", "internal/bucket", "internal/config", "internal/explain", "internal/gate", "internal/problem", "internal/search", "internal/webpage", "internal/wire"),
	"internal/gateway":   {"internal/problem"},
	"internal/auth":      {"internal/config", "internal/publickey"},
	"internal/apifn":     {"internal/activity", "internal/app", "internal/attachment", "internal/bucket", "internal/chat", "internal/config", "internal/dynamo", "internal/gateway", "internal/hook", "internal/httpapi", "internal/live", "internal/outgoing", "internal/people", "internal/ratelimit", "internal/search"},
	"internal/outboxfn":  {"internal/config", "internal/dynamo", "internal/hook", "internal/hookqueue", "internal/stream", "internal/table"},
	"internal/deliverfn": {"internal/chat", "internal/config", "internal/dynamo", "internal/feed", "internal/hook", "internal/hookqueue", "internal/outgoing"},
	"internal/hookqueue": {"internal/chat", "internal/config", "internal/hook"},
	"internal/feedfn":    {"internal/attachment", "internal/block", "internal/bucket", "internal/chat", "internal/config", "internal/dynamo", "internal/erase", "internal/stream", "internal/growth", "internal/live", "internal/membership", "internal/mention", "internal/pin", "internal/apigw", "internal/tally", "internal/thread"},

	"internal/socketapi":  with(services, "internal/config", "internal/explain", "internal/live", "internal/problem", "internal/tokenbucket", "internal/wire"),
	"internal/socketauth": {"internal/auth", "internal/chat", "internal/config", "internal/problem"},
	"internal/socketfn":   {"internal/account", "internal/block", "internal/chat", "internal/config", "internal/dynamo", "internal/inbox", "internal/live", "internal/apigw", "internal/ratelimit", "internal/socketapi", "internal/socketauth"},

	"web":              {},
	"internal/webpage": {"internal/config", "web"},

	"internal/pagefn": {"internal/config", "internal/webpage", "web"},

	"client":           {"internal/follow", "internal/problem"}, // which other programs import
	"internal/follow":  {},
	"internal/smoke":   {"client"},
	"internal/loadgen": {"client", "internal/follow"},
	"functions/...":    {"internal/apifn", "internal/config", "internal/deliverfn", "internal/feedfn", "internal/gateway", "internal/httpapi", "internal/outboxfn", "internal/pagefn", "internal/smoke", "internal/socketauth", "internal/socketfn"},

	"internal/local/...":         {"internal/auth", "internal/bucket", "internal/config", "internal/gateway", "internal/local/...", "internal/problem", "internal/publickey", "internal/table"},
	"internal/archive":           with(chat, "internal/account", "internal/attachment/transfer", "internal/digest", "internal/direct", "internal/dynamo", "internal/membership", "internal/people", "internal/reaction", "internal/table"),
	"internal/archive/slack":     {"internal/archive", "internal/attachment/transfer", "internal/chat", "internal/slacktext"},
	"internal/archive/irc":       {"internal/archive", "internal/chat"},
	"internal/scan":              {"internal/table"},
	"internal/repair":            {"internal/attachment", "internal/bucket", "internal/chat", "internal/dynamo", "internal/feed", "internal/people", "internal/picture", "internal/scan", "internal/search", "internal/stream", "internal/table"},
	"internal/purge":             {"internal/chat", "internal/document", "internal/dynamo", "internal/incoming", "internal/mention", "internal/report", "internal/scan", "internal/table"},
	"internal/restore":           with(services, "internal/archive", "internal/dynamo", "internal/scan", "internal/shard", "internal/table"),
	"internal/demo":              with(services, "internal/app", "internal/attachment/transfer", "internal/dynamo"),
	"internal/docs":              {},
	"internal/doctor":            {"client", "infra/config", "internal/auth", "internal/chat", "internal/config", "internal/ratelimit"}, // of the stack, only its settings
	"internal/bill":              {"internal/chat", "internal/config", "internal/live", "internal/ratelimit"},
	"internal/measure":           with(services, "client", "internal/app", "internal/bucket", "internal/config", "internal/dynamo", "internal/feedfn", "internal/stream", "internal/follow", "internal/gateway", "internal/httpapi", "internal/live", "internal/local/bucket", "internal/local/issuer", "internal/apigw", "internal/measure/searching", "internal/measure/steps", "internal/mention", "internal/shard", "internal/table", "internal/tally", "internal/test/runtimestub"),
	"internal/measure/searching": with(chat, "internal/archive", "internal/archive/irc", "internal/archive/slack", "internal/bucket", "internal/dynamo", "internal/feed", "internal/local/bucket", "internal/search", "internal/thread"),
	"internal/measure/steps":     {},
	"infra/...":                  {"infra/...", "internal/bill", "internal/config", "internal/docs", "internal/hook", "internal/httpapi", "internal/live", "internal/picture", "internal/publickey", "internal/search", "internal/socketapi", "internal/table", "internal/timer", "web"},
	"cmd/chat":                   {"api", "client", "infra/config", "infra/settings", "internal/..."},
	"cmd/docs":                   {"internal/docs", "internal/problem", "internal/test/runtimestub"},
	"examples/bot":               {"client"},
	"examples/commands":          {"client"},
	"examples/github":            {},
	"examples/moderator":         {"client"},
	"examples/tokens":            {},
	"cmd/bench":                  {"internal/bill", "internal/dynamo", "internal/httpapi", "internal/local/...", "internal/measure"},

	"internal/test/archivetest":  {"internal/archive", "internal/chat"},
	"internal/test/arrows":       {},
	"internal/test/asyncapitest": {"api"},
	"internal/test/buckettest":   {"internal/bucket", "internal/dynamo", "internal/local/bucket"},
	"internal/test/chattest":     with(services, "internal/app", "internal/dynamo", "internal/live", "internal/test/buckettest", "internal/test/enginetest", "internal/test/rights", "internal/test/tabletest"),
	"internal/test/enginetest":   {"internal/local/engine"},
	"internal/test/faults":       {},
	"internal/test/hostile":      {},
	"internal/test/flood":        {},
	"internal/test/feedtest":     {"internal/dynamo", "internal/local/stream"},
	"internal/test/history":      {},
	"internal/test/race":         {},
	"internal/test/model":        {},
	"internal/test/nightly":      {},
	"internal/test/owntokens":    {"internal/config", "internal/publickey"},
	"internal/test/requests":     {},
	"internal/test/rights":       {"internal/table"},
	"internal/test/runtimestub":  {},
	"internal/test/sizes":        {},
	"internal/test/storetest":    with(services, "internal/app", "internal/dynamo", "internal/live", "internal/test/nightly"),
	"internal/test/style":        {},
	"internal/test/tabletest":    {"internal/dynamo", "internal/test/enginetest"},
	"internal/test/templates":    {},
}

// withoutSDK are the packages above the store. They make calls through it, and do not import the
// SDK.
var withoutSDK = with(ownCalls, "internal/app", "internal/httpapi")

// tools are the packages besides tests that may import the stub of Lambda's runtime: they measure
// the functions, and run the guides' commands. Nothing that a team deploys or runs is among them.
var tools = []string{"internal/measure", "cmd/docs"}

func with(list []string, more ...string) []string { return slices.Concat(list, more) }

// forbidden returns what a package may not reach, by whatever way. A capability reaches no
// other, except those that it may import.
func forbidden() map[string][]string {
	all := maps.Clone(forbiddenOthers)
	for _, c := range capabilities {
		all[c] = []string{"net/http", "github.com/aws/"}
		for _, other := range capabilities {
			if other != c && !slices.Contains(allowed[c], other) {
				all[c] = append(all[c], "example.com/parley/"+other)
			}
		}
	}
	return all
}

// forbiddenOthers lists what packages other than capabilities may not reach.
var forbiddenOthers = map[string][]string{
	"cmd/chat":         {"api", "example.com/parley/internal/test/", "example.com/parley/infra/stack", "github.com/aws/aws-cdk-go/", "github.com/aws/jsii-runtime-go/"},
	"internal/chat":    {"net/http", "github.com/aws/", "github.com/go-json-experiment/"},
	"internal/config":  {"net/http", "github.com/", "golang.org/"},
	"internal/problem": {"encoding/json", "github.com/"},
	"internal/shard":   {"net/http", "encoding/json", "github.com/aws/"},
	"internal/gateway": {"example.com/parley/internal/chat"},
	"internal/wire":    {"net/http", "github.com/aws/", "github.com/danielgtaylor/huma/"},
	"internal/dynamo":  {"github.com/aws/aws-sdk-go-v2/config", "github.com/aws/aws-sdk-go-v2/credentials", "github.com/aws/aws-sdk-go-v2/credentials/"},
	"functions/write":  {"example.com/parley/internal/test/", "example.com/parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "html/template", "text/template", "github.com/getkin/"},
	"functions/feed":   {"example.com/parley/internal/test/", "example.com/parley/internal/app", "example.com/parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "example.com/parley/internal/httpapi", "github.com/danielgtaylor/huma/"},
	"functions/socket": {"example.com/parley/internal/test/", "example.com/parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "example.com/parley/internal/httpapi", "github.com/danielgtaylor/huma/", "html/template", "text/template"},
	// The authorizer starts with every page that opens, and has no rights on tables.
	"functions/authorizer": {"example.com/parley/internal/test/", "example.com/parley/internal/dynamo", "example.com/parley/internal/table", "example.com/parley/internal/live", "github.com/aws/aws-sdk-go-v2/", "github.com/go-json-experiment/", "html/template", "text/template"},
	"functions/read":       {"example.com/parley/internal/test/", "example.com/parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "html/template", "text/template", "github.com/getkin/"},
	"functions/search":     {"example.com/parley/internal/test/", "example.com/parley/internal/scan", "github.com/aws/aws-sdk-go-v2/config", "html/template", "text/template", "github.com/getkin/"},
}

func TestAllowed_ImportsPointDown(t *testing.T) {
	for _, line := range list(t, "{{.ImportPath}} {{join .Imports \" \"}}", "./...") {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], "example.com/parley/")
		if pkg == "parley" {
			continue
		}
		for _, fault := range faults(pkg, fields[1:]) {
			t.Error(fault)
		}
	}
}

// faults returns the reasons why a package may not import these.
func faults(pkg string, imports []string) []string {
	may, ok := allowed[pattern(pkg)]
	if !ok {
		return []string{pkg + " is not in the list: say what it may import"}
	}
	var faults []string
	for _, imported := range imports {
		ours, isOurs := strings.CutPrefix(imported, "example.com/parley/")
		testOnly := strings.HasPrefix(ours, "internal/test/") && !strings.HasPrefix(pkg, "internal/test/") && !slices.Contains(tools, pkg)
		if isOurs && (testOnly || !slices.ContainsFunc(may, func(p string) bool { return matches(p, ours) })) {
			faults = append(faults, pkg+" imports "+ours)
		}
		if strings.HasPrefix(imported, "github.com/aws/") && slices.Contains(withoutSDK, pkg) || imported == "net/http" && slices.Contains(ownCalls, pkg) {
			faults = append(faults, pkg+" imports "+imported)
		}
	}
	return faults
}

// TestFaults_NoticesAFileInAForbiddenPlace moves imports to where they must not be.
func TestFaults_NoticesAFileInAForbiddenPlace(t *testing.T) {
	for pkg, imported := range map[string]string{
		"internal/chat":     "internal/people",          // up
		"internal/people":   "internal/document",        // a capability into another
		"internal/table":    "internal/dynamo",          // up
		"internal/feed":     "internal/table",           // the domain into the store
		"internal/httpapi":  "internal/dynamo",          // one edge into the other
		"internal/config":   "internal/chat",            // out of the standard library
		"internal/dynamo":   "internal/saved",           // the store into a capability above it
		"internal/scan":     "internal/test/enginetest", // into what only tests import
		"cmd/chat":          "internal/test/faults",     // although it may import all else
		"internal/newcomer": "internal/chat",            // a package that the list does not name
	} {
		if len(faults(pkg, []string{"fmt", "example.com/parley/" + imported})) != 1 {
			t.Errorf("%s may import %s", pkg, imported)
		}
	}
	for _, pkg := range withoutSDK {
		if len(faults(pkg, []string{"fmt", "github.com/aws/aws-sdk-go-v2/service/dynamodb"})) != 1 {
			t.Errorf("%s may import the SDK", pkg)
		}
	}
	if got := faults("internal/people", []string{"fmt", "example.com/parley/internal/chat"}); len(got) != 0 {
		t.Errorf("an allowed import: %v", got)
	}
}

func TestForbidden_IsNotReached(t *testing.T) {
	for pkg, names := range forbidden() {
		for _, dep := range list(t, "{{.ImportPath}}", "-tags", "lambda.norpc", "-deps", "./"+pkg) {
			for _, name := range names {
				if dep == name || strings.HasSuffix(name, "/") && strings.HasPrefix(dep, name) {
					t.Errorf("%s reaches %s", pkg, dep)
				}
			}
		}
	}
}

// TestNoFunctionScans looks into the code of ours that each function links: a scan reads, and
// bills, everything that there is.
func TestNoFunctionScans(t *testing.T) {
	for _, function := range []string{"functions/write", "functions/read", "functions/search", "functions/feed", "functions/socket", "functions/authorizer"} {
		for _, line := range list(t, "{{.ImportPath}} {{.Dir}} {{join .GoFiles \" \"}}", "-tags", "lambda.norpc", "-deps", "./"+function) {
			fields := strings.Fields(line)
			if !strings.HasPrefix(fields[0], "example.com/parley/") {
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
	text, err := os.ReadFile("../../scan/scan.go")
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

// sources are the folders of the module's packages.
var sources = []string{"api", "cmd", "functions", "infra", "internal", "web"}

// noteSources opens every folder of sources. The test cache compares them with the next run's, and
// otherwise would not know what go list reads.
func noteSources(t *testing.T) {
	t.Helper()
	for _, folder := range sources {
		err := filepath.WalkDir(filepath.Join("../../..", folder), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func list(t *testing.T, format string, args ...string) []string {
	t.Helper()
	noteSources(t)
	cmd := exec.Command("go", append([]string{"list", "-f", format}, args...)...)
	cmd.Dir = "../../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
