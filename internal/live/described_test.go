package live_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/asyncapitest"
)

// TestConsume_FramesAreAsDescribed compares every kind of frame with the AsyncAPI document.
func TestConsume_FramesAreAsDescribed(t *testing.T) {
	t.Parallel()
	described, err := asyncapitest.Load()
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "old")
		time.Sleep(time.Hour)
		h.join("seattle", live.Full, "full", "gone")
		h.join("seattle", live.Counts, "counts")
		h.denied["gone"] = &chat.Error{Kind: chat.NotFound}
		b := h.everyChange()
		b.Personal = []feed.PersonalChange{
			{Type: feed.RoomAdded, User: "full", Room: "seattle"}, {Type: feed.RoomRemoved, User: "full", Room: "seattle"},
			{Type: feed.ReadChanged, User: "full", Room: "seattle", Read: 7}, {Type: feed.BlockChanged, User: "full", Other: "bob", Blocked: true},
			{Type: feed.MessageAdded, User: "full", Room: "p-elsewhere", Message: b.Rooms[0].Entries[0].Message, Seq: 7},
			{Type: feed.MentionAdded, User: "full", Room: "seattle", Message: b.Rooms[0].Entries[0].Message, Seq: 7},
			{Type: feed.ThreadChanged, User: "full", Room: "seattle", Message: b.Rooms[0].Entries[0].Message, Following: true, Read: 7},
			{Type: feed.ReactionChanged, User: "full", Room: "seattle", Emoji: "❤", Mine: true},
			{Type: feed.PreferencesChanged, User: "full", Room: "seattle", Favorite: true, Muted: true, Level: "none", Until: time.Date(2018, 8, 29, 13, 0, 0, 0, time.UTC)},
			{Type: feed.NotificationsChanged, User: "full"},
			{Type: feed.PollChanged, User: "full", Room: "seattle", Message: b.Rooms[0].Entries[0].Message, Choices: chat.Choose(0, 2)},
		}
		if err := h.delivery().Consume(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		consumeRepeated(t, h)
		kinds := map[string]bool{}
		for _, p := range h.posts {
			if err := described.CheckFrame(p.frame); err != nil {
				t.Errorf("%s: %v", p.frame, err)
			}
			for _, part := range strings.SplitAfter(string(p.frame), `"type":"`)[1:] {
				kind, _, _ := strings.Cut(part, `"`)
				kinds[kind] = true
			}
		}
		want := []string{"changes", "counts", "heads", "personal", "unsubscribed", "closing", "read.changed", "thread.changed", "room.added", "room.removed", "preferences.changed", "notifications.changed", "block.changed", "reaction.changed", "poll.changed", "mention.added", "message.added"}
		for _, k := range feed.KnownChanges() {
			want = append(want, k.Name)
		}
		if missing := slices.DeleteFunc(want, func(kind string) bool { return kinds[kind] }); len(missing) > 0 {
			t.Errorf("no frame has %q", missing)
		}
	})
}

// consumeRepeated delivers a batch whose changes another process has appended.
func consumeRepeated(t *testing.T, h *hall) {
	t.Helper()
	consume(t, h.delivery(), feed.Batch{Repeated: []feed.Reached{{Room: "seattle", Seq: 1}}})
}

// everyChange returns a batch with a change of each type. One of them removes the person "gone".
func (h *hall) everyChange() feed.Batch {
	created := h.message("seattle", "hello").Rooms[0].Entries[0].StreamChange
	edited := created.Item.Message.Edited("other", time.Now())
	deleted := edited.Tombstone("bob", time.Now())
	long := h.message("seattle", strings.Repeat("x", chat.MaxText)).Rooms[0].Entries[0].StreamChange
	changes := []feed.StreamChange{created, long}
	for _, m := range []chat.Message{edited, deleted} {
		changes = append(changes, feed.StreamChange{Change: feed.ChangeOf(m), Item: feed.ChangedItem{Message: &m}})
	}
	reply := deleted
	reply.Revision, reply.Thread, reply.ShowInRoom = 1, created.Message, true
	changes = append(changes, feed.StreamChange{Change: feed.ChangeOf(reply), Item: feed.ChangedItem{Message: &reply}})
	counted := edited
	counted.Tally = chat.Tally{Version: 3, Reactions: []chat.ReactionCount{{Emoji: "❤", Count: 2}}}
	changes = append(changes, feed.StreamChange{Change: feed.CountsChangeOf(counted), Item: feed.ChangedItem{Message: &counted}})
	bob := chat.Membership{Room: "seattle", User: "bob", Role: policy.Moderator}
	changes = append(changes,
		feed.StreamChange{Change: feed.Change{Type: feed.MemberChanged, User: "bob"}, Item: feed.ChangedItem{Member: &bob}},
		feed.StreamChange{Change: feed.Change{Type: feed.MemberChanged, User: "gone"}},
		feed.StreamChange{Change: feed.Change{Type: feed.RoomChanged}},
		feed.StreamChange{Change: feed.Change{Type: feed.PinsChanged, Message: created.Message, Revision: 1, Pinned: true}},
		feed.StreamChange{Change: feed.Change{Type: feed.UnknownChange, Key: "odd"}},
	)
	for i := range changes {
		changes[i].Created = time.Now()
	}
	h.seq = int64(len(changes))
	return h.batch("seattle", changes...)
}
