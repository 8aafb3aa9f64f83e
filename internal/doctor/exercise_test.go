package doctor_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
)

// stackFile is the template whose roles the functions have.
const stackFile = "../../infra/stack/testdata/dev.golden.json"

// roles are the roles with conditioned statements, by function.
var roles = map[string]string{"write": "WriteRole", "read": "ReadRole", "search": "SearchRole", "incoming": "IncomingRole", "feed": "FeedRole", "socket": "SocketRole"}

// template is the template without a statement, "write CloseFeeds"; an empty one removes nothing.
func template(t *testing.T, without string) *rights.Stack {
	t.Helper()
	text, err := os.ReadFile(stackFile)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Resources map[string]rights.Resource }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for function, role := range roles {
		for _, p := range rights.Elements(all.Resources[role].Properties["Policies"]) {
			document := p.(map[string]any)["PolicyDocument"].(map[string]any)
			document["Statement"] = slices.DeleteFunc(document["Statement"].([]any), func(s any) bool {
				return function+" "+s.(map[string]any)["Sid"].(string) == without
			})
		}
	}
	stack, err := rights.NewStack(all.Resources)
	if err != nil {
		t.Fatal(err)
	}
	return stack
}

// conditioned returns the statements that have conditions.
func conditioned(t *testing.T) []string {
	t.Helper()
	var all []string
	stack := template(t, "")
	for function, role := range roles {
		statements, err := stack.Role(role)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements {
			if len(s.Conditions) > 0 {
				all = append(all, function+" "+s.ID)
			}
		}
	}
	slices.Sort(all)
	return all
}

// leftOut are the statements that no step exercises. The feed function spreads a room over more
// shards above 500 messages a second (chat bench), and remembers frames that were refused; the index
// of searches is swept by the doctor; the read function's right shows to whoever follows a link to a
// file that is gone, which an empty object replaces for a day; a second person has to listen while
// one types; only a service suspends and deletes people, and has hooks; chance decides which messages of webhooks
// are charged.
var leftOut = []string{
	"feed GrowRooms", "feed RememberMissed", "search ListIndex", "read DetectMissingFiles",
	"socket ReadBlocks", "write FindConnections", "incoming SpendMessages", "write DeleteHooks", "read MoveHooks",
	"feed FindItems", "feed EraseItems", "feed FindOwners", "feed LeaveDirectRooms",
}

func TestExercise_Succeeds(t *testing.T) {
	t.Parallel()
	d := deploy(t, template(t, ""))
	var named []string
	for _, s := range d.exercise(t.Context(), nil) {
		if s.Err != nil && !s.Minor {
			t.Errorf("%s: %v", s.Name, s.Err)
		}
		named = append(named, s.Statements...)
	}
	select {
	case <-d.denied:
		t.Errorf("a call was refused:\n%s", d.logs.String())
	default:
	}
	for _, s := range conditioned(t) {
		if !slices.Contains(named, s) && !slices.Contains(leftOut, s) {
			t.Errorf("no step names %s", s)
		}
	}
}

// TestExercise_FindsWhatKeepsPagesFromFiles asks about a page that the bucket does not allow.
func TestExercise_FindsWhatKeepsPagesFromFiles(t *testing.T) {
	t.Parallel()
	d := deploy(t, template(t, ""))
	d.page = "https://other.example.com"
	for _, s := range d.exercise(t.Context(), nil) {
		if failed := s.Err != nil && !s.Minor; failed != (s.Name == "read the file") {
			t.Errorf("%s: %v", s.Name, s.Err)
		}
	}
}

// TestExercise_ExercisesEachConditionedStatement removes one statement after another, or some of them
// outside of the night. A call must be refused then, and the function's log say so.
func TestExercise_ExercisesEachConditionedStatement(t *testing.T) {
	t.Parallel()
	for i, statement := range conditioned(t) {
		if slices.Contains(leftOut, statement) || !nightly.One(i, 5) {
			continue
		}
		t.Run(statement, func(t *testing.T) {
			t.Parallel()
			d := deploy(t, template(t, statement))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				d.exercise(ctx, nil)
			}()
			select {
			case <-d.denied:
			case <-ended:
				t.Fatal("no call was refused")
			}
			function, _, _ := strings.Cut(statement, " ")
			for limit := time.Now().Add(bound); !d.logged(function, "AccessDeniedException") && !d.logged(function, "a file: status 400"); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(limit) {
					t.Fatalf("the log of %s has no refusal:\n%s", function, d.logs.String())
				}
			}
			cancel()
			<-ended
		})
	}
}

// logged reports whether a line of a function contains a text.
func (d *deployment) logged(function, text string) bool {
	for line := range strings.Lines(d.logs.String()) {
		if strings.Contains(line, `"function":"`+function+`"`) && strings.Contains(line, text) {
			return true
		}
	}
	return false
}
