// Package chattest starts the services on the local engine for tests.
package chattest

import (
	"crypto/rand"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

// Start is the time that a new Clock shows.
var Start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// The tables of the services.
const (
	Table     = "chat"
	LogTable  = "log"
	LiveTable = "live"
)

// recorder fails the tests of a package whose services make calls that the functions' roles do not
// allow.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{Table: "Table", LogTable: "LogTable", LiveTable: "LiveTable", buckettest.Host: "FilesBucket"})

// Main runs the tests of a package, for its TestMain. The package must be in a folder directly
// below internal. Main fails the tests if a service has made a call that the functions' roles do
// not allow.
func Main(m *testing.M) int { return recorder.Guard(m) }

// Clock is a clock that tests set. It is safe for concurrent use.
type Clock struct{ ns atomic.Int64 }

// NewClock returns a clock that is set to Start.
func NewClock() *Clock {
	c := &Clock{}
	c.ns.Store(Start.UnixNano())
	return c
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return time.Unix(0, c.ns.Load()) }

// Advance moves the clock by d.
func (c *Clock) Advance(d time.Duration) { c.ns.Add(int64(d)) }

// New starts an engine and returns services that use it, with their clock.
func New(t *testing.T) (*app.Services, *Clock) {
	t.Helper()
	return NewOn(t, enginetest.Start(t), func(*app.Options) {})
}

// NewWith is New with changed options. A test that looks into the bucket sets one of buckettest.
func NewWith(t *testing.T, change func(*app.Options)) (*app.Services, *Clock) {
	t.Helper()
	return NewOn(t, enginetest.Start(t), change)
}

// NewOn is NewWith on an engine that is already running. Main checks its calls.
func NewOn(t *testing.T, endpoint string, change func(*app.Options)) (*app.Services, *Clock) {
	t.Helper()
	client := dynamo.LocalClient(endpoint)
	tabletest.Create(t, client, Table)
	tabletest.CreateLog(t, client, LogTable)
	tabletest.CreateLive(t, client, LiveTable)
	client = dynamo.LocalClient(endpoint, recorder.Client(rights.Service))
	c := NewClock()
	options := app.Options{
		Store: dynamo.New(client, dynamo.Options{Table: Table, Clock: c.Now}),
		Logs:  activity.NewStore(dynamo.NewLogTable(client, LogTable, nil)),
		Live:  live.NewTable(dynamo.NewTable(client, LiveTable, nil)),
		Clock: c.Now, Random: rand.Reader, Hooks: hook.Rules{On: true, Owners: true}, Bucket: buckettest.New(t, c.Now, recorder.FilesOf(rights.Service)).Client,
	}
	change(&options)
	return app.New(options), c
}

// CreateRoom creates a public room that the user "maker" owns. The variable SHARDS replaces one
// shard (make test-shards).
func CreateRoom(t *testing.T, s *app.Services, id chat.RoomID, shards int) {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("SHARDS")); err == nil && shards == 1 {
		shards = n
	}
	CreateRoomOf(t, s, id, shards)
}

// CreateRoomOf is CreateRoom for a test that depends on the number of shards.
func CreateRoomOf(t *testing.T, s *app.Services, id chat.RoomID, shards int) {
	t.Helper()
	if _, created, err := s.PutRoom(t.Context(), "maker", id, chat.RoomDraft{Shards: &shards}); err != nil || !created {
		t.Fatalf("create room %s: created %v, %v", id, created, err)
	}
}

// CreatePrivateRoom creates a private room and returns its id.
func CreatePrivateRoom(t *testing.T, s *app.Services, owner chat.UserID) chat.RoomID {
	t.Helper()
	name := "Secret"
	room, _, err := s.Private.PostRoom(t.Context(), owner, uuid.UUID{}, chat.RoomDraft{Name: &name})
	if err != nil || !room.ID.Private() || !room.Private || room.CreatedBy != owner {
		t.Fatalf("private room %+v, %v", room, err)
	}
	return room.ID
}

// SetRole gives a user a role in a room. It adds a user who becomes a moderator or an owner as a
// member first, because only members may.
func SetRole(t *testing.T, s *app.Services, caller chat.UserID, room chat.RoomID, user chat.UserID, role policy.Role) error {
	t.Helper()
	of := chat.MemberOf{Room: room, User: user}
	m, _, err := s.Members.SetMember(t.Context(), caller, of, role)
	if chat.KindOf(err) == chat.Conflict && role >= policy.Moderator && caller != user {
		if _, _, err := s.Members.SetMember(t.Context(), caller, of, policy.Member); err != nil {
			return err
		}
		m, _, err = s.Members.SetMember(t.Context(), caller, of, role)
	}
	if err == nil && (m.User != user || m.Room != room) {
		t.Errorf("membership %+v", m)
	}
	return err
}

// Post posts a message in the room seattle.
func Post(t *testing.T, s *app.Services, user chat.UserID, text string) chat.Message {
	t.Helper()
	m, _, err := s.PostMessage(t.Context(), user, "seattle", chat.MessageDraft{Text: text})
	if err != nil {
		t.Fatalf("post: %v", err)
	}
	return m
}

// WantKind reports a test error if err is not of the wanted kind. The zero Kind wants no domain
// error.
func WantKind(t *testing.T, what string, err error, want chat.Kind) {
	t.Helper()
	if chat.KindOf(err) != want {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}
