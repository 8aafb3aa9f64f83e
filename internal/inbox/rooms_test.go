package inbox_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

type inboxRoom = inbox.Room

// said posts a message and appends it to the room's feed, as the feed function would.
func (w *fixture) said(room chat.RoomID, user chat.UserID, text string) chat.Message {
	w.t.Helper()
	m, _, err := w.PostMessage(w.t.Context(), user, room, chat.MessageDraft{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	w.clock.Advance(time.Second)
	w.appendTo(room, []feed.Change{feed.ChangeOf(m)}, nil)
	return m
}

// idsOf lists a person's rooms in pages of limit.
func (w *fixture) idsOf(user chat.UserID, limit int) string {
	w.t.Helper()
	var ids []string
	for cursor := ""; ; {
		page, err := w.Inbox.RoomsOf(w.t.Context(), user, user, chat.PageRequest{Limit: limit, Cursor: cursor})
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range page.Items {
			ids = append(ids, string(r.Room.ID))
		}
		if cursor = page.Next; cursor == "" {
			return strings.Join(ids, " ")
		}
	}
}

// headsOf returns the rooms of Heads.
func (w *fixture) headsOf(user chat.UserID) string {
	w.t.Helper()
	heads, err := w.Inbox.Heads(w.t.Context(), user)
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for _, h := range heads {
		if ids = append(ids, string(h.Room)); h.Last != max(0, w.heads[h.Room].Last()) {
			w.t.Errorf("the head of %s is %+v", h.Room, h)
		}
	}
	return strings.Join(ids, " ")
}

// TestRoomsOf_LastMessage covers a head that names the newest message, and one that does not.
func TestRoomsOf_LastMessage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 2)
	first := func() inbox.Room {
		t.Helper()
		page, err := w.Inbox.RoomsOf(t.Context(), "maker", "maker", chat.PageRequest{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		return page.Items[0]
	}
	if got := first(); got.Newest != nil || !got.ActiveAt.Equal(got.Membership.JoinedAt) {
		t.Errorf("without messages: %+v", got)
	}
	m := w.said("seattle", "bob", "hello")
	if got := first(); got.Newest == nil || got.Newest.ID != m.ID || got.Newest.Text != "hello" || got.Room.Name != "seattle" {
		t.Errorf("%+v", got)
	}
	late := w.sent("eve", "late") // its feed is of a version that does not record the newest message
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(late)}, func(s *feed.Segment) { s.Newest = feed.Newest{} })
	if got := first(); got.Newest == nil || got.Newest.ID != late.ID || !got.ActiveAt.Equal(w.heads["seattle"].WrittenAt) {
		t.Errorf("of an older feed: %+v", got)
	}
	if _, err := w.DeleteMessage(t.Context(), "eve", chat.Revision{Room: "seattle", ID: late.ID, Base: chat.AnyRevision}); err != nil {
		t.Fatal(err)
	}
	if got := first(); got.Newest == nil || got.Newest.ID != late.ID || !got.Newest.Deleted() || got.Newest.Text != "" {
		t.Errorf("deleted: %+v", got.Newest)
	}
}

func TestPreview_NeverSplitsACharacter(t *testing.T) {
	for _, unit := range []string{"a", "ä", "語", "👍"} {
		for _, n := range []int{0, 1, 199, 200, 201, 500} {
			got := inbox.Preview(strings.Repeat(unit, n))
			if want := strings.Repeat(unit, min(n, 200)); got != want || !utf8.ValidString(got) {
				t.Errorf("%d of %s: %d bytes, want %d", n, unit, len(got), len(want))
			}
		}
	}
}

// TestRoomsOf_UnreadLeavesOutOwnAndDeleted counts to the cap and beyond.
func TestRoomsOf_UnreadLeavesOutOwnAndDeleted(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	unread := func(user chat.UserID) int64 {
		t.Helper()
		page, err := w.Inbox.RoomsOf(t.Context(), user, user, chat.PageRequest{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		return page.Items[0].Reading.Unread
	}
	if err := chattest.SetRole(t, w.Services, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	theirs := w.said("seattle", "bob", "1")
	w.said("seattle", "maker", "own")
	w.said("seattle", "eve", "2")
	if a, b := unread("maker"), unread("bob"); a != 2 || b != 2 {
		t.Errorf("maker has %d unread, bob %d, want 2 each", a, b)
	}
	w.appendTo("seattle", []feed.Change{{Type: feed.MessageDeleted, Message: theirs.ID, Revision: 2}}, nil)
	if a, b := unread("maker"), unread("bob"); a != 1 || b != 2 {
		t.Errorf("after a deletion maker has %d unread, bob %d, want 1 and 2", a, b)
	}
	for _, tt := range []struct{ more, want int64 }{{997, 998}, {1, 999}, {1, 1000}, {1, 1000}, {3000, 1000}} {
		for left := tt.more; left > 0; left -= 1000 {
			w.appendTo("seattle", invented(min(left, 1000), left), nil)
		}
		if got := unread("maker"); got != tt.want {
			t.Errorf("after %d more, %d are unread, want %d", tt.more, got, tt.want)
		}
	}
}

// invented returns changes of n messages that are in no table.
func invented(n, seed int64) []feed.Change {
	var all []feed.Change
	for i := range n {
		id := chat.MessageID{User: "eve", UUID: chat.NewUUID(chattest.Start, [10]byte{4: byte(seed >> 8), 5: byte(seed), 8: byte(i >> 8), 9: byte(i)})}
		all = append(all, feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1})
	}
	return all
}

// TestRoomsOf_LeavesOutBlockedPeople blocks a person who wrote, and one who added the reader.
func TestRoomsOf_LeavesOutBlockedPeople(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, room := range []chat.RoomID{"seattle", "tacoma"} {
		chattest.CreateRoom(t, w.Services, room, 1)
		if err := chattest.SetRole(t, w.Services, "maker", room, "eve", policy.Moderator); err != nil {
			t.Fatal(err)
		}
	}
	if err := chattest.SetRole(t, w.Services, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	if err := chattest.SetRole(t, w.Services, "eve", "tacoma", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	w.said("seattle", "eve", "1")
	w.said("seattle", "maker", "2")
	for _, tt := range []struct {
		change func() error
		rooms  string
		unread int64
	}{
		{func() error { return nil }, "seattle tacoma", 2},
		{func() error { return w.Blocks.Block(t.Context(), "bob", "eve") }, "seattle", 1},
		{func() error { return w.Blocks.Unblock(t.Context(), "bob", "eve") }, "seattle tacoma", 2},
	} {
		if err := tt.change(); err != nil {
			t.Fatal(err)
		}
		page, err := w.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 9})
		if err != nil || w.idsOf("bob", 9) != tt.rooms || w.headsOf("bob") != tt.rooms || page.Items[0].Reading.Unread != tt.unread {
			t.Errorf("%s, heads of %s, %+v, %v, want %s and %d unread", w.idsOf("bob", 9), w.headsOf("bob"), page.Items[0].Reading, err, tt.rooms, tt.unread)
		}
	}
}
