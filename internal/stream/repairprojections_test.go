package stream_test

import (
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/thread"
)

// TestRepair_PerformsTheProjectionsOfWhatItAppends loses the records of replies and of a reaction. A
// repair appends the replies and counts them. Only a recount finds the reaction.
func TestRepair_PerformsTheProjectionsOfWhatItAppends(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	h := w.counting()
	root, other := w.post("seattle", "amsg", 1), w.post("seattle", "amsg", 2)
	first := w.replyBy(root, "bob", 1)
	w.settle(h)
	second, third := w.replyBy(root, "cy", 2), w.replyBy(root, "dan", 3)
	w.revise(second, second.Tombstone("cy", second.ReceivedAt))
	w.react(other, "bob", "👍")
	for len(w.stream.Next(t)) > 0 { // nobody handles these records
	}
	w.wantReplies(root, 1, first, "bob")
	w.wantRepairWith(stream.Repair{}, stream.RepairReport{Messages: 5, Present: 3, Appended: 3, Counted: 2})
	w.wantReplies(root, 2, third, "dan", "bob")
	if got := w.tallyOf(other); len(got.Reactions) != 0 {
		t.Errorf("a repair counted %+v", got.Reactions)
	}
	for range 2 {
		w.wantRepairWith(stream.Repair{Recount: true}, stream.RepairReport{Messages: 5, Present: 6, Counted: 5})
		w.wantReplies(root, 2, third, "dan", "bob")
		if got := w.tallyOf(other); len(got.Reactions) != 1 || got.Reactions[0] != (chat.ReactionCount{Emoji: "👍", Count: 1}) || got.Version != 1 {
			t.Errorf("a recount wrote %+v", got)
		}
	}
	w.settle(h)
	if page, err := thread.NewStore(w.store.Table()).FollowsOf(t.Context(), "dan"); err != nil || len(page) != 1 || page[0].Seq != w.seqOf(third.ID) {
		t.Errorf("dan follows %+v, %v", page, err)
	}
}

// wantRepairWith repairs the room with the projections of the feed function.
func (w *fixture) wantRepairWith(r stream.Repair, want stream.RepairReport) {
	w.t.Helper()
	r.Projections = []stream.Projection{thread.NewProjection(w.store.Table()), tally.NewCounter(w.store)}
	if got, err := w.repairWith("seattle", 0, r); err != nil || got != want {
		w.t.Errorf("repair = %+v, %v, want %+v", got, err, want)
	}
}

// seqOf returns the number of a message's creation in the feed.
func (w *fixture) seqOf(id chat.MessageID) int64 {
	w.t.Helper()
	for i, c := range w.feedOf("seattle") {
		if c.Message == id && c.Revision == 1 {
			return int64(i) + 1
		}
	}
	w.t.Errorf("the feed has no %v", id)
	return 0
}
