package stream_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

// TestProjection_ReplayedRepliesChangeNothing delivers every record of a thread again, both
// separately and after all others, including the creation of a deleted reply. Counts, followers,
// markers and the list of threads stay, and a person who ceased to follow does not follow again.
func TestProjection_ReplayedRepliesChangeNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	root, later := w.post("seattle", "amsg", 1), w.post("seattle", "amsg", 2)
	first := w.replyBy(root, "bob", 1)
	gone := w.replyBy(root, "cy", 120) // another minute
	w.revise(gone, gone.Tombstone("cy", gone.ReceivedAt))
	w.replyBy(later, "dan", 240)
	records := w.stream.Next(t)
	w.deliver(w.counting(), records)
	w.settle(w.counting())
	unfollowed := thread.Follow{Root: thread.Root{Room: "seattle", ID: root.ID}, User: "bob"}
	if err := thread.NewStore(w.store.Table()).PutFollow(t.Context(), unfollowed); err != nil {
		t.Fatal(err)
	}
	want := w.threadState()
	w.wantReplies(root, 1, first, "bob")
	for i := range records {
		w.deliver(w.counting(), records[i:i+1])
		if got := w.threadState(); got != want {
			t.Fatalf("after a replay of record %d:\n%s\nwant\n%s", i, got, want)
		}
	}
	w.settle(w.counting())
	w.wantReplies(root, 1, first, "bob")
	if v := w.tallyOf(root).Version; v != 1 {
		t.Errorf("the tally has the version %d", v)
	}
}

// threadState describes the threads of the room, and who follows which with which marker.
func (w *fixture) threadState() string {
	w.t.Helper()
	roots, _, err := w.store.ThreadsOf(w.t.Context(), "seattle", chat.ListPosition{}, 100)
	if err != nil {
		w.t.Fatal(err)
	}
	text := fmt.Sprintln(roots)
	for _, user := range []chat.UserID{"amsg", "bob", "cy", "dan"} {
		follows, err := thread.NewStore(w.store.Table()).FollowsOf(w.t.Context(), user)
		if err != nil {
			w.t.Fatal(err)
		}
		text += fmt.Sprintln(user, follows)
	}
	return text
}

// TestProjection_RepliesAndReactionsAtOnce has two processes count one message concurrently: one
// with a batch of replies, the other with reactions. Neither loses what the other counted.
func TestProjection_RepliesAndReactionsAtOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	root := w.post("seattle", "amsg", 1)
	w.settle(w.counting())
	var last chat.Message
	for round := range 20 {
		last = w.replyBy(root, chat.UserID(fmt.Sprintf("user%d", round)), 2*round+1)
		replies := w.stream.Next(t)
		w.react(root, chat.UserID(fmt.Sprintf("user%d", round)), "👍")
		reactions := w.stream.Next(t)
		one, other := w.counting(), w.counting()
		concurrently(
			func() { w.deliver(one, replies) },
			func() { w.deliver(other, reactions) },
		)
		w.settle(w.counting())
	}
	w.wantReplies(root, 20, last, "user19", "user18", "user17")
	w.wantTally(root, chat.ReactionCount{Emoji: "👍", Count: 20})
}

// TestProjection_ADeletedRootKeepsItsThread replies to a message, deletes it, and replays what came
// before its deletion. A reply that was posted at the same moment is counted below the tombstone.
func TestProjection_ADeletedRootKeepsItsThread(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	root := w.post("seattle", "amsg", 1)
	w.react(root, "bob", "👍")
	w.replyBy(root, "bob", 1)
	earlier := w.stream.Next(t)
	w.deliver(w.counting(), earlier)
	w.revise(root, root.Tombstone("amsg", root.ReceivedAt.Add(time.Second)))
	late := w.replyBy(root, "cy", 3)
	deletion := w.stream.Next(t)
	for _, batch := range [][]events.DynamoDBEventRecord{deletion, earlier, deletion} {
		w.deliver(w.counting(), batch)
	}
	w.settle(w.counting())
	w.wantReplies(root, 2, late, "cy", "bob")
	current, err := w.store.Message(t.Context(), "seattle", root.ID)
	if err != nil || !current.Deleted() || current.Text != "" || len(current.Tally.Reactions) != 0 {
		t.Errorf("the root is %+v, %v", current, err)
	}
	roots, _, err := w.store.ThreadsOf(t.Context(), "seattle", chat.ListPosition{}, 10)
	if err != nil || !slices.Equal(roots, []chat.MessageID{root.ID}) {
		t.Errorf("the room lists the threads %v, %v", roots, err)
	}
}
