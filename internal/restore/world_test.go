package restore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	conns "example.com/parley/internal/live"
	"example.com/parley/internal/people"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/tabletest"
	"example.com/parley/internal/thread"
)

// world is an engine with tables, and a clock that the test advances.
type world struct {
	*testing.T
	endpoint string
	db       *dynamodb.Client
	now      time.Time
	random   *rand.Rand
	texts    int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, endpoint: enginetest.Start(t), random: rand.New(rand.NewPCG(1, 2))}
	w.now = time.Now().Add(-24 * time.Hour).UTC().Truncate(time.Second)
	w.db = dynamo.LocalClient(w.endpoint)
	return w
}

// Read provides the service's randomness.
func (w *world) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(w.random.Uint32())
	}
	return len(p), nil
}

func (w *world) clock() time.Time { return w.now }

// passes advances the clock, so that no two changes have the same time.
func (w *world) passes(d time.Duration) { w.now = w.now.Add(d) }

// live is a table in use, with the feed function.
type live struct {
	*world
	*app.Services
	table  string
	stream *feedtest.Stream
	feed   *stream.Handler
}

// live opens a table and its log. It creates them if they are missing.
func (w *world) live(name string) *live {
	w.Helper()
	tabletest.Create(w.T, w.db, name)
	tabletest.CreateLog(w.T, w.db, name+"-log")
	tabletest.CreateLive(w.T, w.db, name+"-live")
	store := dynamo.New(w.db, dynamo.Options{Table: name, Clock: w.clock})
	l := &live{world: w, table: name, stream: feedtest.Open(w, w.endpoint, name)}
	l.Services = app.New(app.Options{
		Store: store, Logs: activity.NewStore(dynamo.NewLogTable(w.db, name+"-log", nil)), Live: conns.NewTable(dynamo.NewTable(w.db, name+"-live", nil)),
		Clock: w.clock, Random: w, SendBurst: 1e6,
	})
	l.feed = stream.NewHandler(stream.Options{Store: store, Clock: w.clock, Log: slog.New(slog.DiscardHandler), Projections: []stream.Projection{thread.NewProjection(store.Table())}})
	return l
}

// pump acts as the feed function: it handles the records of the latest changes, at the test's time.
func (l *live) pump() {
	l.Helper()
	records := l.stream.Next(l)
	for i := range records {
		records[i].Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: l.now}
	}
	if len(records) == 0 {
		return
	}
	r, err := l.feed.Handle(l.Context(), events.DynamoDBEvent{Records: records})
	if err != nil || len(r.BatchItemFailures) > 0 {
		l.Fatal(err, r)
	}
}

// must ends the test if a call of the service has failed. It advances the clock.
func must[T any](w *world) func(v T, err error) T {
	return func(v T, err error) T {
		w.Helper()
		if err != nil {
			w.Fatal(err)
		}
		w.passes(time.Second)
		return v
	}
}

func (l *live) text() string {
	l.texts++
	return fmt.Sprintf("text-%d.", l.texts)
}

func (l *live) room(id chat.RoomID, shards int) {
	l.Helper()
	if _, _, err := l.PutRoom(l.Context(), "owner", id, chat.RoomDraft{Shards: &shards}); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
}

func (l *live) private() chat.RoomID {
	l.Helper()
	name := "The board"
	room, _, err := l.Private.PostRoom(l.Context(), "owner", uuid.UUID{}, chat.RoomDraft{Name: &name})
	return must[chat.Room](l.world)(room, err).ID
}

// open opens a direct room.
func (l *live) open(caller chat.UserID, others ...string) chat.RoomID {
	l.Helper()
	room, _, err := l.Direct.PostRoom(l.Context(), caller, others)
	return must[chat.Room](l.world)(room, err).ID
}

func (l *live) member(by chat.UserID, room chat.RoomID, user chat.UserID, role policy.Role) {
	l.Helper()
	if err := chattest.SetRole(l.T, l.Services, by, room, user, role); err != nil {
		l.Fatal(user, err)
	}
	l.passes(time.Second)
}

func (l *live) removed(by chat.UserID, room chat.RoomID, user chat.UserID) {
	l.Helper()
	if err := l.Members.RemoveMember(l.Context(), by, chat.MemberOf{Room: room, User: user}); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
}

func (l *live) post(user chat.UserID, room chat.RoomID) chat.Message {
	l.Helper()
	m, _, err := l.PostMessage(l.Context(), user, room, chat.MessageDraft{Text: l.text()})
	return must[chat.Message](l.world)(m, err)
}

// reply posts a reply, which the room lists too. Its author ceases to follow the thread.
func (l *live) reply(user chat.UserID, m chat.Message) chat.Message {
	l.Helper()
	reply, _, err := l.PostMessage(l.Context(), user, m.Room, chat.MessageDraft{Text: l.text(), Thread: m.ID, ShowInRoom: true})
	must[chat.Message](l.world)(reply, err)
	if err := l.Threads.Follow(l.Context(), user, thread.Root{Room: m.Room, ID: m.ID}, false); err != nil {
		l.Fatal(err)
	}
	return reply
}

func (l *live) edit(m chat.Message) chat.Message {
	l.Helper()
	m, _, err := l.EditMessage(l.Context(), m.ID.User, chat.Revision{Room: m.Room, ID: m.ID, Base: m.Revision}, chat.MessageEdit{Text: new(l.text())})
	return must[chat.Message](l.world)(m, err)
}

func (l *live) remove(by chat.UserID, m chat.Message) chat.Message {
	l.Helper()
	return must[chat.Message](l.world)(l.DeleteMessage(l.Context(), by, chat.Revision{Room: m.Room, ID: m.ID, Base: chat.AnyRevision}))
}

func (l *live) part(room chat.RoomID, base int) {
	l.Helper()
	p, _, err := l.Documents.SavePart(l.Context(), "owner", document.PartDraft{Room: room, Document: "charter", Part: "preamble", Text: l.text(), Base: base})
	must[document.Part](l.world)(p, err)
}

func (l *live) person(user chat.UserID, name, title string) {
	l.Helper()
	state, metadata := "CA", fmt.Sprintf(`{"title":%q}`, title)
	p, _, err := l.People.PutPerson(l.Context(), user, people.Draft{Name: name, Title: &title, State: &state, Metadata: &metadata})
	must[people.Person](l.world)(p, err)
}

// pin pins and saves a message as the owner.
func (l *live) pin(m chat.Message) {
	l.Helper()
	if err := l.Pins.Pin(l.Context(), "owner", m.Room, m.ID); err != nil {
		l.Fatal(err)
	}
	if err := l.Saved.Save(l.Context(), "owner", m.Room, m.ID); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
}

// read marks all messages of a room as read.
func (l *live) read(user chat.UserID, room chat.RoomID) {
	l.Helper()
	l.pump()
	c := must[feed.Changes](l.world)(l.Feed.Changes(l.Context(), user, room, chat.FeedPosition{}, 1))
	must[inbox.Reading](l.world)(l.Inbox.MarkRead(l.Context(), user, room, c.Head))
}

// prefer sets preferences of a member.
func (l *live) prefer(user chat.UserID, room chat.RoomID, p inbox.Preferences) {
	l.Helper()
	if err := l.Inbox.SetPreferences(l.Context(), user, user, room, p); err != nil {
		l.Fatal(err)
	}
}

// used holds the actions that the restores of this package's tests have called.
var used sync.Map

func TestMain(m *testing.M) {
	status := m.Run()
	if err := checkRights(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// checkRights compares them with the statement in the runbook for an operator's role.
func checkRights() error {
	text, err := os.ReadFile("../../docs/runbooks.md")
	if err != nil {
		return err
	}
	_, block, ok := strings.Cut(string(text), "```json\n")
	block, _, _ = strings.Cut(block, "```")
	var statement struct{ Action []string }
	if err := json.Unmarshal([]byte(block), &statement); !ok || err != nil {
		return fmt.Errorf("docs/runbooks.md has no statement for an operator: %w", err)
	}
	used.Range(func(action, _ any) bool {
		if !slices.Contains(statement.Action, "dynamodb:"+action.(string)) {
			err = fmt.Errorf("restores call %s, which docs/runbooks.md does not allow an operator", action)
		}
		return err == nil
	})
	return err
}

// recorded is a client's option that records the actions called. Each action in a transaction is
// authorized by itself.
func recorded(o *dynamodb.Options) {
	o.HTTPClient = recorder{o.HTTPClient}
}

type recorder struct{ next dynamodb.HTTPClient }

func (c recorder) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if operation != "TransactWriteItems" {
		used.Store(operation, true)
		return c.next.Do(r)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var transaction struct{ TransactItems []map[string]any }
	if err := json.Unmarshal(text, &transaction); err != nil {
		return nil, err
	}
	for _, item := range transaction.TransactItems {
		for kind := range item {
			used.Store(strings.TrimSuffix(kind, "Item")+"Item", true) // Put is PutItem
		}
	}
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(text))
	return c.next.Do(again)
}
