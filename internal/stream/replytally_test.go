package stream_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/race"
	"example.com/parley/internal/thread"
)

// replyBy stores a reply of a person, received some seconds after the root.
func (w *fixture) replyBy(root chat.Message, user chat.UserID, seconds int) chat.Message {
	w.t.Helper()
	at := root.ReceivedAt.Add(time.Duration(seconds) * time.Second)
	m := chat.Message{
		Room: root.Room, Text: "y", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16), Thread: root.ID, ShowInRoom: seconds%2 == 0,
		ID: chat.MessageID{User: user, UUID: chat.NewUUID(at, [10]byte{})},
	}
	if _, created, err := w.store.PutMessage(w.t.Context(), m); err != nil || !created {
		w.t.Fatal(created, err)
	}
	return m
}

// wantReplies checks what a message shows of its thread, and that a recount of the rows agrees.
func (w *fixture) wantReplies(root chat.Message, count int, last chat.Message, users ...string) {
	w.t.Helper()
	got := w.tallyOf(root).Replies
	rows, err := w.store.RepliesTo(w.t.Context(), root.Room, root.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(rows) || got.Count != count || !slices.Equal(got.Users, users) || count > 0 && !got.LastAt.Equal(last.ReceivedAt) {
		w.t.Errorf("the tally is %+v, the rows are %+v, want %d by %v, the last at %v", got, rows, count, users, last.ReceivedAt)
	}
}

// TestProjection_CountsReplies follows the replies to a message through deletions, also after the
// message itself is deleted. Reactions to it stay counted too.
//
//golden:record
func TestProjection_CountsReplies(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	h := w.counting()
	root := w.post("seattle", "amsg", 1)
	w.react(root, "bob", "👍")
	var all []chat.Message
	for i, user := range []chat.UserID{"bob", "cy", "bob", "dan", "eve"} {
		all = append(all, w.replyBy(root, user, i+1))
		w.settle(h)
	}
	w.wantReplies(root, 5, all[4], "eve", "dan", "bob")
	if got := w.tallyOf(root); len(got.Reactions) != 1 {
		t.Errorf("the reactions became %+v", got.Reactions)
	}
	w.revise(all[4], all[4].Tombstone("eve", all[4].ReceivedAt.Add(time.Second)))
	w.revise(all[0], all[0].Edited("other", all[0].ReceivedAt.Add(time.Second)))
	w.settle(h)
	w.wantReplies(root, 4, all[3], "dan", "bob", "cy")
	w.revise(root, root.Tombstone("amsg", root.ReceivedAt.Add(time.Second)))
	w.settle(h)
	w.wantReplies(root, 4, all[3], "dan", "bob", "cy")
	for _, m := range all[1:4] {
		w.revise(m, m.Tombstone("amsg", m.ReceivedAt.Add(time.Second)))
	}
	w.settle(h)
	w.wantReplies(root, 1, all[0], "bob")
	if len(w.failures.all) != 0 {
		t.Errorf("failures: %+v", w.failures.all)
	}
}

// TestProjection_CountsSurviveACrashAtEachStep ends the process before and after each request of a
// batch with reactions, replies and deletions. Lambda delivers the batch again to another process,
// twice, and its pieces out of order.
func TestProjection_CountsSurviveACrashAtEachStep(t *testing.T) {
	t.Parallel()
	steps := int64(1)
	for at := int64(1); at <= steps; at += int64(race.Times(1, 3)) {
		for _, after := range []bool{false, true} {
			w := newFixture(t)
			w.room("seattle", 1)
			root := w.post("seattle", "amsg", 1)
			w.settle(w.counting())
			for _, user := range []chat.UserID{"bob", "carol", "dave"} {
				w.react(root, user, "👍")
			}
			w.unreact(root, "dave", "👍")
			_, second, third := w.replyBy(root, "bob", 1), w.replyBy(root, "cy", 2), w.replyBy(root, "bob", 3)
			w.revise(third, third.Tombstone("bob", third.ReceivedAt))
			records := w.stream.Next(t)
			c := &crash{at: at, after: after}
			if _, err := w.counting(c.options).Handle(t.Context(), events.DynamoDBEvent{Records: records}); err != nil {
				t.Fatal(err)
			}
			steps = max(steps, c.count.Load())
			h := w.counting()
			w.deliver(h, records)
			w.deliver(h, records)
			w.deliver(h, records[:2])
			w.settle(h)
			w.wantReplies(root, 2, second, "cy", "bob")
			w.wantTally(root, chat.ReactionCount{Emoji: "👍", Count: 2})
			for user, want := range map[chat.UserID]int{"amsg": 1, "bob": 1, "cy": 1, "eve": 0} {
				follows, err := thread.NewStore(w.store.Table()).FollowsOf(t.Context(), user)
				if err != nil || len(follows) != want || want > 0 && follows[0].Root != (thread.Root{Room: "seattle", ID: root.ID}) {
					t.Errorf("%s follows %+v, %v", user, follows, err)
				}
			}
			if t.Failed() {
				t.Fatalf("request %d of %d, took effect: %v", at, steps, after)
			}
		}
	}
	if steps < 10 {
		t.Errorf("only %d requests", steps)
	}
}

// TestProjection_ReplyCountIsExactAtOnce has four consumers process the whole stream of a hundred
// replies and their deletions concurrently, in pieces of their own.
func TestProjection_ReplyCountIsExactAtOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 3)
	root := w.post("seattle", "amsg", 1)
	var last chat.Message
	for i := range 100 {
		m := w.replyBy(root, chat.UserID(fmt.Sprintf("user%d", i)), i+1)
		if i%4 == 3 {
			w.revise(m, m.Tombstone(m.ID.User, m.ReceivedAt))
		} else {
			last = m
		}
	}
	records := w.stream.Next(t)
	var consumers []func()
	for i := range 4 {
		h := w.counting()
		consumers = append(consumers, func() {
			for piece := range slices.Chunk(records, 7+i) {
				w.deliver(h, piece)
			}
		})
	}
	concurrently(consumers...)
	w.settle(w.counting())
	w.wantReplies(root, 75, last, "user98", "user97", "user96")
	w.wantTally(root, []chat.ReactionCount(nil)...)
}
