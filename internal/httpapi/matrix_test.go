package httpapi_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/httpapi"
	"parley/internal/local/engine/enginetest"
)

// samples is a request for every route that needs a token: what is in braces is filled in. A route
// that is missing here fails the test.
var samples = map[string]string{
	"PUT /rooms/{room}":                   `{"topic":"new"}`,
	"GET /rooms/{room}":                   "",
	"POST /rooms/{room}/messages":         `{"text":"x"}`,
	"GET /rooms/{room}/messages":          "",
	"GET /rooms/{room}/messages/{id}":     "",
	"PATCH /rooms/{room}/messages/{id}":   `{"text":"y"}`,
	"DELETE /rooms/{room}/messages/{id}":  "",
	"GET /rooms/{room}/audit":             "",
	"GET /rooms/{room}/members":           "",
	"PUT /rooms/{room}/members/{user}":    `{"role":"member"}`,
	"DELETE /rooms/{room}/members/{user}": "",

	"GET /rooms/{room}/messages/{id}/versions": "",

	"GET /rooms/{room}/changes": "",
	"PUT /rooms/{room}/read":    `{"seq":0}`,

	"POST /rooms":                   `{"visibility":"private","name":"x"}`,
	"GET /rooms":                    "",
	"GET /people":                   "",
	"GET /people/{user}":            "",
	"GET /people/{user}/rooms":      "",
	"PUT /people/me":                `{"name":"x"}`,
	"POST /devices/{device}/events": `{"events":[{"type":"error","at":"2018-08-29T12:00:00Z"}]}`,
	"GET /devices/{device}/events":  "",

	"GET /rooms/{room}/documents":                                 "",
	"PUT /rooms/{room}/documents/{doc}":                           `{"title":"new"}`,
	"GET /rooms/{room}/documents/{doc}":                           "",
	"PUT /rooms/{room}/documents/{doc}/parts/{part}":              `{"text":"y"}`,
	"GET /rooms/{room}/documents/{doc}/parts/{part}":              "",
	"GET /rooms/{room}/documents/{doc}/parts/{part}/versions":     "",
	"GET /rooms/{room}/documents/{doc}/parts/{part}/versions/{n}": "",
}

// callers are the columns: who they are in the room, "" having no token.
var callers = []string{"owner", "moderator", "member", "muted", "banned", "stranger", ""}

// matrix is the API with a count of the calls to its store.
type matrix struct {
	*api
	calls   atomic.Int64
	rooms   int
	message string // the id of a message in the room that was made last
}

func newMatrix(t *testing.T) *matrix {
	m := &matrix{}
	client := dynamo.LocalClient(enginetest.Start(t))
	if err := dynamo.CreateTable(t.Context(), client, "chat"); err != nil {
		t.Fatal(err)
	}
	if err := dynamo.CreateLogTable(t.Context(), client, "log"); err != nil {
		t.Fatal(err)
	}
	count := func(context.Context, dynamo.Usage) { m.calls.Add(1) }
	m.api = newAPIOn(dynamo.New(client, dynamo.Options{
		Table: "chat", Clock: func() time.Time { return start }, Observe: count,
	}), dynamo.NewLog(client, dynamo.Options{Table: "log", Observe: count}))
	return m
}

// room makes a room with one person of each role, and a message.
func (m *matrix) room(t *testing.T, private bool) string {
	t.Helper()
	m.rooms++
	id := fmt.Sprintf("room-%d", m.rooms)
	if private {
		id = m.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner").body["room"].(string)
	} else {
		m.want(t, 201, "PUT", "/rooms/"+id, "", userHeader, "owner")
	}
	for _, role := range []string{"moderator", "member", "muted", "banned"} {
		m.want(t, 201, "PUT", "/rooms/"+id+"/members/"+role, `{"role":"`+role+`"}`, userHeader, "owner")
	}
	m.message = m.want(t, 201, "POST", "/rooms/"+id+"/messages", `{"text":"x"}`, userHeader, "owner").body["id"].(string)
	m.want(t, 201, "PUT", "/rooms/"+id+"/documents/rules/parts/one", `{"text":"x"}`, userHeader, "owner")
	return id
}

// ask makes a route's sample request, of what is at its first version. Changes of members are on another person, "guest".
func (m *matrix) ask(t *testing.T, route, room, caller string) answer {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	path = strings.NewReplacer("{room}", room, "{id}", m.message, "{user}", "guest", "{doc}", "rules", "{part}", "one", "{n}", "1", "{device}", "phone").Replace(path)
	if route == "GET /people" {
		path += "?state=CA"
	}
	return m.do(t, method, path, samples[route], userHeader, caller, "If-Match", `"1"`)
}

func allRoutes(t *testing.T) []string {
	t.Helper()
	for _, r := range httpapi.Routes() {
		route := r.Method + " " + r.Path
		if _, ok := samples[route]; !ok && !r.Public {
			t.Errorf("there is no sample request for %s", route)
		}
	}
	return slices.Sorted(maps.Keys(samples))
}

// roomRoutes are those that ask for a room.
func roomRoutes(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(allRoutes(t), func(route string) bool { return !strings.Contains(route, "{room}") })
}

// TestEveryOperationAnswersEveryRoleAsTheTableSays compares the status of
// every operation, for every role in a public and a private room, with a table that
// people read. Each cell has a room of its own.
func TestEveryOperationAnswersEveryRoleAsTheTableSays(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	var b strings.Builder
	for _, private := range []bool{false, true} {
		fmt.Fprintf(&b, "%-62s", map[bool]string{false: "public room", true: "private room"}[private])
		for _, caller := range callers {
			fmt.Fprintf(&b, "%-10s", orNoToken(caller))
		}
		b.WriteString("\n")
		for _, route := range allRoutes(t) {
			fmt.Fprintf(&b, "%-62s", route)
			for _, caller := range callers {
				got := m.ask(t, route, m.room(t, private), caller)
				fmt.Fprintf(&b, "%-10d", got.status)
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	var table strings.Builder
	for line := range strings.Lines(b.String()) {
		table.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	golden := filepath.Join("testdata", "matrix.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if table.String() != string(want) {
		t.Errorf("the matrix is\n%s\nwant\n%s", table.String(), want)
	}
}

func orNoToken(caller string) string {
	if caller == "" {
		return "no token"
	}
	return caller
}

// TestAHiddenRoomAnswersAsOneThatDoesNotExist compares answers byte by byte, and the
// number of calls to the store, for every operation and everybody who may
// not know of the room; with fresh caches and with warm ones.
func TestAHiddenRoomAnswersAsOneThatDoesNotExist(t *testing.T) {
	t.Parallel()
	for _, route := range roomRoutes(t) {
		m := newMatrix(t)
		hidden := m.room(t, true)
		m.ask(t, "GET /rooms/{room}/messages", hidden, "member") // somebody is in it
		absent := "p-" + strings.Repeat("z", len(chat.RoomID(hidden))-2)
		for _, caller := range []string{"stranger", "banned"} {
			for range 2 { // with cold caches, and with warm ones
				before := m.calls.Load()
				one := m.ask(t, route, absent, caller)
				between := m.calls.Load()
				other := m.ask(t, route, hidden, caller)
				after := m.calls.Load()
				if one.status != 404 || other.status != 404 || one.text != other.text || fmt.Sprint(one.header) != fmt.Sprint(other.header) {
					t.Errorf("%s by %s: absent %d %v %s\nhidden %d %v %s", route, caller, one.status, one.header, one.text, other.status, other.header, other.text)
				}
				if between-before != after-between {
					t.Errorf("%s by %s: %d calls for the absent room, %d for the hidden one", route, caller, between-before, after-between)
				}
			}
		}
	}
}

func TestAPublicIDThatIsTakenIsAConflictForOthers(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	id := m.room(t, false)
	for _, caller := range []string{"moderator", "member", "muted", "banned", "stranger"} {
		checkProblem(t, caller, m.want(t, 409, "PUT", "/rooms/"+id, `{"name":"mine"}`, userHeader, caller))
	}
}
