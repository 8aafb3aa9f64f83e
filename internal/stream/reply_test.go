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

// TestAppend_AReaderOfBeforeThreadsMeetsReplies appends with this version, and with one that does
// not know replies. Neither loses a change, and neither appends one twice.
func TestAppend_AReaderOfBeforeThreadsMeetsReplies(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	var before feed.ChangeTable
	for _, kind := range feed.KnownChanges() {
		if kind.Type < feed.FirstFramedChange {
			before = append(before, kind)
		}
	}
	older, newer := w.version(before), w.version(feed.KnownChanges())
	now := time.Now().UTC().Truncate(time.Millisecond)
	root := w.receive("amsg", now, 1)
	w.deliver(newer.handler, w.stream.Next(t))
	w.reply(root, now, 2, false)
	w.reply(root, now, 3, false)
	records := w.stream.Next(t)
	w.deliver(newer.handler, records)
	last := w.receive("amsg", now.Add(time.Second), 4)
	lastRecords := w.stream.Next(t)
	w.deliver(older.handler, lastRecords)
	w.deliver(newer.handler, append(records, lastRecords...))

	_, segments, err := older.store.FeedFrom(t.Context(), "seattle", 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	seqs, unknown := int64(0), 0
	for _, s := range segments {
		seqs += int64(len(s.Changes))
		for _, c := range s.Changes {
			if c.Type == feed.ReplyCreated && c.Message == (chat.MessageID{}) && c.User == "eve" && c.Opaque != "" {
				unknown++
			}
		}
	}
	all := w.feedOf("seattle")
	if seqs != int64(len(all)) || unknown != 2 {
		t.Errorf("the older reader sees %d changes and %d replies, want %d and 2", seqs, unknown, len(all))
	}
	replies := 0
	for _, c := range all {
		if c.Type == feed.ReplyCreated && c.Thread == root.ID {
			replies++
		}
	}
	if replies != 2 || all[len(all)-1] != feed.ChangeOf(last) {
		t.Errorf("the feed has %d replies and ends with %+v", replies, all[len(all)-1])
	}
}
