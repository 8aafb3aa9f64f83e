package inbox_test

import (
	"context"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

func TestRoomsOf_CountsUnreadMessages(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	chattest.CreateRoom(t, w.Services, "portland", 1)
	reading := func(user chat.UserID) inbox.Reading {
		t.Helper()
		l, err := w.Inbox.RoomsOf(t.Context(), user, user, chat.PageRequest{Limit: 50})
		if err != nil || l.Items[len(l.Items)-1].Membership.Room != "seattle" {
			t.Fatalf("%+v, %v", l, err)
		}
		return l.Items[len(l.Items)-1].Reading
	}
	want := func(got, want inbox.Reading) {
		t.Helper()
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	a, b := w.sent("amsg", "a"), w.sent("amsg", "b")
	w.appendTo("seattle", []feed.Change{{Type: feed.RoomChanged, Origin: 1}, feed.ChangeOf(a), feed.ChangeOf(b)}, nil)
	want(reading("maker"), inbox.Reading{Unread: 2})
	for _, step := range []struct {
		seq  int64
		want inbox.Reading
	}{
		{2, inbox.Reading{Seq: 2, Unread: 1}},
		{1, inbox.Reading{Seq: 2, Unread: 1}}, // never back
		{3, inbox.Reading{Seq: 3}},
		{3, inbox.Reading{Seq: 3}},
		{0, inbox.Reading{Seq: 3}},
	} {
		got, err := w.Inbox.MarkRead(t.Context(), "maker", "seattle", step.seq)
		if err != nil {
			t.Fatal(err)
		}
		want(got, step.want)
		want(reading("maker"), step.want)
	}
	_, err := w.Inbox.MarkRead(t.Context(), "maker", "seattle", 4)
	chattest.WantKind(t, "a mark beyond the newest change", err, chat.Invalid)
	edit := feed.Change{Type: feed.MessageEdited, Message: a.ID, Revision: 2}
	w.appendTo("seattle", []feed.Change{edit, feed.ChangeOf(w.sent("bob", "c")), {Type: feed.MemberChanged, User: "bob", Origin: 2}}, nil)
	want(reading("maker"), inbox.Reading{Seq: 3, Unread: 1})
	if err := chattest.SetRole(t, w.Services, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	want(reading("bob"), inbox.Reading{}) // what was said before he came is not unread
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "d"))}, nil)
	want(reading("bob"), inbox.Reading{Unread: 1})
	want(reading("maker"), inbox.Reading{Seq: 3, Unread: 2})
}

// TestReadingOf_CostsOneUnit reads what a room shows of its reader, with little and nothing unread,
// and of people who are not in the room.
func TestReadingOf_CostsOneUnit(t *testing.T) {
	t.Parallel()
	w, metered, meter := newMeteredFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	var last chat.Message
	for range 3 {
		last = w.said("seattle", "bob", "hello")
	}
	for _, tt := range []struct {
		user  chat.UserID
		want  inbox.Reading
		in    bool
		units float64
	}{
		{"maker", inbox.Reading{Unread: 3}, true, 3},
		{"maker", inbox.Reading{Seq: 3}, true, 1},
		{"bob", inbox.Reading{}, false, 0},
	} {
		a, err := metered.Room(t.Context(), tt.user, "seattle")
		if err != nil {
			t.Fatal(err)
		}
		units, steps, names := meter.measured(t, func(ctx context.Context) {
			if got, in, err := metered.Inbox.ReadingOf(ctx, a); err != nil || got != tt.want || in != tt.in {
				t.Errorf("%s: %+v, %v, %v, want %+v", tt.user, got, in, err, tt.want)
			}
		})
		t.Logf("%s: %.1f units in %d steps", tt.user, units, steps)
		if units > tt.units || steps > 3 {
			t.Errorf("%s: %.1f units in %d steps, want %.1f: %q", tt.user, units, steps, tt.units, names)
		}
		if _, err := w.Inbox.MarkMessage(t.Context(), tt.user, "seattle", last.ID); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMarkRead_AgreesWithRoomsOf(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "a")), feed.ChangeOf(w.sent("amsg", "b"))}, nil)
	if err := chattest.SetRole(t, w.Services, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "c"))}, nil)
	for _, seq := range []int64{0, 1, 2, 3} {
		marked, err := w.Inbox.MarkRead(t.Context(), "bob", "seattle", seq)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := w.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1})
		if err != nil || listed.Items[0].Reading != marked {
			t.Errorf("read up to %d: %+v, listed as %+v, %v", seq, marked, listed, err)
		}
	}
}

// TestMarkRead_ChangeOfANewerVersionIsNotUnread counts messages around entries of types that this
// version does not know.
func TestMarkRead_ChangeOfANewerVersionIsNotUnread(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	newer := func(payload string) feed.Change { return feed.Change{Type: 255, User: "amsg", Opaque: payload} }
	w.appendTo("seattle", []feed.Change{newer("a"), feed.ChangeOf(w.sent("amsg", "1")), newer("b")}, nil)
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "2")), newer("c"), newer("d")}, nil)
	for seq, want := range []int64{0: 2, 1: 2, 2: 1, 3: 1, 4: 0, 5: 0, 6: 0} {
		got, err := w.Inbox.MarkRead(t.Context(), "bob", "seattle", int64(seq))
		if err != nil || got.Seq != int64(seq) || got.Unread != want {
			t.Errorf("read up to %d: %+v, %v, want %d unread", seq, got, err, want)
		}
	}
}

func TestMarkRead_ExpiredNumberCountsAllBefore(t *testing.T) {
	t.Parallel()
	w, remove := newExpiringFixture(t)
	first, second, third := w.two(), w.two(), w.two()
	w.two()
	if got, err := w.Inbox.MarkRead(t.Context(), "maker", "seattle", 4); err != nil || got.Unread != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, s := range []feed.Segment{first, second, third} {
		remove(s)
	}
	if got, err := w.Inbox.MarkRead(t.Context(), "maker", "seattle", 6); err != nil || got.Unread != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRoomsOf_MessagesDuringABanAreNotUnread(t *testing.T) {
	t.Parallel()
	w, _ := newExpiringFixture(t)
	for _, role := range []policy.Role{policy.Member, policy.Banned, policy.Member} {
		if err := chattest.SetRole(t, w.Services, "maker", "seattle", "bob", role); err != nil {
			t.Fatal(err)
		}
		w.two()
	}
	l, err := w.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1})
	if err != nil || l.Items[0].Reading.Unread != 2 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestMarkRead_StrangerWhoseMuteHasExpired(t *testing.T) {
	t.Parallel()
	w, _ := newExpiringFixture(t)
	w.two()
	mute := membership.Restriction{Role: policy.Muted, Until: w.clock.Now().Add(time.Hour)}
	if _, _, err := w.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "bob"}, mute); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Hour)
	if got, err := w.Inbox.MarkRead(t.Context(), "bob", "seattle", 1); err != nil || got.Unread != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMarkRead_QuietRoomHasNothingUnread(t *testing.T) {
	t.Parallel()
	w, remove := newExpiringFixture(t)
	remove(w.two())
	for _, tt := range []struct {
		seq  int64
		want inbox.Reading
	}{
		{1, inbox.Reading{Seq: 1, Unread: 2}}, // the type of an expired change is unknown
		{2, inbox.Reading{Seq: 2}},
	} {
		if got, err := w.Inbox.MarkRead(t.Context(), "maker", "seattle", tt.seq); err != nil || got != tt.want {
			t.Errorf("%+v, want %+v, %v", got, tt.want, err)
		}
	}
}
