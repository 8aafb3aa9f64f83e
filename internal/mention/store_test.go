package mention_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests of rows begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "mentions", tabletest.Create, mention.NewStore, map[string]func(*testing.T, mention.Store){
		"a person's mentions are listed, those in the newest messages first": mentionsAreListed,
		"mentions in a room are read after a number":                         mentionsFollowANumber,
		"the ledger of a message's mentions follows its revisions":           ledgersFollowRevisions,
	})
}

// nthID returns the id of the nth message, by amsg.
func nthID(n int) chat.MessageID {
	return chat.MessageID{UUID: chat.NewUUID(start, [10]byte{2: byte(n >> 8), 3: byte(n)}), User: "amsg"}
}

// mentionOf returns the nth mention of a person. Each two are of messages received at the same
// time.
func mentionOf(room chat.RoomID, user chat.UserID, n int) mention.Row {
	r := mention.Row{Room: room, User: user, Seq: int64(n + 1), Message: nthID(n), At: start.Add(time.Duration(n) * time.Minute)}
	if user != mention.Everyone {
		r.ReceivedAt = start.Add(time.Duration(n/2) * time.Second)
	}
	return r
}

// putMention writes a row twice, as a retry does.
func putMention(t *testing.T, s mention.Store, r mention.Row) {
	t.Helper()
	for range 2 {
		if err := s.PutMention(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// wantInbox checks a person's mentions in pages of every size.
func wantInbox(t *testing.T, s mention.Store, user chat.UserID, want map[mention.Row]bool) {
	t.Helper()
	for limit := 1; limit <= len(want)+1; limit++ {
		got := map[mention.Row]bool{}
		var last time.Time
		for after := (chat.ListPosition{}); ; {
			rows, next, err := s.MentionsOf(t.Context(), user, after, limit)
			if err != nil || len(rows) > limit {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			for _, r := range rows {
				if got[r] || !last.IsZero() && r.ReceivedAt.After(last) {
					t.Errorf("in pages of %d: %+v is repeated, or not in order", limit, r)
				}
				got[r], last = true, r.ReceivedAt
			}
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, in pages of %d (-want +got):\n%s", user, limit, d)
		}
	}
}

func mentionsAreListed(t *testing.T, s mention.Store) {
	want := map[mention.Row]bool{}
	for n := range 7 {
		r := mentionOf([]chat.RoomID{"seattle", "sea"}[n%2], "bob", n)
		putMention(t, s, r)
		want[r] = true
	}
	putMention(t, s, mentionOf("seattle", "bo", 9))
	putMention(t, s, mentionOf("seattle", mention.Everyone, 8))
	wantInbox(t, s, "bob", want)
	gone := mentionOf("seattle", "bob", 2)
	for range 2 {
		if err := s.RemoveMention(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
	}
	delete(want, gone)
	wantInbox(t, s, "bob", want)
	wantInbox(t, s, "bo", map[mention.Row]bool{mentionOf("seattle", "bo", 9): true})
	wantInbox(t, s, "nobody", map[mention.Row]bool{})
}

// mentionsFollowANumber reads the mentions of one room after each number.
func mentionsFollowANumber(t *testing.T, s mention.Store) {
	for _, user := range []chat.UserID{"bob", mention.Everyone} {
		var numbers []int64
		for n := range 6 {
			r := mentionOf("seattle", user, n)
			putMention(t, s, r)
			numbers = append(numbers, r.Seq)
		}
		putMention(t, s, mentionOf("seattle-2", user, 7)) // its id begins as the other's
		slices.Reverse(numbers)
		of := chat.MemberOf{Room: "seattle", User: user}
		for after := range int64(8) {
			for limit := 1; limit <= 7; limit++ {
				rows, more, err := s.MentionsAfter(t.Context(), of, after, limit)
				if err != nil {
					t.Fatal(err)
				}
				var got []int64
				for _, r := range rows {
					if r.Room != "seattle" || r.User != user || r.Message != nthID(int(r.Seq)-1) || r.At.IsZero() {
						t.Errorf("a wrong row: %+v", r)
					}
					got = append(got, r.Seq)
				}
				want := slices.DeleteFunc(slices.Clone(numbers), func(n int64) bool { return n <= after })
				if len(got) > limit || len(got) < min(limit, len(want)) || !slices.Equal(got, want[:len(got)]) || len(got) < len(want) && !more {
					t.Errorf("%q after %d, at most %d: %v, more %v, want %v", user, after, limit, got, more, want)
				}
			}
		}
	}
}

// ledgersFollowRevisions writes the ledger of a message from several revisions.
func ledgersFollowRevisions(t *testing.T, s mention.Store) {
	id := nthID(1)
	put := func(before int, next mention.Ledger, want mention.Ledger, wantOK bool) {
		t.Helper()
		stored, ok, err := s.PutMentionLedger(t.Context(), before, next)
		if err != nil || ok != wantOK {
			t.Fatalf("stored: %v, want %v; %v", ok, wantOK, err)
		}
		if d := cmp.Diff(want, stored); d != "" && !ok {
			t.Errorf("the stored ledger (-want +got):\n%s", d)
		}
		got, err := s.MentionLedger(t.Context(), "seattle", id)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("the ledger (-want +got):\n%s%v", d, err)
		}
	}
	empty := mention.Ledger{Room: "seattle", Message: id}
	if got, err := s.MentionLedger(t.Context(), "seattle", id); err != nil || !cmp.Equal(got, empty) {
		t.Fatalf("%+v, %v", got, err)
	}
	first, other := empty, empty
	first.Revision, first.Current = 1, []mention.Entry{{User: "eve"}, {User: "bob", Seq: 7}, {User: mention.Everyone, Seq: 8}}
	other.Revision = 1
	put(0, first, first, true)
	put(0, other, first, false)
	second := empty
	second.Revision, second.Removed = 2, []mention.Entry{{User: "bob", Seq: 7}, {User: mention.Everyone, Seq: 8}}
	put(2, second, first, false)
	put(1, second, second, true)
	forget := second
	forget.Removed = second.Removed[:1]
	for range 2 {
		if err := s.ForgetRemoved(t.Context(), forget); err != nil {
			t.Fatal(err)
		}
	}
	third := empty
	third.Revision, third.Current, third.Removed = 3, []mention.Entry{{User: "amsg", Seq: 12}}, []mention.Entry{{User: mention.Everyone, Seq: 8}}
	next := third
	next.Removed = nil // stored entries stay
	put(2, next, third, true)
}

var errCrash = errors.New("the process ended")

// crash fails one call of the store, before or after it takes effect.
type crash struct {
	mention.Ledgers
	at    int64
	after bool
	calls atomic.Int64
}

func (c *crash) do(call func() error) error {
	n := c.calls.Add(1)
	if n == c.at && !c.after {
		return errCrash
	}
	err := call()
	if n == c.at {
		return errCrash
	}
	return err
}

func (c *crash) MentionLedger(ctx context.Context, room chat.RoomID, id chat.MessageID) (l mention.Ledger, err error) {
	err = c.do(func() (err error) { l, err = c.Ledgers.MentionLedger(ctx, room, id); return err })
	return l, err
}

func (c *crash) PutMentionLedger(ctx context.Context, before int, next mention.Ledger) (l mention.Ledger, ok bool, err error) {
	err = c.do(func() (err error) { l, ok, err = c.Ledgers.PutMentionLedger(ctx, before, next); return err })
	return l, ok, err
}

func (c *crash) ForgetRemoved(ctx context.Context, l mention.Ledger) error {
	return c.do(func() error { return c.Ledgers.ForgetRemoved(ctx, l) })
}

func (c *crash) PutMention(ctx context.Context, r mention.Row) error {
	return c.do(func() error { return c.Ledgers.PutMention(ctx, r) })
}

func (c *crash) RemoveMention(ctx context.Context, r mention.Row) error {
	return c.do(func() error { return c.Ledgers.RemoveMention(ctx, r) })
}
