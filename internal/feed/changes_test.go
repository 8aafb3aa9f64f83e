package feed_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestChanges_HaveTheCurrentRole reads the role of each person in the member list, and of nobody
// else.
func TestChanges_HaveTheCurrentRole(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	var changes []feed.Change
	join := func(user chat.UserID, roles ...policy.Role) {
		for _, role := range roles {
			by := user
			if role != policy.Member {
				by = "maker"
			}
			if err := chattest.SetRole(t, w.Services, by, "seattle", user, role); err != nil {
				t.Fatal(user, role, err)
			}
			changes = append(changes, feed.Change{Type: feed.MemberChanged, User: user, Origin: uint64(len(changes))})
		}
	}
	join("bob", policy.Member, policy.Moderator)
	join("carol", policy.Member, policy.Muted)
	join("dave", policy.Member, policy.Banned)
	join("erin", policy.Member)
	if err := w.Members.RemoveMember(t.Context(), "erin", chat.MemberOf{Room: "seattle", User: "erin"}); err != nil {
		t.Fatal(err)
	}
	changes = append(changes, feed.Change{Type: feed.UnknownChange, Key: "odd"}, feed.ChangeOf(w.sent("maker", "x")))
	w.appendTo("seattle", changes, nil)
	c, err := w.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{}, 50)
	if err != nil || len(c.Entries) != len(changes) {
		t.Fatal(c, err)
	}
	var got []string
	for _, e := range c.Entries {
		role := "-"
		if e.Member != nil {
			role = string(e.Member.User) + " " + e.Member.Role.String()
		}
		got = append(got, role)
	}
	if want := "bob moderator,bob moderator,carol muted,carol muted,-,-,-,-,-"; strings.Join(got, ",") != want {
		t.Errorf("the roles are %s, want %s", strings.Join(got, ","), want)
	}
}

func TestChanges_PageEndsAtMaxPageBytes(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	m := w.sent("amsg", strings.Repeat("x", chat.MaxText))
	var changes []feed.Change
	for range 60 {
		changes = append(changes, feed.ChangeOf(m))
	}
	w.appendTo("seattle", changes, nil)
	at := int64(0)
	for pages := 0; at < 60; pages++ {
		c, err := w.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{Seq: at, Generation: "g1"}, chat.MaxLimit)
		if err != nil || len(c.Entries) == 0 || len(c.Entries)*m.PageBytes() > chat.MaxPageBytes || c.Entries[0].Seq != at+1 || pages > 3 {
			t.Fatalf("page %d at %d: %d entries, %v", pages, at, len(c.Entries), err)
		}
		at += int64(len(c.Entries))
	}
}

func TestFeedPosition_LagsBehindTheIndex(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	since := func(want int64) {
		t.Helper()
		l, err := w.Messages(t.Context(), "eve", chat.MessageQuery{Room: "seattle", Limit: 1})
		if err != nil || l.Since.Seq != want || want > 0 && l.Since.Generation != "g1" {
			t.Errorf("since %+v, want %d, %v", l.Since, want, err)
		}
	}
	since(0)
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "x"))}, nil)
	since(0) // the index may not have it yet
	w.clock.Advance(feed.IndexLag + time.Second)
	since(1)
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "y"))}, func(s *feed.Segment) { s.Settled = 1 })
	since(1)
	w.clock.Advance(feed.IndexLag)
	since(1) // just not long enough
	w.clock.Advance(time.Millisecond)
	since(2)
}

func TestChanges_StopAtAHole(t *testing.T) {
	t.Parallel()
	w, remove := newExpiringFixture(t)
	w.two()
	second, third := w.two(), w.two()
	w.two()
	remove(second)
	remove(third)
	c, err := w.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{}, 50)
	if err != nil || c.Reset || len(c.Entries) != 2 || c.Head != 8 {
		t.Errorf("from the beginning: %+v, %v", c, err)
	}
	for since, reset := range map[int64]bool{1: false, 2: true, 3: true, 5: true, 6: false, 7: false, 8: false} {
		if c, err := w.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{Seq: since, Generation: "g1"}, 50); err != nil || c.Reset != reset {
			t.Errorf("since %d: reset %v, %v", since, c.Reset, err)
		}
	}
}

func TestChanges_ResetWhenTheFeedCannotContinue(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, room := range []chat.RoomID{"seattle", "empty"} {
		chattest.CreateRoom(t, w.Services, room, 1)
	}
	if _, err := w.Inbox.MarkRead(t.Context(), "eve", "empty", 0); err != nil {
		t.Error(err)
	}
	change := func() []feed.Change {
		return []feed.Change{feed.ChangeOf(w.sent("amsg", "x")), feed.ChangeOf(w.sent("amsg", "y"))}
	}
	gone := func(s *feed.Segment) { s.First = 11 } // 1 to 10 were removed
	w.appendTo("seattle", change(), gone)
	w.appendTo("seattle", change(), func(s *feed.Segment) { s.Expires = w.clock.Now().Add(-time.Second).Truncate(time.Second) })
	w.appendTo("seattle", change(), func(s *feed.Segment) { s.Expires = w.clock.Now().Add(time.Hour).Truncate(time.Second) })
	w.appendTo("seattle", change(), func(s *feed.Segment) { s.Generation, s.First = "g2", s.First+feed.GenerationGap })
	w.appendTo("seattle", change(), func(s *feed.Segment) { s.Generation = "g2" })
	const second = 17 + feed.GenerationGap
	for _, tt := range []struct {
		name       string
		room       chat.RoomID
		since      int64
		generation string
		reset      bool
		entries    int
	}{
		{name: "an empty feed, from its beginning", room: "empty"},
		{name: "an empty feed, from a number", room: "empty", since: 1, reset: true},
		{name: "an empty feed, from the first position of a feed that was lost", room: "empty", generation: "g1", reset: true},
		{name: "numbers that were removed", since: 9, generation: "g2", reset: true},
		{name: "the beginning of a feed whose first numbers were removed", since: 0, reset: true},
		{name: "numbers of a former generation", since: 15, generation: "g1", reset: true},
		{name: "the last number of a former generation", since: 16, generation: "g1", reset: true},
		{name: "numbers of the former generation that were never given", since: 500, generation: "g1", reset: true},
		{name: "the last number before the generation", since: second - 1, generation: "g2", entries: 4},
		{name: "numbers of the generation", since: second, generation: "g2", entries: 3},
		{name: "numbers under the name of another generation", since: second, generation: "g1", reset: true},
		{name: "the newest number", since: second + 3, generation: "g2"},
		{name: "the newest number under the name of another generation", since: second + 3, generation: "g1", reset: true},
		{name: "numbers of the former generation, under the name of the newest", since: 15, generation: "g2", reset: true},
		{name: "a number of the generation without its name", since: second, reset: true},
		{name: "the newest number without the name of its generation", since: second + 3, reset: true},
		{name: "a number that was not yet given", since: second + 4, generation: "g2", reset: true},
		{name: "the largest number", since: chat.MaxSeq, generation: "g2", reset: true},
	} {
		if tt.room == "" {
			tt.room = "seattle"
		}
		c, err := w.Feed.Changes(t.Context(), "eve", tt.room, chat.FeedPosition{Seq: tt.since, Generation: tt.generation}, 50)
		if err != nil || c.Reset != tt.reset || len(c.Entries) != tt.entries || c.Reset && c.Since != (chat.FeedPosition{}) {
			t.Errorf("%s: reset %v, %d entries, %v", tt.name, c.Reset, len(c.Entries), err)
		}
	}
}

// TestChangeTable_HasEachTypeOnce checks the rules for a new row.
func TestChangeTable_HasEachTypeOnce(t *testing.T) {
	numbers, names := map[feed.ChangeType]bool{}, map[string]bool{}
	for _, kind := range feed.KnownChanges() {
		again := names[kind.Name] && kind.Type != feed.SystemCreated // which clients treat like any message
		if numbers[kind.Type] || again || kind.Name == "" {
			t.Errorf("%+v is there twice, or has no name", kind)
		}
		numbers[kind.Type], names[kind.Name] = true, true
		if kind.Type < 1 || kind.Type > 255 {
			t.Errorf("%+v has a number that is not one byte", kind)
		}
		if kind.Type >= feed.FirstFramedChange && kind.Type.OfMessage() && kind.Type != feed.ReplyCreated && kind.Type != feed.SystemCreated {
			t.Errorf("%+v is framed and a revision", kind)
		}
	}
	for n := feed.MessageCreated; n < feed.FirstFramedChange; n++ {
		if !numbers[n] {
			t.Errorf("type %d is missing: segments that have it would be unreadable", n)
		}
	}
	if name := feed.ChangeType(255).String(); name != "unknown" {
		t.Errorf("a type of a later version is named %q", name)
	}
}
