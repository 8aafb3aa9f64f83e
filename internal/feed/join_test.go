package feed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/chattest"
)

// timed gives a segment the times of just reported changes.
func (w *fixture) timed(s *feed.Segment) {
	s.CreatedFrom = w.clock.Now().Truncate(time.Second)
	s.CreatedTo = s.CreatedFrom
}

// received is timed, also with the times at which messages were received, the oldest first.
func (w *fixture) received(messages ...chat.Message) func(*feed.Segment) {
	return func(s *feed.Segment) {
		w.timed(s)
		s.ReceivedFrom, s.ReceivedTo = messages[0].ReceivedAt, messages[len(messages)-1].ReceivedAt
	}
}

// changesOf reads the changes of seattle after a number.
func changesOf(t *testing.T, s *feed.Service, seq int64) feed.Changes {
	t.Helper()
	since := chat.FeedPosition{Seq: seq, Generation: "g1"}
	if seq == 0 {
		since = chat.FeedPosition{}
	}
	c, err := s.Changes(t.Context(), "eve", "seattle", since, chat.MaxLimit)
	if err != nil || c.Reset {
		t.Fatalf("reset %v, %v", c.Reset, err)
	}
	return c
}

// TestChanges_ReplicaIsBehind reads the changes of messages whose state in a replica is older or
// missing. No message may be older than its changes, and none may be missing. The read counts show
// that current messages are not read again.
func TestChanges_ReplicaIsBehind(t *testing.T) {
	t.Parallel()
	edit := func(w *fixture, m chat.Message, text string) chat.Message {
		w.t.Helper()
		m, _, err := w.EditMessage(w.t.Context(), m.ID.User, chat.Revision{Room: "seattle", ID: m.ID, Base: m.Revision}, chat.MessageEdit{Text: &text})
		if err != nil {
			w.t.Fatal(err)
		}
		return m
	}
	for _, tt := range []struct {
		name    string
		posted  int                                          // before the replica catches up
		changes func(*fixture, []chat.Message) []feed.Change // of messages after that, in the last segment
		want    string                                       // the texts
		reads   [3]int                                       // queries of the index, messages read eventually and consistently by their keys
	}{
		{name: "up to date", posted: 3, want: "0 1 2", reads: [3]int{1, 0, 0}},
		{name: "a single message is read by its key", posted: 1, want: "0", reads: [3]int{0, 1, 0}},
		{name: "an older revision is read again", posted: 3, want: "0 new 2 new", reads: [3]int{1, 0, 1},
			changes: func(w *fixture, posted []chat.Message) []feed.Change {
				return []feed.Change{feed.ChangeOf(edit(w, posted[1], "new"))}
			}},
		{name: "an older revision of an earlier message is read again", posted: 3, want: "0 1 2 newer", reads: [3]int{1, 1, 1},
			changes: func(w *fixture, _ []chat.Message) []feed.Change {
				return []feed.Change{feed.ChangeOf(edit(w, w.earlier, "newer"))}
			}},
		{name: "a later revision than the changes say may be missed", posted: 3, want: "0 1 2",
			reads: [3]int{1, 0, 0},
			changes: func(w *fixture, posted []chat.Message) []feed.Change {
				edit(w, posted[1], "not yet in the feed")
				return nil
			}},
		{name: "a missing message is read again", posted: 2, want: "0 1 late", reads: [3]int{1, 0, 1},
			changes: func(w *fixture, _ []chat.Message) []feed.Change {
				return []feed.Change{feed.ChangeOf(w.sent("amsg", "late"))}
			}},
		{name: "a message with an older tally is read again", posted: 2, want: "0 1 0", reads: [3]int{1, 0, 1},
			changes: func(_ *fixture, posted []chat.Message) []feed.Change {
				return []feed.Change{{Type: feed.CountsChanged, Message: posted[0].ID, Revision: 7}}
			}},
		{name: "a reply is not sought in the index", posted: 1, want: "0 reply reply", reads: [3]int{0, 3, 2},
			changes: func(w *fixture, posted []chat.Message) (changes []feed.Change) {
				for range 2 {
					reply, _, err := w.PostMessage(w.t.Context(), "bob", "seattle", chat.MessageDraft{Text: "reply", Thread: posted[0].ID})
					if err != nil {
						w.t.Fatal(err)
					}
					changes = append(changes, feed.ChangeOf(reply))
				}
				return changes
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			services, replica := newReplica(w)
			chattest.CreateRoom(t, w.Services, "seattle", 1)
			w.earlier = w.sent("amsg", "earlier")
			w.clock.Advance(time.Minute)
			var posted []chat.Message
			for i := range tt.posted {
				m := w.sent("amsg", fmt.Sprint(i))
				posted = append(posted, m)
				w.appendTo("seattle", []feed.Change{feed.ChangeOf(m)}, w.timed)
			}
			replica.catchUp()
			if tt.changes != nil {
				if changes := tt.changes(w, posted); len(changes) > 0 {
					w.appendTo("seattle", changes, w.timed)
				}
			}
			var texts []string
			for _, e := range changesOf(t, services.Feed, 0).Entries {
				if e.Message == nil {
					t.Fatalf("change %d has no message", e.Seq)
				}
				texts = append(texts, e.Message.Text)
			}
			var reads [3]int
			reads[0], reads[1], reads[2] = replica.reads()
			if got := strings.Join(texts, " "); got != tt.want || reads != tt.reads {
				t.Errorf("%q with reads %v, want %q with %v", got, reads, tt.want, tt.reads)
			}
		})
	}
}

// TestChanges_RangeIsOnlyAHint reads new messages outside the range of their segments: they were
// received long before, or there are too many others. They are read by their keys.
func TestChanges_RangeIsOnlyAHint(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	services, replica := newReplica(w)
	chattest.CreateRoomOf(t, w.Services, "seattle", 1)
	early := []chat.Message{w.sent("amsg", "early"), w.sent("bob", "early")}
	w.clock.Advance(time.Hour)
	const others = 200
	for n := range others {
		w.sent(chat.UserID(fmt.Sprint("other", n%10)), "other") // the feed has them later
		w.clock.Advance(time.Millisecond)
	}
	late := []chat.Message{w.sent("amsg", "late"), w.sent("bob", "late")}
	replica.catchUp()
	var changes []feed.Change
	for _, m := range slices.Concat(early, late) {
		changes = append(changes, feed.ChangeOf(m))
	}
	w.appendTo("seattle", changes, w.timed)
	w.appendTo("seattle", []feed.Change{{Type: feed.RoomChanged, Origin: 1}}, w.timed)
	first, err := services.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{}, 4)
	if got, want := numbers(first), "1:message.created:early 2:message.created:early 3:message.created:late 4:message.created:late"; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if indexed, soon, current := replica.reads(); indexed != 1 || soon != 0 || current != 4 {
		t.Errorf("%d queries, %d and %d messages by their keys, want 1, 0 and 4", indexed, soon, current)
	}
	// A page that reaches the end of the feed begins with the newest messages.
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(late[0]), feed.ChangeOf(late[1])}, w.timed)
	changesOf(t, services.Feed, 5)
	if indexed, _, current := replica.reads(); indexed != 1 || current != 0 {
		t.Errorf("%d queries and %d messages by their keys, want 1 and 0", indexed, current)
	}
}

// TestChanges_ReadsNoOtherMessages reads two of the messages of a second. Their segment has the exact
// range.
func TestChanges_ReadsNoOtherMessages(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	services, replica := newReplica(w)
	chattest.CreateRoomOf(t, w.Services, "seattle", 1)
	var all []chat.Message
	for n := range 30 {
		all = append(all, w.sent(chat.UserID(fmt.Sprint("user", n)), fmt.Sprint(n)))
		w.clock.Advance(time.Millisecond)
	}
	replica.catchUp()
	wanted := all[20:22]
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(wanted[0]), feed.ChangeOf(wanted[1])}, w.received(wanted...))
	w.appendTo("seattle", []feed.Change{{Type: feed.RoomChanged, Origin: 1}}, w.timed)
	for page, limit := range []int{2, 3} { // before the end of the feed, and up to it
		first, err := services.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{}, limit)
		if got, want := numbers(first), "1:message.created:20 2:message.created:21"; err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("page %d: %s, %v, want %s", page, got, err, want)
		}
		if indexed, soon, current := replica.reads(); indexed != 1 || soon+current != 0 {
			t.Errorf("page %d: %d queries, %d and %d messages by their keys, want 1, 0 and 0", page, indexed, soon, current)
		}
	}
}

// TestChanges_SegmentsThatAReplicaLacksAreReadAgain reads a feed of which a replica has only a
// part.
func TestChanges_SegmentsThatAReplicaLacksAreReadAgain(t *testing.T) {
	t.Parallel()
	for behind := range 4 {
		w := newFixture(t)
		services, replica := newReplica(w)
		chattest.CreateRoom(t, w.Services, "seattle", 1)
		for n := range 3 {
			if n == behind {
				replica.catchUp()
			}
			w.two()
		}
		if behind == 3 {
			replica.catchUp()
		}
		for since := range int64(6) {
			if c := changesOf(t, services.Feed, since); len(c.Entries) != int(6-since) {
				t.Errorf("a replica with %d segments: %d changes since %d, want %d", behind, len(c.Entries), since, 6-since)
			}
		}
	}
}

// TestChanges_ReplicaCatchesUpBetweenQueries reads a feed while a replica catches up. Any query may
// be the first that finds a segment.
func TestChanges_ReplicaCatchesUpBetweenQueries(t *testing.T) {
	t.Parallel()
	for lagging := 1; lagging <= 4; lagging++ {
		w := newFixture(t)
		services, replica := newReplica(w)
		chattest.CreateRoom(t, w.Services, "seattle", 1)
		w.two()
		w.two()
		replica.catchUp()
		w.two()
		w.two()
		replica.mu.Lock()
		replica.lagging = lagging
		replica.mu.Unlock()
		since := chat.FeedPosition{Seq: 4, Generation: "g1"}
		c, err := services.Feed.Changes(t.Context(), "eve", "seattle", since, 1)
		if err != nil || c.Reset || len(c.Entries) != 1 || c.Entries[0].Seq != 5 {
			t.Errorf("after %d queries: %+v, %v, want change 5", lagging, c, err)
		}
	}
}

// TestChanges_MessagesOfManyShards reads new messages of a room with several shards. Each shard with
// several of them is queried once.
func TestChanges_MessagesOfManyShards(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	services, replica := newReplica(w)
	chattest.CreateRoom(t, w.Services, "seattle", 4)
	var want []string
	for n := range 40 {
		text := fmt.Sprint("text", n)
		w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent(chat.UserID(fmt.Sprint("user", n)), text))}, w.timed)
		want = append(want, fmt.Sprintf("%d:message.created:%s", n+1, text))
		w.clock.Advance(100 * time.Millisecond)
	}
	replica.catchUp()
	if got := numbers(changesOf(t, services.Feed, 0)); got != strings.Join(want, " ") {
		t.Errorf("got %s", got)
	}
	if indexed, soon, current := replica.reads(); indexed != 4 || soon+current != 0 {
		t.Errorf("%d queries, %d and %d messages by their keys, want 4, 0 and 0", indexed, soon, current)
	}
}

// TestChanges_LongMessagesBeyondThePageAreNotReadAgain reads the first page of long messages, of
// which a replica has only the middle ones. Messages that do not fit in the page are not read
// again.
func TestChanges_LongMessagesBeyondThePageAreNotReadAgain(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	services, replica := newReplica(w)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	const fits = chat.MaxPageBytes / chat.MaxText
	post := func(n int) (changes []feed.Change) {
		for i := range n {
			m := w.sent(chat.UserID(fmt.Sprint("user", i)), strings.Repeat("x", chat.MaxText))
			changes = append(changes, feed.ChangeOf(m))
			w.clock.Advance(time.Millisecond)
		}
		return changes
	}
	changes := post(fits)
	replica.catchUp()
	first := post(1)
	changes = slices.Concat(first, changes, post(fits))
	w.appendTo("seattle", changes, w.timed)
	c := changesOf(t, services.Feed, 0)
	for _, e := range c.Entries {
		if e.Message == nil || len(e.Message.Text) != chat.MaxText {
			t.Fatalf("change %d: %+v", e.Seq, e.Message)
		}
	}
	if n := len(c.Entries); n < fits-1 || n > fits {
		t.Errorf("%d messages, want a page of about %d", n, fits)
	}
	if _, _, current := replica.reads(); current < 1 || current > 2 {
		t.Errorf("%d messages were read consistently, want the missing one, and at most one more", current)
	}
}
