package stream_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// reply stores a reply to root that was received at a time.
func (w *fixture) reply(root chat.Message, at time.Time, n int, showInRoom bool) chat.Message {
	w.t.Helper()
	m := chat.Message{
		Room: root.Room, Text: "y", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16), Thread: root.ID, ShowInRoom: showInRoom,
		ID: chat.MessageID{User: "eve", UUID: chat.NewUUID(at, [10]byte{9: byte(n)})},
	}
	if _, created, err := w.store.PutMessage(w.t.Context(), m); err != nil || !created {
		w.t.Fatal(created, err)
	}
	return m
}

// TestHandle_RepliesCountOnlyWhereTheRoomListsThem follows two replies, one of which the room lists,
// their edits and their deletions through the feed.
func TestHandle_RepliesCountOnlyWhereTheRoomListsThem(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	now := time.Now().UTC().Truncate(time.Millisecond)
	root := w.receive("amsg", now, 1)
	shown := w.reply(root, now.Add(time.Second), 2, true)
	hidden := w.reply(root, now.Add(2*time.Second), 3, false)
	edited := w.revise(hidden, hidden.Edited("other", now.Add(3*time.Second)))
	w.deliver(w.handler(), w.stream.Next(t))
	want := []feed.Change{
		feed.ChangeOf(root), feed.ChangeOf(shown), feed.ChangeOf(hidden), feed.ChangeOf(edited),
	}
	wantChanges(t, w.messagesOf("seattle"), want)
	head, err := w.store.FeedHead(t.Context(), "seattle")
	if err != nil || head.Count != 2 || head.Newest.Message != shown.ID || !head.Newest.Known() {
		t.Errorf("head %+v, %v, want 2 messages, the newest %v", head, err, shown.ID)
	}
	for _, m := range []chat.Message{edited, shown} {
		want = append(want, feed.ChangeOf(w.revise(m, m.Tombstone("amsg", now.Add(4*time.Second)))))
	}
	w.deliver(w.handler(), w.stream.Next(t))
	if head, err = w.store.FeedHead(t.Context(), "seattle"); err != nil || head.Count != 2 || head.Newest.Message != shown.ID {
		t.Errorf("after the deletions: head %+v, %v", head, err)
	}
	wantChanges(t, w.messagesOf("seattle"), want)
}

// TestRepair_FindsReplies repairs a feed that misses two replies, which no index partition of the
// room need hold.
func TestRepair_FindsReplies(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	now := time.Now().UTC().Truncate(time.Millisecond)
	root := w.receive("amsg", now, 1)
	w.deliver(w.handler(), w.stream.Next(t))
	shown, hidden := w.reply(root, now, 2, true), w.reply(root, now, 3, false)
	w.wantRepair("seattle", stream.RepairReport{Messages: 3, Present: 1, Appended: 2})
	all := w.messagesOf("seattle")
	wantChanges(t, all, []feed.Change{feed.ChangeOf(root), feed.ChangeOf(shown), feed.ChangeOf(hidden)})
	for _, c := range all {
		if d := cmp.Diff(c.Identity(), c); c.Message == hidden.ID && (c.Thread != root.ID || c.ShowInRoom) {
			t.Errorf("the reply became %+v (-identity +change):\n%s", c, d)
		}
	}
}
