package pin_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// newServices returns services with the room seattle, which "maker" owns and where bob is a member.
func newServices(t *testing.T) (*app.Services, app.Stores, *chattest.Clock) {
	t.Helper()
	var store app.Stores
	s, clock := chattest.NewWith(t, func(o *app.Options) { store, o.SendRate, o.SendBurst = o.Store, 1000, 1000 })
	chattest.CreateRoom(t, s, "seattle", 2)
	if err := chattest.SetRole(t, s, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	return s, store, clock
}

// pinned returns the texts of the pinned messages of seattle, in pages of limit.
func pinned(t *testing.T, s *app.Services, limit int) (texts []string) {
	t.Helper()
	page := chat.PageRequest{Limit: limit}
	for {
		got, err := s.Pins.Pins(t.Context(), "eve", "seattle", page)
		if err != nil || len(got.Items) > limit {
			t.Fatalf("%d pins, %v", len(got.Items), err)
		}
		for _, p := range got.Items {
			texts = append(texts, p.Current.Text)
		}
		if page.Cursor = got.Next; got.Next == "" {
			return texts
		}
	}
}

func TestPin_ListsCurrentMessages(t *testing.T) {
	t.Parallel()
	s, _, clock := newServices(t)
	var ids []chat.MessageID
	for n := range 5 {
		m := chattest.Post(t, s, "bob", fmt.Sprint(n))
		ids = append(ids, m.ID)
		if err := s.Pins.Pin(t.Context(), "maker", "seattle", m.ID); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
	}
	change := chat.Revision{Room: "seattle", ID: ids[3], Base: chat.AnyRevision}
	if _, _, err := s.EditMessage(t.Context(), "bob", change, chat.MessageEdit{Text: new("three")}); err != nil {
		t.Fatal(err)
	}
	change.ID = ids[1]
	if _, err := s.DeleteMessage(t.Context(), "bob", change); err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= 6; limit++ {
		if got := strings.Join(pinned(t, s, limit), " "); got != "4 three 2 0" {
			t.Errorf("in pages of %d: %s", limit, got)
		}
	}
	if err := s.Pins.Unpin(t.Context(), "maker", "seattle", ids[4]); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(pinned(t, s, 9), " "); got != "three 2 0" {
		t.Errorf("after one was unpinned: %s", got)
	}
}

func TestPin_RefusesAndAudits(t *testing.T) {
	t.Parallel()
	s, _, _ := newServices(t)
	m, gone := chattest.Post(t, s, "bob", "x"), chattest.Post(t, s, "bob", "y")
	if _, err := s.DeleteMessage(t.Context(), "bob", chat.Revision{Room: "seattle", ID: gone.ID, Base: 1}); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "a member", s.Pins.Pin(t.Context(), "bob", "seattle", m.ID), chat.Forbidden)
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Pinning: new(policy.GrantMembers)}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		chattest.WantKind(t, "a member who may", s.Pins.Pin(t.Context(), "bob", "seattle", m.ID), 0)
	}
	chattest.WantKind(t, "a stranger", s.Pins.Pin(t.Context(), "eve", "seattle", m.ID), chat.Forbidden)
	chattest.WantKind(t, "a deleted message", s.Pins.Pin(t.Context(), "maker", "seattle", gone.ID), chat.Conflict)
	chattest.WantKind(t, "an unknown message", s.Pins.Pin(t.Context(), "maker", "seattle", chat.MessageID{UUID: m.ID.UUID, User: "eve"}), chat.NotFound)
	hidden := chattest.CreatePrivateRoom(t, s, "maker")
	chattest.WantKind(t, "a hidden room", s.Pins.Pin(t.Context(), "bob", hidden, m.ID), chat.NotFound)
	_, err := s.Pins.Pins(t.Context(), "bob", hidden, chat.PageRequest{Limit: 1})
	chattest.WantKind(t, "the pins of a hidden room", err, chat.NotFound)
	for _, cursor := range []string{"x", "AAAA"} {
		_, err = s.Pins.Pins(t.Context(), "bob", "seattle", chat.PageRequest{Limit: 1, Cursor: cursor})
		chattest.WantKind(t, "an invalid cursor", err, chat.BadCursor)
	}
	for range 2 {
		chattest.WantKind(t, "unpin", s.Pins.Unpin(t.Context(), "maker", "seattle", m.ID), 0)
	}
	log, err := s.Activity.AuditLog(t.Context(), "maker", "seattle", activity.LogQuery{PageRequest: chat.PageRequest{Limit: 50}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range log.Items {
		if strings.HasPrefix(e.Type, "pin.") {
			got = append(got, fmt.Sprint(e.Type, " by ", e.By, " on ", e.On))
		}
	}
	if want := []string{"pin.removed by maker on bob", "pin.added by bob on bob"}; !slices.Equal(got, want) {
		t.Errorf("the audit has %q, want %q", got, want)
	}
}

// TestPin_AtMost100 fills the list of a room. TestPut_ConcurrentlyWithinTheLimit fills one concurrently.
func TestPin_AtMost100(t *testing.T) {
	t.Parallel()
	s, store, _ := newServices(t)
	for n := range pin.MaxPins - 1 {
		mustPin(t, store.Table(), "seattle", pinOf(n))
	}
	for _, want := range []chat.Kind{0, chat.Conflict} {
		chattest.WantKind(t, "pin", s.Pins.Pin(t.Context(), "maker", "seattle", chattest.Post(t, s, "bob", "x").ID), want)
	}
}

// TestProjection_UnpinsDeletedMessages performs the same work twice, as after a retried batch.
func TestProjection_UnpinsDeletedMessages(t *testing.T) {
	t.Parallel()
	s, store, _ := newServices(t)
	gone, stays, never := chattest.Post(t, s, "bob", "x"), chattest.Post(t, s, "bob", "y"), chattest.Post(t, s, "bob", "z")
	for _, m := range []chat.Message{gone, stays} {
		if err := s.Pins.Pin(t.Context(), "maker", "seattle", m.ID); err != nil {
			t.Fatal(err)
		}
	}
	work := feed.RoomChanges{Room: "seattle"}
	for _, c := range []feed.Change{
		{Type: feed.MessageDeleted, Message: gone.ID, Revision: 2}, {Type: feed.MessageDeleted, Message: never.ID, Revision: 2}, {Type: feed.MessageEdited, Message: stays.ID, Revision: 2},
	} {
		work.Entries = append(work.Entries, feed.AppendedEntry{Seq: 1, StreamChange: feed.StreamChange{Change: c}})
	}
	for range 2 {
		if err := pin.NewProjection(store.Table()).Project(t.Context(), work); err != nil {
			t.Fatal(err)
		}
		if got, err := pin.Read(t.Context(), store.Table(), "seattle", dynamo.Strong); err != nil || len(got) != 1 || got[0].Message != stays.ID {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// lateDeletion deletes a message right before it is pinned, after the service has read it.
type lateDeletion struct {
	chat.MessageGetter
	remove func()
}

func (l *lateDeletion) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	m, err := l.MessageGetter.Message(ctx, room, id)
	if l.remove != nil {
		l.remove()
		l.remove = nil
	}
	return m, err
}

func TestPin_DeletionMeanwhileLeavesNoPin(t *testing.T) {
	t.Parallel()
	s, store, clock := newServices(t)
	m := chattest.Post(t, s, "bob", "x")
	late := &lateDeletion{store, func() {
		if _, err := s.DeleteMessage(t.Context(), "bob", chat.Revision{Room: "seattle", ID: m.ID, Base: 1}); err != nil {
			t.Error(err)
		}
	}}
	pins := pin.NewService(pin.Options{Table: store.Table(), Rooms: s.Service, Messages: late, Clock: clock.Now})
	chattest.WantKind(t, "a message that is deleted meanwhile", pins.Pin(t.Context(), "maker", "seattle", m.ID), chat.Conflict)
	if got, err := pin.Read(t.Context(), store.Table(), "seattle", dynamo.Strong); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
