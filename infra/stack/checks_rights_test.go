package stack_test

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
)

// suites are the packages whose tests record the calls of functions; see internal/test/rights.
var suites = []string{"functions", "internal/stream", "internal/httpapi"}

// readCalls returns the recorded calls of all suites.
func readCalls() (rights.Calls, error) {
	all := rights.Calls{}
	for _, suite := range suites {
		calls, err := rights.ReadRecording(filepath.Join(root, suite, rights.Recording))
		if err != nil {
			return nil, err
		}
		all = all.And(calls)
	}
	return all, nil
}

// checkRights replays the calls of functions against their roles. A call must be allowed. A right
// must be needed: without it, a call must be refused. The rights for Lambda itself are listed, with
// reasons.
func checkRights(i *inspection) {
	s, err := i.stack()
	i.expect(err == nil, "%v", err)
	if err != nil {
		return
	}
	if stream := i.config.Table.AdoptStream; stream != "" {
		s.Adopt("Table", config.TableOf(stream))
	}
	if arn := i.config.Table.AdoptLog; arn != "" {
		s.Adopt("LogTable", arn)
	}
	if name := i.config.Table.AdoptFiles; name != "" {
		s.Adopt("FilesBucket", "arn:aws:s3:::"+name)
	}
	for f := range i.functions() {
		role, err := rights.CodeRole(s, f)
		i.expect(err == nil, "%v", err)
		for _, complaint := range rights.Replay(s, role, i.needs.calls[f]) {
			i.expect(false, "%s: %s", f, complaint)
		}
		for _, c := range refused(f) {
			i.expect(rights.Check(s, role, c) != nil, "%s: %s is allowed", f, c)
		}
	}
}

// stack is the part of the template that concerns rights.
func (t template) stack() (*rights.Stack, error) {
	resources := map[string]rights.Resource{}
	for id, r := range t.Resources {
		resources[id] = rights.Resource{Type: r.Type, Properties: r.Properties}
	}
	return rights.NewStack(resources)
}

// refused are calls that a function must never be allowed, whatever its code does, because a bug
// there would do most harm. The feed function accesses only feeds and counts, and the items of
// deleted people, and no other function writes feeds. Only a person's items and the rows of a
// message are ever deleted. The read and search functions change a budget of each person.
func refused(function string) []rights.Call {
	changes := []string{"PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}
	keys, actions := []string{"feed#x"}, changes
	var calls []rights.Call
	switch function {
	case "feed": // of people and rooms it reads who may listen
		keys, actions = []string{"x-1", "m#x", "d#x", "pair#x", "set#x", "invite#x", "feed-1"}, append(changes, "GetItem", "Query", "BatchGetItem")
		calls = append(calls, refusedOn("Table", []string{"r#x"}, changes)...)
		calls = append(calls, refusedOn("Table", []string{"u#x"}, []string{"PutItem", "UpdateItem", "Query", "BatchGetItem"})...) // it erases deleted people
		for _, key := range []string{"x-1", "rooms", "root", "words", "d#x", "invites#x", "saved#x", "mention#x"} {
			calls = append(calls, rights.Call{Action: "dynamodb:Query", Resource: "Table/index/GSI1", Keys: key})
		}
		calls = append(calls, refusedOn("LiveTable", []string{"room#x", "user#x", "budget#x"}, []string{"PutItem", "UpdateItem"})...)
	case "socket": // it sees no message, and of people neither whole items nor profiles, reasons and what they saved
		keys = append(keys, "x-1", "r#x", "m#x", "d#x", "u#x", "pair#x", "set#x", "invite#x")
		reads := []string{"GetItem", "Query", "BatchGetItem"}
		calls = append(calls, refusedOn("Table", []string{"x-1", "m#x", "d#x", "u#x"}, reads)...)
		for _, attribute := range []string{"title", "meta", "avatar", "status", "hired", "reason", "suspendReason", "message", "savedAt", "fullAt_messages"} {
			for _, read := range reads {
				calls = append(calls, rights.Call{Action: "dynamodb:" + read, Resource: "Table", Keys: "u#x", Attributes: "PK SK " + attribute})
			}
		}
	case "write":
		actions = []string{"PutItem", "DeleteItem", "ConditionCheckItem"} // it updates heads, to close them
		for _, key := range []string{"x-1", "r#x", "d#x", "pair#x", "set#x", "invite#x"} {
			calls = append(calls, rights.Call{Action: "dynamodb:DeleteItem", Resource: "Table", Keys: key})
		}
		for _, key := range []string{"x-1", "rooms", "root", "d#x", "invites#x"} { // only members are looked up in the index
			calls = append(calls, rights.Call{Action: "dynamodb:Query", Resource: "Table/index/GSI1", Keys: key})
		}
	case "read", "search":
		keys = append(keys, "x-1", "r#x", "m#x", "d#x", "u#x", "pair#x", "set#x", "invite#x")
		for _, key := range keys { // of people it writes what they have read, and of nothing else even that
			attributes := "PK SK fullAt_reads type v"
			if key == "u#x" {
				attributes += " role"
			}
			calls = append(calls, rights.Call{Action: "dynamodb:UpdateItem", Resource: "Table", Keys: key, Attributes: attributes})
		}
	}
	if function != "feed" && function != "socket" {
		for _, method := range []string{"POST", "DELETE"} {
			calls = append(calls, rights.Call{Action: "execute-api:ManageConnections", Resource: "SocketApi/ws/" + method + "/@connections/x"})
		}
	}
	if behindAPI(function) { // they change no connections of people
		calls = append(calls, refusedOn("LiveTable", []string{"user#x"}, append(changes, "GetItem", "BatchGetItem"))...)
	}
	if function == "read" || function == "search" { // the write function finds suspended people's connections
		calls = append(calls, refusedOn("LiveTable", []string{"user#x"}, []string{"Query"})...)
	}
	calls = append(calls, refusedOn("Table", keys, actions)...)
	calls = append(calls, refusedFiles(function)...)
	return append(calls, rights.Call{Action: "dynamodb:Scan", Resource: "Table"}, rights.Call{Action: "dynamodb:Scan", Resource: "Table/index/GSI1"},
		rights.Call{Action: "dynamodb:Scan", Resource: "LiveTable"}, rights.Call{Action: "execute-api:Invoke", Resource: "SocketApi/ws/POST/@connections/x"})
}

// refusedFiles returns the calls to the files' bucket that a function must never be allowed. None
// lists the files of everybody or of a room, and only the feed function, which cannot read them,
// deletes them. The write function removes people's pictures. The search function reaches only its
// index, which no other lists.
func refusedFiles(function string) []rights.Call {
	calls := []rights.Call{{Action: "s3:ListBucket", Resource: "FilesBucket"}, {Action: "s3:ListBucket", Resource: "FilesBucket", Keys: "x"}}
	if function != "search" {
		calls = append(calls, rights.Call{Action: "s3:ListBucket", Resource: "FilesBucket", Keys: "_search/x"}, rights.Call{Action: "s3:ListBucket", Resource: "FilesBucket", Keys: "_search/x/x"})
	}
	for action, by := range map[string][]string{"s3:PutObject": {"write", "feed"}, "s3:GetObject": {"write", "read"}, "s3:DeleteObject": {"feed"}} {
		if !slices.Contains(by, function) {
			calls = append(calls, rights.Call{Action: action, Resource: "FilesBucket/x"})
		}
		if function == "search" {
			calls = append(calls, rights.Call{Action: action, Resource: "FilesBucket/_people/x"})
		}
	}
	return calls
}

// refusedOn returns the calls of some actions with some keys on a table.
func refusedOn(resource string, keys, actions []string) []rights.Call {
	var calls []rights.Call
	for _, key := range keys {
		for _, action := range actions {
			calls = append(calls, rights.Call{Action: "dynamodb:" + action, Resource: resource, Keys: key})
		}
	}
	return calls
}

// TestGrants_RightsCheckNoticesEachChange removes each action from each statement for code, and
// adds each other action. The replay must notice every change, without other checks. make test
// tries one change in changesEach.
func TestGrants_RightsCheckNoticesEachChange(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, d deployment) {
		changes, tried := 0, 0
		changed := clone(t, d.template)
		i := &inspection{template: changed, needs: n, config: d.config}
		for _, id := range changed.ids(typeRole) {
			for _, s := range statements(changed, id) {
				s := s.(map[string]any)
				if rights.LambdaUses[get(s, "Sid").(string)] != "" || id == "GatewayLogsRole" { // checkGatewayLogs has its exact rights
					continue
				}
				whole, had := s["Action"], texts(s["Action"])
				for _, action := range append(slices.Clone(had), rights.DataActions...) {
					if changes++; !nightly.One(changes, changesEach) {
						continue
					}
					var with []any
					for _, a := range append(slices.Clone(had), action) {
						if !slices.Contains(had, action) || a != action {
							with = append(with, a)
						}
					}
					s["Action"], i.findings = with, nil
					checkRights(i)
					if tried++; len(i.findings) == 0 {
						t.Errorf("the check misses that %s of %s has the actions %v instead of %v", get(s, "Sid"), id, with, had)
					}
				}
				s["Action"] = whole
			}
		}
		if changes < 10*len(rights.DataActions) {
			t.Errorf("the test has only %d changes", changes)
		}
		t.Logf("%d of %d changes", tried, changes)
	})
}

// TestGrants_CodeAndRecordingsAgree compares two independent sources: the calls that the functions'
// code can reach, and the recorded ones. A reachable right that no suite uses is untested. A
// recorded right that is unreachable shows that the reading of the code is incomplete.
func TestGrants_CodeAndRecordingsAgree(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	resources := map[string]string{
		"Table": "table", "Table/index/GSI1": "index", "LogTable": "activity", "FailureQueue": "failures", "HookQueue": "wakes",
		"UserPool": "pool", "parameter/Parley/canary": "password", "LiveTable": "live",
		"PageBucket/x": "page", "PageBucket": "page", "FilesBucket": "files", "FilesBucket/x": "files", "FilesBucket/_people/x": "files", "FilesBucket/_search/x": "files",
		"SocketApi/ws/POST/@connections/x": "connections", "SocketApi/ws/DELETE/@connections/x": "connections",
	}
	for f := range everyFunction() {
		var recorded []string
		for _, c := range n.calls[f] {
			recorded = append(recorded, c.Action+" "+resources[c.Resource])
		}
		for _, grant := range n.grants[f] {
			if !slices.Contains(recorded, grant) {
				t.Errorf("the code of %s can reach %s, but no suite uses it", f, grant)
			}
		}
		for _, grant := range recorded {
			if !slices.Contains(n.grants[f], grant) {
				t.Errorf("%s uses %s, which its code does not seem to reach", f, grant)
			}
		}
	}
}

// exempt are the packages whose tests use a database but make no calls of a function, with the
// reason.
var exempt = map[string]string{
	"cmd/chat":                 "the operator's commands; serve runs the handlers of internal/httpapi and internal/stream",
	"internal/apifn":           "answers that need no call",
	"internal/archive":         "imports are the operator's",
	"internal/bill":            "counts what calls of the store cost, which are replayed elsewhere",
	"internal/test/faults":     "calls of its own, to see them fail",
	"internal/test/enginetest": "the engine itself",
	"internal/local/stream":    "the local stand-in for Lambda's reading of the stream",
	"internal/growth":          "calls of the feed and write functions, which functions and internal/httpapi replay",
	"internal/measure":         "counts calls of the API, which internal/httpapi replays",
	"internal/local/throttle":  "calls of its own, to see them refused",
	"internal/measure/steps":   "calls of its own, to see them counted",
	"internal/doctor":          "holds its functions to their roles, and sees a call refused for each statement that is taken out",
	"internal/purge":           "purges are the operator's; its own test compares its calls with the runbook",
	"internal/repair":          "repairs are the operator's",
	"internal/restore":         "restores are the operator's",
	"internal/scan":            "scans are the operator's",
}

// reachesDatabase matches the ways in which a test starts or uses an engine.
var reachesDatabase = regexp.MustCompile(`\b(enginetest|tabletest)\.Start|\bchattest\.New|LocalClient\(`)

// returnsCode reports whether the exit code of a test binary is a function's.
func returnsCode(text, function string) bool {
	return strings.Contains(text, "os.Exit("+function+"(m))") || strings.Contains(text, "return "+function+"(m)")
}

// TestGrants_HoldForEverySuite finds the packages whose tests use a database. Each must replay its
// calls, refuse what no role allows, or be exempt.
func TestGrants_HoldForEverySuite(t *testing.T) {
	reach := map[string]bool{}
	held := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(d.Name(), "checks_rights") {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		text := readText(t, path)
		reach[filepath.ToSlash(folder)] = reach[filepath.ToSlash(folder)] || reachesDatabase.MatchString(text)
		if strings.Contains(text, "os.Exit(chattest.Main(m))") { // the guard
			held[filepath.ToSlash(folder)] = "Guard"
		}
		for _, way := range []string{"Main", "Guard"} {
			if returnsCode(text, "recorder."+way) || returnsCode(text, "calls."+way) {
				held[filepath.ToSlash(folder)] = way
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, reaches := range reach {
		switch {
		case slices.Contains(suites, folder):
			if held[folder] != "Main" {
				t.Errorf("no test of %s compares with its recording, so that it can become stale", folder)
			}
		case reaches && held[folder] != "Guard" && exempt[folder] == "":
			t.Errorf("the tests of %s use a database: end their TestMain with os.Exit(chattest.Main(m)), which refuses calls that no role allows, or add them to exempt", folder)
		}
	}
}
