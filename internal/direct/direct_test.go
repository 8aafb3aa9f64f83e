package direct_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/document"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// open opens a direct room, which must exist or not as wanted.
func open(t *testing.T, s *app.Services, caller chat.UserID, wantCreated bool, others ...string) chat.Room {
	t.Helper()
	room, created, err := s.Direct.PostRoom(t.Context(), caller, others)
	if err != nil || created != wantCreated {
		t.Fatalf("%s opens a room with %v: created %v, %v", caller, others, created, err)
	}
	return room
}

// in reports whether a person is in a room.
func in(t *testing.T, s *app.Services, user chat.UserID, room chat.RoomID) bool {
	t.Helper()
	_, err := s.Room(t.Context(), user, room)
	if err != nil && chat.KindOf(err) != chat.NotFound {
		t.Fatal(err)
	}
	return err == nil
}

func TestPostRoom_NamesThePeopleAtFault(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	ten := strings.Fields(strings.Repeat("# ", direct.MaxOthers+1))
	for _, tt := range []struct {
		others []string
		field  string
	}{
		{nil, "direct"}, {[]string{}, "direct"}, {ten, "direct"},
		{[]string{"amsg"}, "direct[0]"}, {[]string{"bob", "amsg"}, "direct[1]"},
		{[]string{"bob", "cy", "bob"}, "direct[2]"}, {[]string{"bob", ""}, "direct[1]"}, {[]string{"a#b"}, "direct[0]"},
	} {
		_, _, err := s.Direct.PostRoom(t.Context(), "amsg", tt.others)
		chattest.WantKind(t, fmt.Sprint(tt.others), err, chat.Invalid)
		if e := (*chat.Error)(nil); errors.As(err, &e) && e.Field != tt.field {
			t.Errorf("%v: the field is %s, want %s", tt.others, e.Field, tt.field)
		}
	}
	var nine []string
	for n := range direct.MaxOthers {
		nine = append(nine, fmt.Sprintf("%s%d", strings.Repeat("x", chat.MaxUserID-1), n))
	}
	room := open(t, s, "amsg", true, nine...)
	if len(room.Direct) != direct.MaxOthers+1 || !in(t, s, chat.UserID(nine[8]), room.ID) {
		t.Errorf("the largest room is %+v", room)
	}
}

// TestPostRoom_ConcurrentRequestsMakeOneRoom lets two people open their room concurrently, many
// times each. No other test runs concurrently, because the engine delays the calls of a burst.
func TestPostRoom_ConcurrentRequestsMakeOneRoom(t *testing.T) {
	calls := race.Rounds(nightly.Times(100, 1000))
	var store app.Stores
	s, _ := chattest.NewWith(t, func(o *app.Options) { store = o.Store })
	var rooms sync.Map
	var created atomic.Int64
	var wg sync.WaitGroup
	gate := make(chan struct{})
	for i := range calls {
		pair := []string{"amsg", "bob"}
		wg.Go(func() {
			<-gate
			room, isNew, err := s.Direct.PostRoom(t.Context(), chat.UserID(pair[i%2]), pair[1-i%2:2-i%2])
			for chat.KindOf(err) == chat.Unavailable { // as a client does; the engine is overloaded at first
				room, isNew, err = s.Direct.PostRoom(t.Context(), chat.UserID(pair[i%2]), pair[1-i%2:2-i%2])
			}
			if err != nil {
				t.Error(err)
				return
			}
			rooms.Store(room.ID, true)
			if isNew {
				created.Add(1)
			}
		})
	}
	close(gate)
	wg.Wait()
	ids := 0
	rooms.Range(func(any, any) bool { ids++; return true })
	if ids != 1 || created.Load() > 1 { // the response to the creation may be lost
		t.Errorf("%d calls answered with %d rooms, and %d of them created one", calls, ids, created.Load())
	}
	memberships, _, err := inbox.NewStore(store.Table()).OwnRooms(t.Context(), "bob", nil)
	if err != nil || len(memberships) != 1 {
		t.Errorf("bob is in %d rooms, %v", len(memberships), err)
	}
}

func TestPostRoom_NobodyAdministers(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	room := open(t, s, "amsg", true, "bob", "cy").ID
	name, ctx := "Ours", t.Context()
	for _, user := range []chat.UserID{"amsg", "bob"} {
		_, _, err := s.PutRoom(ctx, user, room, chat.RoomDraft{Name: &name})
		chattest.WantKind(t, "rename", err, chat.Forbidden)
		for _, role := range []policy.Role{policy.Member, policy.Muted, policy.Banned, policy.Owner} {
			chattest.WantKind(t, "invite as "+role.String(), chattest.SetRole(t, s, user, room, "dan", role), chat.Forbidden)
			chattest.WantKind(t, "make cy "+role.String(), chattest.SetRole(t, s, user, room, "cy", role), chat.Forbidden)
		}
		chattest.WantKind(t, "remove", s.Members.RemoveMember(ctx, user, chat.MemberOf{Room: room, User: "cy"}), chat.Forbidden)
		chattest.WantKind(t, "promote oneself", chattest.SetRole(t, s, user, room, user, policy.Owner), chat.Forbidden)
		m, _, err := s.PostMessage(ctx, user, room, chat.MessageDraft{Text: "hello"})
		chattest.WantKind(t, "post", err, 0)
		_, err = s.DeleteMessage(ctx, "cy", chat.Revision{Room: room, ID: m.ID, Base: 1})
		chattest.WantKind(t, "delete another's message", err, chat.Forbidden)
	}
	_, _, err := s.PutRoom(ctx, "dan", room, chat.RoomDraft{Name: &name})
	chattest.WantKind(t, "rename by a stranger", err, chat.NotFound)
	chattest.WantKind(t, "join", chattest.SetRole(t, s, "dan", room, "dan", policy.Member), chat.NotFound)
}

// TestPostRoom_RacesWithLeaving lets people leave while others open the room. Whatever the
// outcome, opening the room once more brings everyone back.
func TestPostRoom_RacesWithLeaving(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	room := open(t, s, "amsg", true, "bob", "cy").ID
	for range 20 {
		var wg sync.WaitGroup
		for _, user := range []chat.UserID{"bob", "cy"} {
			wg.Go(func() {
				err := s.Members.RemoveMember(t.Context(), user, chat.MemberOf{Room: room, User: user})
				if kind := chat.KindOf(err); err != nil && kind != chat.NotFound && kind != chat.Unavailable {
					t.Errorf("leave: %v", err)
				}
			})
			wg.Go(func() {
				got, created, err := s.Direct.PostRoom(t.Context(), "amsg", []string{"bob", "cy"})
				if chat.KindOf(err) != chat.Unavailable && (err != nil || created || got.ID != room) {
					t.Errorf("open: %s, created %v, %v", got.ID, created, err)
				}
			})
		}
		wg.Wait()
		open(t, s, "amsg", false, "bob", "cy")
		for _, user := range []chat.UserID{"amsg", "bob", "cy"} {
			if !in(t, s, user, room) {
				t.Fatalf("%s is not in the room", user)
			}
		}
	}
}

func TestPostRoom_WithoutTheRightToCreateRooms(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.MayCreateRooms = func(u chat.UserID) bool { return u == "amsg" } })
	_, _, err := s.Direct.PostRoom(t.Context(), "bob", []string{"amsg"})
	chattest.WantKind(t, "the first call", err, chat.Forbidden)
	room := open(t, s, "amsg", true, "bob").ID
	if again := open(t, s, "bob", false, "amsg"); again.ID != room {
		t.Errorf("bob finds %s, want %s", again.ID, room)
	}
}

func TestPostRoom_EveryoneWritesDocuments(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	room := open(t, s, "amsg", true, "bob").ID
	for base, user := range []chat.UserID{"amsg", "bob", "amsg"} {
		draft := document.PartDraft{Room: room, Document: "plan", Part: "one", Base: base, Text: "by " + string(user)}
		if _, _, err := s.Documents.SavePart(t.Context(), user, draft); err != nil {
			t.Errorf("%s saves version %d: %v", user, base+1, err)
		}
	}
	_, _, err := s.Documents.SavePart(t.Context(), "dan", document.PartDraft{Room: room, Document: "plan", Part: "one", Base: 3, Text: "x"})
	chattest.WantKind(t, "a stranger", err, chat.NotFound)
	members := policy.ForMembers
	_, _, err = s.Documents.PutDocument(t.Context(), "amsg", room, "plan", document.Draft{Read: &members})
	chattest.WantKind(t, "permissions, which could lock people out", err, chat.Forbidden)
}

// TestPostRoom_AuditsServices lets a service open a room for a person.
func TestPostRoom_AuditsServices(t *testing.T) {
	t.Parallel()
	var log activity.Store
	s, _ := chattest.NewWith(t, func(o *app.Options) { log = o.Logs })
	open(t, s, "amsg", true, "cy") // not audited
	viaBot := chat.WithService(t.Context(), "bot")
	opened, _, err := s.Direct.PostRoom(viaBot, "amsg", []string{"bob"})
	if err != nil {
		t.Fatal(err)
	}
	room := opened.ID
	if err := s.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: room, User: "bob"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Direct.PostRoom(viaBot, "amsg", []string{"bob"}); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Members.SetMember(viaBot, "amsg", chat.MemberOf{Room: room, User: "dan"}, policy.Member)
	chattest.WantKind(t, "a service adds a person", err, chat.Forbidden)
	var actions []string
	entries, _, err := log.ReadLog(t.Context(), activity.LogRange{Log: activity.Log{Room: room}, Now: chattest.Start, Limit: 9})
	for _, e := range entries {
		actions = append(actions, fmt.Sprintf("%s via %s: %s %s", e.By, e.Via, e.Type, e.On))
	}
	if want := []string{"amsg via bot: member.role bob", "bob via : member.left bob", "amsg via bot: room.created "}; !slices.Equal(actions, want) || err != nil {
		t.Errorf("audited %q, %v, want %q", actions, err, want)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
