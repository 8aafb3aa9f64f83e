package privateroom_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// requestAt returns the id of a request that was sent at a time.
func requestAt(at time.Time, n byte) uuid.UUID { return chat.NewUUID(at, [10]byte{9: n}) }

// post posts a room, which must be a replay or not as wanted.
func post(t *testing.T, s *app.Services, id uuid.UUID, draft chat.RoomDraft, wantReplay bool) chat.Room {
	t.Helper()
	room, replay, err := s.Private.PostRoom(t.Context(), "ann", id, draft)
	if err != nil || replay != wantReplay {
		t.Fatalf("replay %v, %v; want %v", replay, err, wantReplay)
	}
	room.DigestKey = nil
	return room
}

func named(name string) chat.RoomDraft { return chat.RoomDraft{Name: &name} }

// wantRefusal reports a test error unless a request of ann's is refused with an error about its id.
func wantRefusal(t *testing.T, s *app.Services, what string, id uuid.UUID, draft chat.RoomDraft, want chat.Kind) {
	t.Helper()
	_, _, err := s.Private.PostRoom(t.Context(), "ann", id, draft)
	chattest.WantKind(t, what, err, want)
	if e := (*chat.Error)(nil); errors.As(err, &e) && (e.Field != "requestId" || e.ServerTime.IsZero() != (want != chat.ClockSkew)) {
		t.Errorf("%s: %+v", what, e)
	}
}

func TestPostRoom_RetryFindsTheRoom(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	id := requestAt(clock.Now(), 1)
	metadata := `{ "a": 1 }`
	draft := chat.RoomDraft{Name: named("Board").Name, Metadata: &metadata}
	room := post(t, s, id, draft, false)
	clock.Advance(time.Hour)
	if again := post(t, s, id, draft, true); fmt.Sprint(again) != fmt.Sprint(room) {
		t.Errorf("the retry answers %+v, want %+v", again, room)
	}
	spaced := `{"a" :1}`
	post(t, s, id, chat.RoomDraft{Name: draft.Name, Metadata: &spaced}, true)
	renamed := "The board"
	if _, _, err := s.PutRoom(t.Context(), "ann", room.ID, chat.RoomDraft{Name: &renamed}); err != nil {
		t.Fatal(err)
	}
	if again := post(t, s, id, draft, true); again.ID != room.ID || again.Name != renamed {
		t.Errorf("after a change, the retry answers %+v", again)
	}
	wantRefusal(t, s, "the room as it is now", id, named(renamed), chat.Conflict)
	if other := post(t, s, requestAt(clock.Now(), 2), draft, false); other.ID == room.ID {
		t.Error("another request finds the same room")
	}
	bobs, replay, err := s.Private.PostRoom(t.Context(), "bob", id, draft)
	if err != nil || replay || bobs.ID == room.ID {
		t.Errorf("the same id of another caller: %s, replay %v, %v", bobs.ID, replay, err)
	}
	if first, second := post(t, s, uuid.UUID{}, draft, false), post(t, s, uuid.UUID{}, draft, false); first.ID == second.ID {
		t.Error("without an id, two requests create one room")
	}
}

// TestPostRoom_EverySettingIsContent retries with one setting changed, for every one that there is.
func TestPostRoom_EverySettingIsContent(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	id := requestAt(clock.Now(), 1)
	post(t, s, id, named("Board"), false)
	name, text, n, posting, pause, yes := "Another", "{}", 2, policy.Members, time.Minute, true
	values := []any{new(policy.GrantMembers), &text, &n, &posting, &pause, &yes, &[]string{}}
	for i, field := range slices.Collect(reflect.ValueOf(chat.RoomDraft{}).Type().Fields()) {
		if field.Name == "If" { // no setting
			continue
		}
		draft := named("Board")
		to := reflect.ValueOf(&draft).Elem().Field(i)
		if field.Name == "Name" {
			draft = named(name)
		} else {
			v := slices.IndexFunc(values, func(v any) bool { return reflect.TypeOf(v) == to.Type() })
			if v < 0 {
				t.Fatalf("no value for the setting %s", field.Name)
			}
			to.Set(reflect.ValueOf(values[v]))
		}
		wantRefusal(t, s, "another "+field.Name, id, draft, chat.Conflict)
	}
	post(t, s, id, named("Board"), true)
}

func TestPostRoom_BoundsTheTimeOfTheID(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	now := clock.Now()
	for what, at := range map[string]time.Time{"too far ahead": now.Add(chat.MaxAhead + time.Millisecond), "too old": now.Add(-chat.MaxAge - time.Millisecond)} {
		wantRefusal(t, s, what, requestAt(at, 1), named("x"), chat.ClockSkew)
	}
	post(t, s, requestAt(now.Add(chat.MaxAhead), 1), named("x"), false)
	post(t, s, requestAt(now.Add(-chat.MaxAge), 1), named("x"), false)
	id := requestAt(now, 1)
	room := post(t, s, id, named("x"), false)
	clock.Advance(2*chat.MaxAge - time.Second)
	if again := post(t, s, id, named("x"), true); again.ID != room.ID {
		t.Errorf("two days later the room is %s, want %s", again.ID, room.ID)
	}
	wantRefusal(t, s, "other content, two days later", id, named("y"), chat.Conflict)
	clock.Advance(time.Second) // the engine still has the item
	wantRefusal(t, s, "an expired request", id, named("x"), chat.ClockSkew)
}

// TestPostRoom_RoomIsGone retries a request after its room is hidden from the caller, who gets the
// same answer in every case.
func TestPostRoom_RoomIsGone(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	ctx := t.Context()
	texts := map[string]bool{}
	for n, hide := range map[byte]func(chat.RoomID) error{
		1: func(room chat.RoomID) error { return s.DeleteRoom(ctx, "ann", room, nil) },
		2: func(room chat.RoomID) error { // leave
			err := chattest.SetRole(t, s, "ann", room, "bob", policy.Member)
			err = errors.Join(err, chattest.SetRole(t, s, "ann", room, "bob", policy.Owner))
			return errors.Join(err, s.Members.RemoveMember(ctx, "ann", chat.MemberOf{Room: room, User: "ann"}))
		},
	} {
		id := requestAt(clock.Now(), n)
		room := post(t, s, id, named("x"), false)
		if err := hide(room.ID); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"x", "y"} {
			wantRefusal(t, s, "after the room is gone", id, named(name), chat.Conflict)
			_, _, err := s.Private.PostRoom(ctx, "ann", id, named(name))
			texts[fmt.Sprint(err)] = true
		}
	}
	if len(texts) != 1 {
		t.Errorf("the answers differ: %v", texts)
	}
}

// TestPostRoom_ConcurrentRequestsMakeOneRoom sends one request many times concurrently. No other test
// runs alongside it, because the engine keeps the calls of a whole burst waiting.
func TestPostRoom_ConcurrentRequestsMakeOneRoom(t *testing.T) {
	calls := race.Rounds(nightly.Times(100, 1000))
	var store app.Stores
	s, clock := chattest.NewWith(t, func(o *app.Options) { store = o.Store })
	id := requestAt(clock.Now(), 1)
	var rooms sync.Map
	var created atomic.Int64
	var wg sync.WaitGroup
	gate := make(chan struct{})
	for range calls {
		wg.Go(func() {
			<-gate
			room, replay, err := s.Private.PostRoom(t.Context(), "ann", id, named("x"))
			for chat.KindOf(err) == chat.Unavailable { // as a client does; the engine is overloaded at first
				room, replay, err = s.Private.PostRoom(t.Context(), "ann", id, named("x"))
			}
			if err != nil {
				t.Error(err)
				return
			}
			rooms.Store(room.ID, true)
			if !replay {
				created.Add(1)
			}
		})
	}
	close(gate)
	wg.Wait()
	ids := 0
	rooms.Range(func(any, any) bool { ids++; return true })
	memberships, _, err := inbox.NewStore(store.Table()).OwnRooms(t.Context(), "ann", nil)
	if ids != 1 || created.Load() > 1 || err != nil || len(memberships) != 1 { // the answer of the creation may be lost
		t.Errorf("%d calls answered with %d rooms, %d of them created one, and ann is in %d, %v", calls, ids, created.Load(), len(memberships), err)
	}
}

// TestPostRoom_AuditsServices lets a service create rooms for a person.
func TestPostRoom_AuditsServices(t *testing.T) {
	t.Parallel()
	var log activity.Store
	s, clock := chattest.NewWith(t, func(o *app.Options) { log = o.Logs })
	for _, id := range []uuid.UUID{{}, requestAt(clock.Now(), 1)} {
		for replay := range 2 {
			room, _, err := s.Private.PostRoom(chat.WithService(t.Context(), "bot"), "ann", id, named("x"))
			if err != nil {
				t.Fatal(err)
			}
			entries, _, err := log.ReadLog(t.Context(), activity.LogRange{Log: activity.Log{Room: room.ID}, Now: chattest.Start, Limit: 9})
			if err != nil || len(entries) != 1 || entries[0].Type != "room.created" || entries[0].By != "ann" || entries[0].Via != "bot" {
				t.Errorf("request %s, replay %d: audited %+v, %v", id, replay, entries, err)
			}
		}
	}
	own, _, err := log.ReadLog(t.Context(), activity.LogRange{Log: activity.Log{Room: post(t, s, uuid.UUID{}, named("x"), false).ID}, Now: chattest.Start, Limit: 9})
	if err != nil || len(own) != 1 || own[0].Via != "" {
		t.Errorf("a person's own room is audited as %+v, %v", own, err)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
