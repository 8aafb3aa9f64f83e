package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/live"
	"example.com/parley/internal/search"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
	"example.com/parley/internal/thread"
)

// stage is the environment of one sample's runs: three tables that are reset after each run, and a
// client with injected faults.
type stage struct {
	faults    faults.Injector
	broken    *dynamodb.Client // fails by the plan
	sound     *dynamodb.Client
	files     *buckettest.Bucket
	chat, log string
	live      string
	before    tables // the initial items
	private   string
	direct    string
	token     string
	secret    string // of a webhook
	random    io.Reader
}

type item = map[string]types.AttributeValue

// tables holds all items, by table and key.
type tables map[string]map[string]item

// lost is a queue that loses everything: these tests look at hooks that are fetched.
type lost struct{}

func (lost) Send(context.Context, []hook.Wake) error { return nil }

func newStage(t *testing.T, endpoint, name string) *stage {
	t.Helper()
	s := &stage{chat: "chat-" + name, log: "log-" + name, live: "live-" + name, sound: dynamo.LocalClient(endpoint)}
	s.broken = dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: endpoint, Credentials: dynamo.StaticCredentials("local", "local", ""),
		Jitter: noWait, Options: []func(*dynamodb.Options){recorder.Options, s.faults.Options},
	})
	s.files = buckettest.New(t, func() time.Time { return start }, recorder.Files, s.faults.Transport)
	tabletest.Create(t, s.sound, s.chat)
	tabletest.CreateLog(t, s.sound, s.log)
	tabletest.CreateLive(t, s.sound, s.live)
	s.rewind()
	s.private, s.direct, s.token, s.secret = faultSetup(t, s.process(start.Add(-26*time.Hour)), s.process(start.Add(-setupAge)))
	s.appendFeed(t)
	s.subscribe(t)
	s.before = s.items(t)
	return s
}

// appendFeed writes a feed of some of the messages, as the feed function would, and a read marker.
func (s *stage) appendFeed(t *testing.T) {
	t.Helper()
	of := func(user chat.UserID, revision int) feed.Change {
		id, err := chat.ParseMessageID(sentID + "~" + string(user))
		if err != nil {
			t.Fatal(err)
		}
		return feed.ChangeOf(chat.Message{ID: id, Revision: revision})
	}
	store := dynamo.New(s.sound, dynamo.Options{Table: s.chat, Clock: time.Now})
	at := start.Add(-setupAge)
	for _, segment := range []feed.Segment{
		{First: 1, Changes: []feed.Change{{Type: feed.RoomChanged, Origin: 1}, {Type: feed.MemberChanged, User: "member", Origin: 2}, of("member", 1)}},
		{First: 4, Count: 1, Changes: []feed.Change{of("owner", 1), of("owner", 2)}},
	} {
		segment.Room, segment.Generation, segment.WrittenAt = "seattle", "g", at
		segment.CreatedFrom, segment.CreatedTo = at, at
		if ok, err := store.AppendSegment(t.Context(), segment); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := store.PutFeedHead(t.Context(), segment.Head()); err != nil {
			t.Fatal(err)
		}
	}
	news := []hook.News{{Room: "seattle", First: 1, Generation: "g"}, {Room: "seattle", First: 4, Generation: "g"}}
	if err := hook.NewOutbox(store.Table(), lost{}, func() time.Time { return at }, hook.Rules{On: true}).Wake(t.Context(), news, nil); err != nil {
		t.Fatal(err)
	}
	root := thread.Root{Room: "seattle", ID: of("owner", 1).Message}
	if err := thread.NewStore(store.Table()).PutFollow(t.Context(), thread.Follow{Root: root, User: "moderator", Following: true, Seq: 2}); err != nil {
		t.Fatal(err)
	}
	if err := thread.NewStore(store.Table()).PutThread(t.Context(), root, at); err != nil {
		t.Fatal(err)
	}
	receipt := inbox.Receipt{Message: of("owner", 1).Message, At: at, Seq: 5}
	for _, m := range []inbox.ReadMarker{{User: "moderator", Seq: 3, Count: 1}, {User: "muted", Seq: 5, Count: 2, Receipt: receipt}} {
		m.Room = "seattle"
		if _, err := inbox.NewStore(store.Table()).PutReadMarker(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := inbox.NewStore(store.Table()).SetReadMarker(t.Context(), inbox.ReadMarker{Room: "seattle", User: "muted"}); err != nil {
		t.Fatal(err)
	}
}

// subscribe stores an active subscription of everyone to every room, as if all had just connected.
// People must lose the subscription if their sample removes them from the room.
func (s *stage) subscribe(t *testing.T) {
	t.Helper()
	store := live.NewTable(dynamo.NewTable(s.sound, s.live, nil))
	for _, user := range []chat.UserID{"owner", "moderator", "member", "muted", "banned"} {
		c := live.Connection{ID: live.ConnectionID("of-" + user), User: user, Until: start.Add(time.Hour)}
		rooms := []chat.RoomID{"seattle", "archived", chat.RoomID(s.private), chat.RoomID(s.direct)}
		if _, err := store.AddRooms(t.Context(), c, rooms, start); err != nil {
			t.Fatal(err)
		}
		for _, room := range rooms {
			sub := live.Subscription{Room: room, Connection: c, Attempt: "1"}
			if err := store.PutPending(t.Context(), sub); err != nil {
				t.Fatal(err)
			}
			if ok, err := store.Activate(t.Context(), sub); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
	}
}

func noWait() float64 { return 0 }

// rewind restarts the random numbers.
func (s *stage) rewind() { s.random = nightly.Random(1, 2) }

// process returns a new process, whose caches are empty.
func (s *stage) process(at time.Time) *api {
	return s.processAt(func() time.Time { return at })
}

// processAt is process with a clock.
func (s *stage) processAt(now func() time.Time) *api {
	a := &api{logs: &bytes.Buffer{}, bucket: s.files}
	log := slog.New(slog.NewJSONHandler(a.logs, nil))
	service := app.New(app.Options{
		Hooks: hook.Rules{On: true, Owners: true},
		Store: dynamo.New(s.broken, dynamo.Options{Table: s.chat, Clock: now, Jitter: noWait}),
		Logs:  activity.NewStore(dynamo.NewLogTable(s.broken, s.log, nil)),
		Live:  live.NewTable(dynamo.NewTable(s.broken, s.live, nil)),
		Clock: now, Bucket: s.files.Client, Random: s.random, Log: log, SendBurst: 1e6,
	})
	functions := map[httpapi.Function]http.Handler{}
	for _, o := range httpapi.All() {
		f := o.Function()
		functions[f] = rights.Handler(string(f), httpapi.New(httpapi.Options{
			Service: service, Operations: o, Clock: now, Log: log,
			Subject:   func(r *http.Request) string { return r.Header.Get(userHeader) },
			IsService: func(r *http.Request) bool { return r.Header.Get(serviceHeader) != "" },
		}))
	}
	mux := http.NewServeMux()
	for _, r := range httpapi.Routes() {
		mux.Handle(r.Method+" "+r.Path, functions[r.Function])
	}
	a.handler = mux
	return a
}

// items returns all items of all tables.
func (s *stage) items(t *testing.T) tables {
	t.Helper()
	return scanned(t, s.sound, s.chat, s.log, s.live)
}

// scanned returns all items of the named tables.
func scanned(t testing.TB, client *dynamodb.Client, names ...string) tables {
	t.Helper()
	all := tables{}
	for _, table := range names {
		all[table] = map[string]item{}
		pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &table})
		for pages.HasMorePages() {
			page, err := pages.NextPage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range page.Items {
				all[table][text(t, keyOf(it))] = it
			}
		}
	}
	return all
}

func keyOf(it item) item {
	key := item{}
	for _, name := range []string{"PK", "SK", "device", "at"} {
		if v, ok := it[name]; ok {
			key[name] = v
		}
	}
	return key
}

func text(t testing.TB, it item) string {
	t.Helper()
	b, err := json.Marshal(plain(&types.AttributeValueMemberM{Value: it}))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// plain returns the Go value of an attribute.
func plain(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		m := map[string]any{}
		for name, value := range v.Value {
			m[name] = plain(value)
		}
		return m
	case *types.AttributeValueMemberL:
		l := []any{}
		for _, value := range v.Value {
			l = append(l, plain(value))
		}
		return l
	}
	return v
}

// lines returns all items except for random values, one line each. They hold more than the API
// shows.
func (all tables) lines(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, items := range all {
		for _, it := range items {
			it = maps.Clone(it)
			delete(it, "digestKey")
			delete(it, "hash") // of a webhook's secret
			if kindOf(it) == "hook delivery" {
				delete(it, "secret")
				delete(it, "oldSecret")
			}
			if kindOf(it) == "room request" {
				delete(it, "digest") // of the drawn key
			}
			if isAudit(it) {
				delete(it, "id")
			}
			for _, entry := range entries(it) {
				lines = append(lines, text(t, entry))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// entries returns an item, or the invitations that it counts: each is a separate addition.
func entries(it item) []item {
	set, ok := it["live"].(*types.AttributeValueMemberSS)
	if !ok {
		return []item{it}
	}
	var all []item
	for _, value := range set.Value {
		entry := maps.Clone(it)
		entry["live"] = &types.AttributeValueMemberSS{Value: []string{value}}
		all = append(all, entry)
	}
	return all
}

func isAudit(it item) bool { return kindOf(it) == "audit" }

// kindOf returns the type of an item, or "".
func kindOf(it item) string {
	kind, ok := it["type"].(*types.AttributeValueMemberS)
	if !ok {
		return ""
	}
	return kind.Value
}

// reset restores the tables to their former items; now holds the current ones.
func (s *stage) reset(t *testing.T, now tables) {
	t.Helper()
	s.before.restore(t, s.sound, now)
	s.files.Empty(t, search.Folder)
	s.rewind()
}

// restore writes the items back into their tables, which hold now, and deletes all others.
func (all tables) restore(t testing.TB, client *dynamodb.Client, now tables) {
	t.Helper()
	for table, before := range all {
		for key, it := range now[table] {
			if before[key] == nil {
				if _, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: keyOf(it)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for key, it := range before {
			if !reflect.DeepEqual(now[table][key], it) {
				if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: it}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// lot matches the server's random values: ids of private rooms, invitations and messages.
var lot = regexp.MustCompile(`p-[a-z0-9]{20}|[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// pieces returns the lines that were added, each once, and their number of copies. All lines must
// have the same number, or a change is incomplete.
func pieces(lines, before []string) (added []string, copies int, err error) {
	count := map[string]int{}
	for _, line := range lines {
		if _, old := slices.BinarySearch(before, line); !old {
			count[lot.ReplaceAllString(line, "drawn")]++
		}
	}
	for line, n := range count {
		if copies != 0 && n != copies {
			return nil, 0, fmt.Errorf("there are %d and not %d of %s", n, copies, line)
		}
		copies = n
	}
	return slices.Sorted(maps.Keys(count)), copies, nil
}
