package httpapi_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	gocmp "github.com/google/go-cmp/cmp"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/live"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/race"
	"example.com/parley/internal/test/tabletest"
)

// labelWidth is the width of the first column of the matrix.
const labelWidth = 78

// callers are the columns of the matrix: each caller's role in the room; "" has no token.
var callers = []string{"owner", "moderator", "member", "muted", "banned", "stranger", ""}

// matrix is the API with a counter of the calls to its store.
type matrix struct {
	*api
	t      testing.TB
	client *dynamodb.Client
	sound  *dynamodb.Client // makes no calls of the API
	files  *buckettest.Bucket
	calls  atomic.Int64
	rooms  int
	faults faults.Injector  // injects none, and lists the calls
	intact map[string]place // rooms by kind, in which nothing has been changed
	before tables           // the items when the last of these rooms was new
}

// place is a room of the matrix with its contents.
type place struct {
	room    string
	message string            // the owner's
	token   string            // of an invitation; "" in a direct room
	secret  string            // of a webhook; "" in a direct room
	own     map[string]string // by whose it is
}

func newMatrix(t *testing.T) *matrix {
	m := &matrix{t: t, intact: map[string]place{}}
	m.files = buckettest.New(t, func() time.Time { return start }, recorder.Files, func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			m.calls.Add(1)
			return next.RoundTrip(r)
		})
	})
	endpoint := enginetest.Start(t)
	m.sound = dynamo.LocalClient(endpoint)
	m.client = dynamo.LocalClient(endpoint, recorder.Options, m.faults.Options)
	tabletest.Create(t, m.client, "chat")
	tabletest.CreateLog(t, m.client, "log")
	tabletest.CreateLive(t, m.client, "live")
	m.restart()
	m.want(t, 201, "PUT", "/people/me", `{"name":"Guest"}`, userHeader, guest)
	return m
}

// hook stores a hook of a room. The owner of so many rooms could not put one.
func (m *matrix) hook(t *testing.T, room chat.RoomID) {
	t.Helper()
	h := hook.Hook{ID: "desk", Holder: hook.OfRoom(room), By: "owner", CreatedAt: start, ChangedAt: start, URL: "https://example.com/hook"}
	h.Rooms = []chat.RoomID{room}
	for _, item := range []table.Item{hook.Item(h), hook.DeliveryItem(h, []byte("secret"))} {
		if ok, err := dynamo.NewTable(m.sound, "chat", nil).PutItem(t.Context(), "put hook", item, table.Update{}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}

// restart begins a new process, whose caches are empty.
func (m *matrix) restart() {
	count := func(context.Context, dynamo.Usage) { m.calls.Add(1) }
	m.api = newAPIOn(m.t, dynamo.New(m.client, dynamo.Options{
		Table: "chat", Clock: func() time.Time { return start }, Observe: count,
	}), activity.NewStore(dynamo.NewLogTable(m.client, "log", count)), func(o *app.Options) {
		o.Live, o.Bucket = live.NewTable(dynamo.NewTable(m.client, "live", count)), m.files.Client
		o.FileLimits = attachment.DefaultLimits()
		o.FileLimits.DayFiles = 1e6 // the owner uploads to each room
	})
	m.bucket = m.files
}

// room creates a room with a caller of each role. With own messages, each caller posts one before
// receiving the role.
func (m *matrix) room(t *testing.T, private, own bool) place {
	t.Helper()
	m.rooms++
	p := place{room: fmt.Sprintf("room-%d", m.rooms), own: map[string]string{}}
	if private {
		p.room = m.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner").body["id"].(string)
	} else {
		m.want(t, 201, "PUT", "/rooms/"+p.room, "", userHeader, "owner")
	}
	in := "/rooms/" + p.room
	post := func(user string) string {
		return m.want(t, 201, "POST", in+"/messages", `{"text":"x","poll":{"options":["a","b"]}}`, userHeader, user).body["id"].(string)
	}
	for user, role := range map[string]string{
		"moderator": "moderator", "member": "member", "muted": "muted", "banned": "banned", crew: "member", boss: "moderator", exile: "banned",
	} {
		status := 201
		if own {
			m.want(t, 201, "PUT", in+"/members/"+user, `{"role":"member"}`, userHeader, "owner")
			p.own[user], status = post(user), 200
		}
		m.giveRole(t, in, user, role, status)
	}
	if own {
		m.want(t, 201, "PUT", in+"/members/stranger", `{"role":"member"}`, userHeader, "owner")
		p.own["stranger"] = post("stranger")
		m.want(t, 204, "DELETE", in+"/members/stranger", "", userHeader, "owner")
	}
	m.upload(t, p.room, fileID, "owner")
	m.upload(t, p.room, looseID, "owner")
	p.message = m.want(t, 201, "POST", in+"/messages", `{"text":"x","poll":{"options":["a","b"]},"attachments":["`+fileID+`"]}`, userHeader, "owner").body["id"].(string)
	p.own["owner"] = p.message
	m.want(t, 201, "POST", in+"/messages/"+p.message+"/reports", `{"reason":"spam"}`, userHeader, crew)
	p.secret = m.want(t, 201, "POST", in+"/incoming", `{"name":"Alerts"}`, userHeader, "owner").body["secret"].(string)
	m.hook(t, chat.RoomID(p.room))
	p.token = m.want(t, 201, "POST", in+"/invites", `{}`, userHeader, "owner").body["token"].(string)
	m.want(t, 201, "PUT", in+"/documents/minutes", `{"read":"moderators"}`, userHeader, "owner")
	for _, doc := range []string{"rules", "minutes"} {
		m.want(t, 201, "PUT", in+"/documents/"+doc+"/parts/one", `{"text":"x"}`, userHeader, "owner")
	}
	return p
}

// directRoom creates a direct room that is like a room made by room. Everybody in it is a member,
// and no document has its own permissions.
func (m *matrix) directRoom(t *testing.T) place {
	t.Helper()
	m.rooms++
	others := fmt.Sprintf(`["member","%s","%s","%s","other-%d"]`, crew, boss, exile, m.rooms)
	p := place{own: map[string]string{}}
	p.room = m.want(t, 201, "POST", "/rooms", `{"direct":`+others+`}`, userHeader, "owner").body["id"].(string)
	for _, user := range []string{"owner", "member"} {
		p.own[user] = m.want(t, 201, "POST", "/rooms/"+p.room+"/messages", `{"text":"x"}`, userHeader, user).body["id"].(string)
	}
	p.message = p.own["owner"]
	p.own["stranger"] = p.message // a stranger has none
	for _, doc := range []string{"rules", "minutes"} {
		m.want(t, 201, "PUT", "/rooms/"+p.room+"/documents/"+doc+"/parts/one", `{"text":"x"}`, userHeader, "owner")
	}
	return p
}

// intactRoom returns a room of a kind in which nothing has been changed since it was created. If
// any request has written since the last call, it restores all items and starts a new process.
func (m *matrix) intactRoom(kind string, create func() place) place {
	if m.before != nil && slices.ContainsFunc(m.faults.Calls(), writes) {
		m.before.restore(m.t, m.sound, m.items())
		m.restart()
	}
	in, ok := m.intact[kind]
	if !ok {
		in = create()
		m.intact[kind], m.before = in, m.items()
	}
	m.faults.Plan() // forgets the calls
	return in
}

// items returns all items of all tables.
func (m *matrix) items() tables { return scanned(m.t, m.sound, "chat", "log", "live") }

// ask makes a row's request, with more headers. The changed object is at its first version.
func (m *matrix) ask(t *testing.T, r row, in place, caller string, more ...string) answer {
	t.Helper()
	id := in.message
	if r.own && caller != "" {
		id = in.own[caller]
	}
	method, path, _ := strings.Cut(r.route, " ")
	path = strings.NewReplacer("{room}", in.room, "{id}", id, "{user}", r.user, "{doc}", cmp.Or(r.doc, "rules"),
		"{report}", in.message+"~"+crew, "{invite}", string(invite.IDOf(in.token)), "{token}", cmp.Or(in.token, "unknown"), "{secret}", cmp.Or(in.secret, "unknown"), "{incoming}", cmp.Or(in.secret, strings.Repeat("0", 32))[:32]).Replace(path)
	path = named.Replace(path)
	if path == "/people" {
		path += "?state=CA"
	}
	headers := append([]string{userHeader, caller}, more...)
	if match := conditions[r.route].match; match == revision || match == needed {
		headers = append(headers, "If-Match", `"1"`)
	}
	if caller == desk {
		headers = append(headers, serviceHeader, "yes")
	}
	return m.do(t, method, path+strings.ReplaceAll(r.query, "{room}", in.room), strings.ReplaceAll(r.body, "{id}", id), headers...)
}

// rowsEach is the number of rows of which one is tested. The requests of a row run sequentially, so
// the race detector finds little in them.
var rowsEach = race.Times(1, 4)

// roomRows returns the rows whose route names a room.
func roomRows() []row {
	return slices.DeleteFunc(rows(), func(r row) bool { return !strings.Contains(r.route, "{room}") })
}

// TestOperations_AnswerEveryRoleAsInTheTable compares the status of every operation, for every
// role in a public, a private and a direct room, with a readable table. Each cell of a change uses
// a room that no other cell has changed. Under the race detector one row in rowsEach runs. With
// -update and -short, as make golden runs it, a row in the table runs only for the owner of a public
// room, unless that answer has changed. A whole run finds what else is stale.
func TestOperations_AnswerEveryRoleAsInTheTable(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	golden := filepath.Join("testdata", "matrix.txt")
	want, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := matrixRows(string(want))
	var b strings.Builder
	for _, kind := range []struct {
		name    string
		callers []string
		room    func(own bool) place
	}{
		{"public room", callers, func(own bool) place { return m.room(t, false, own) }},
		{"private room", callers, func(own bool) place { return m.room(t, true, own) }},
		{"private room of a service", []string{desk}, func(own bool) place { return m.serviceRoom(t, own) }},
		{"direct room, which the owner opened", []string{"owner", "member", "stranger", ""}, func(bool) place { return m.directRoom(t) }},
	} {
		fmt.Fprintf(&b, "%-*s", labelWidth, kind.name)
		for _, caller := range kind.callers {
			fmt.Fprintf(&b, "%-10s", orNoToken(caller))
		}
		b.WriteString("\n")
		read := m.intactRoom("read "+kind.name, func() place { return kind.room(false) })
		for i, r := range rows() {
			status := func(caller string) string {
				in := read
				if caller != "" && r.changesRoom() {
					in = m.intactRoom(fmt.Sprint(kind.name, r.own), func() place { return kind.room(r.own) })
				}
				return fmt.Sprint(m.ask(t, r, in, caller).status)
			}
			label := fmt.Sprintf("%-*s", labelWidth, r)
			cells, ok := known[kind.name+label]
			skipped := i%rowsEach != 0 && !*update
			if *update && testing.Short() {
				skipped = kind.name != "public room" || ok && status("owner") == cells[0]
			}
			if !ok || !skipped {
				cells = nil
				for _, caller := range kind.callers {
					cells = append(cells, status(caller))
				}
			}
			b.WriteString(label)
			for _, cell := range cells {
				fmt.Fprintf(&b, "%-10s", cell)
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	var table strings.Builder
	for line := range strings.Lines(b.String()) {
		table.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(string(want), table.String()); diff != "" && !*update {
		t.Errorf("%s differs (-want +got); go test ./internal/httpapi -run AnswerEveryRole -args -update writes it:\n%s", golden, diff)
	}
}

// matrixRows returns the cells of each row of the golden table, by the kind of room and the label.
func matrixRows(table string) map[string][]string {
	rows := map[string][]string{}
	for part := range strings.SplitSeq(table, "\n\n") {
		kind := ""
		for i, line := range strings.Split(part, "\n") {
			if len(line) <= labelWidth {
				continue
			}
			if label := line[:labelWidth]; i > 0 {
				rows[kind+label] = strings.Fields(line[labelWidth:])
			} else {
				kind = strings.TrimSpace(label)
			}
		}
	}
	return rows
}

func orNoToken(caller string) string {
	if caller == "" {
		return "no token"
	}
	return caller
}

// TestOperations_HiddenRoomAnswersAsAbsent compares the responses about a hidden room and an
// absent one byte by byte, and the numbers of calls to the store. It does so for every operation
// and every caller who must not know about the room, with cold and with warm caches.
func TestOperations_HiddenRoomAnswersAsAbsent(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for _, r := range roomRows() {
		private := m.intactRoom(fmt.Sprint("private ", r.own), func() place { return m.room(t, true, r.own) })
		m.restart()
		m.looksAbsent(t, r, private, "stranger", "banned")
		left := m.intactRoom("left", func() place { return m.leftRoom(t) })
		m.looksAbsent(t, r, left, "stranger", exile)
	}
}

// leftRoom creates a direct room that one person has left.
func (m *matrix) leftRoom(t *testing.T) place {
	t.Helper()
	left := m.directRoom(t)
	m.want(t, 201, "POST", "/rooms/"+left.room+"/messages", `{"text":"x"}`, userHeader, exile)
	m.want(t, 204, "DELETE", "/rooms/"+left.room+"/members/me", "", userHeader, exile)
	left.own[exile] = left.message
	return left
}

// looksAbsent compares the responses about a hidden room with the responses about an absent one.
func (m *matrix) looksAbsent(t *testing.T, r row, hidden place, callers ...string) {
	t.Helper()
	m.want(t, 200, "GET", "/rooms/"+hidden.room+"/messages", "", userHeader, "member") // somebody is in it
	absent := hidden
	absent.room = "p-" + strings.Repeat("z", len(hidden.room)-2)
	for _, caller := range callers {
		for range 2 { // with cold and with warm caches
			m.compareAbsent(t, r, absent, hidden, caller)
		}
	}
}

// compareAbsent makes a request about an absent room and about another one. Both responses must be
// 404, with the same bytes and the same number of calls to the store.
func (m *matrix) compareAbsent(t *testing.T, r row, absent, other place, caller string) {
	t.Helper()
	for _, path := range []string{"/people/me", "/search?q=x"} { // so that all reads and searches find the caller in the cache
		m.do(t, "GET", path, "", userHeader, caller)
	}
	before := m.calls.Load()
	want := m.ask(t, r, absent, caller)
	between := m.calls.Load()
	got := m.ask(t, r, other, caller)
	after := m.calls.Load()
	if want.status != 404 || got.status != 404 || want.text != got.text || fmt.Sprint(want.header) != fmt.Sprint(got.header) {
		t.Errorf("%s by %s: absent %d %v %s\n%s %d %v %s", r, caller, want.status, want.header, want.text, other.room, got.status, got.header, got.text)
	}
	if between-before != after-between {
		t.Errorf("%s by %s: %d calls for the absent room, %d for %s", r, caller, between-before, after-between, other.room)
	}
}

func TestPutRoom_TakenIDIsAConflict(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	id := m.room(t, false, false).room
	for _, caller := range []string{"banned", "stranger"} {
		checkProblem(t, caller, m.want(t, 409, "PUT", "/rooms/"+id, `{"name":"mine"}`, userHeader, caller))
	}
	m.want(t, 204, "DELETE", "/rooms/"+id, "", userHeader, "owner")
	for _, caller := range []string{"owner", "moderator", "member", "muted", "banned", "stranger"} {
		checkProblem(t, caller, m.want(t, 409, "PUT", "/rooms/"+id, `{"name":"mine"}`, userHeader, caller))
	}
}

// TestDeleteRoom_AnswersAsAbsent compares the responses about a deleted room and an absent one
// byte by byte, and the numbers of calls to the store, for every operation and every caller.
func TestDeleteRoom_AnswersAsAbsent(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for _, private := range []bool{false, true} {
		deleted := m.room(t, private, true)
		m.want(t, 204, "DELETE", "/rooms/"+deleted.room, "", userHeader, "owner")
		absent := deleted
		absent.room = deleted.room[:2] + strings.Repeat("z", len(deleted.room)-2)
		for _, r := range roomRows() {
			if strings.HasPrefix(r.route, "PUT /rooms/{room}") && !strings.Contains(r.route, "{room}/") && !private {
				continue // would create the absent room
			}
			for _, caller := range []string{"owner", "member", "banned", "stranger"} {
				m.compareAbsent(t, r, absent, deleted, caller)
			}
		}
	}
}
