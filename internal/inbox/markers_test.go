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
