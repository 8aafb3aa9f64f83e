package live_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestTyping_IsReportedToTheOthers at most once in 8 seconds by each connection.
func TestTyping_IsReportedToTheOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	amsg, bob := f.connection("amsg", 1), f.connection("bob", 1)
	f.subscribe(t, amsg, "seattle")
	f.subscribe(t, f.connection("amsg", 2), "seattle")
	f.subscribe(t, bob, "seattle")
	types := func(what string, c live.Connection, want ...live.ConnectionID) {
		t.Helper()
		audience, err := f.Typing(t.Context(), c, "seattle")
		if !slices.Equal(ids(audience), want) || err != nil {
			t.Errorf("%s: %v, %v, want %v", what, ids(audience), err, want)
		}
	}
	refused := func(what string, c live.Connection, room chat.RoomID, want chat.Kind) {
		t.Helper()
		audience, err := f.Typing(t.Context(), c, room)
		if chat.KindOf(err) != want || audience != nil {
			t.Errorf("%s: %v, %v, want %v", what, audience, err, want)
		}
	}
	types("the first time", amsg, bob.ID)
	refused("too soon", amsg, "seattle", chat.RateLimited)
	types("another person", bob, "amsg-1", "amsg-2")
	f.clock.Advance(live.TypingInterval - time.Millisecond)
	refused("a moment too soon", amsg, "seattle", chat.RateLimited)
	f.clock.Advance(time.Millisecond)
	types("after 8 seconds", amsg, bob.ID)
	refused("not subscribed", f.connection("amsg", 3), "seattle", chat.Conflict)
	refused("no such room", amsg, "tacoma", chat.NotFound)
	refused("a hidden room", amsg, chattest.CreatePrivateRoom(t, f.api, "maker"), chat.NotFound)
	if err := chattest.SetRole(t, f.api, "maker", "seattle", "amsg", policy.Muted); err != nil {
		t.Fatal(err)
	}
	refused("muted", amsg, "seattle", chat.Forbidden)
}

// TestTyping_IsNotHeardAcrossBlocks in either direction: a person who blocks another neither
// hears of them nor seems to be there.
func TestTyping_IsNotHeardAcrossBlocks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	connections := map[chat.UserID]live.Connection{}
	for _, user := range []chat.UserID{"amsg", "bob", "carl"} {
		connections[user] = f.connection(user, 1)
		f.subscribe(t, connections[user], "seattle")
	}
	for _, tt := range []struct {
		change func(ctx context.Context, caller, user chat.UserID) error
		heard  map[chat.UserID][]live.ConnectionID
	}{
		{f.api.Blocks.Block, map[chat.UserID][]live.ConnectionID{"amsg": {"bob-1"}, "carl": {"bob-1"}, "bob": {"amsg-1", "carl-1"}}},
		{f.api.Blocks.Unblock, map[chat.UserID][]live.ConnectionID{"amsg": {"bob-1", "carl-1"}, "carl": {"amsg-1", "bob-1"}}},
	} {
		if err := tt.change(t.Context(), "amsg", "carl"); err != nil {
			t.Fatal(err)
		}
		f.clock.Advance(live.TypingInterval)
		for user, want := range tt.heard {
			if audience, err := f.Typing(t.Context(), connections[user], "seattle"); err != nil || !slices.Equal(ids(audience), want) {
				t.Errorf("%s is heard by %v, %v, want %v", user, ids(audience), err, want)
			}
		}
	}
}

// unreadableBlocks cannot be read at present.
type unreadableBlocks struct{ of string }

func (b unreadableBlocks) Blocked(context.Context, chat.UserID) (map[chat.UserID]bool, error) {
	return nil, b.errorOf("blocked")
}

func (b unreadableBlocks) Blockers(context.Context, chat.UserID, []chat.UserID) (map[chat.UserID]bool, error) {
	return nil, b.errorOf("blockers")
}

func (b unreadableBlocks) errorOf(what string) error {
	if b.of != what {
		return nil
	}
	return &chat.Error{Kind: chat.Unavailable}
}

// TestTyping_IsHeardByNobodyIfBlocksAreUnreadable, and nobody is shown as online.
func TestTyping_IsHeardByNobodyIfBlocksAreUnreadable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	amsg := f.connection("amsg", 1)
	f.subscribe(t, amsg, "seattle")
	f.subscribe(t, f.connection("bob", 1), "seattle")
	for _, what := range []string{"blocked", "blockers"} {
		f.clock.Advance(live.TypingInterval)
		s := live.NewService(live.Options{Store: f.rows, Rooms: f.api.Service, Heads: f.store, Blocks: unreadableBlocks{what}, Clock: f.clock.Now})
		audience, err := s.Typing(t.Context(), amsg, "seattle")
		if chattest.WantKind(t, what, err, chat.Unavailable); audience != nil {
			t.Errorf("%s: heard by %v", what, ids(audience))
		}
		if what == "blockers" {
			o, err := s.Online(t.Context(), "amsg", "seattle")
			if chattest.WantKind(t, "who is online", err, chat.Unavailable); o.Count > 0 {
				t.Errorf("online are %+v", o)
			}
		}
	}
}

// TestAudience_IsOfAtMostSoMany counts those who receive something now.
func TestAudience_IsOfAtMostSoMany(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	var want []live.ConnectionID
	for n := range 12 {
		c := f.connection(chat.UserID(fmt.Sprint("user", n)), 1)
		if n%3 == 0 {
			c.Until = f.clock.Now() // has ended
		} else {
			want = append(want, c.ID)
		}
		f.subscribe(t, c, "seattle")
	}
	pending := live.Subscription{Room: "seattle", Connection: f.connection("pending", 1), Attempt: "1"}
	if err := f.rows.PutPending(t.Context(), pending); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	for limit, want := range map[int][]live.ConnectionID{1: nil, 7: nil, 8: want, 9: want, live.MaxAudience: want} {
		audience, err := f.Audience(t.Context(), "seattle", limit)
		if !slices.Equal(ids(audience), want) || err != nil {
			t.Errorf("at most %d: %v, %v", limit, ids(audience), err)
		}
	}
}

// TestOnline_CountsPeopleOnce, and neither those whose connection has ended nor those who are still
// pending.
func TestOnline_CountsPeopleOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	f.subscribe(t, f.connection("amsg", 1), "seattle")
	f.subscribe(t, f.connection("amsg", 2), "seattle")
	f.subscribe(t, f.connection("bob", 1), "seattle")
	ended := f.connection("cy", 1)
	ended.Until = f.clock.Now().Add(time.Minute)
	f.subscribe(t, ended, "seattle")
	if err := f.rows.PutPending(t.Context(), live.Subscription{Room: "seattle", Connection: f.connection("dora", 1), Attempt: "1"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]chat.UserID{{"amsg", "bob", "cy"}, {"amsg", "bob"}} {
		o, err := f.Online(t.Context(), "stranger", "seattle")
		if o.Count != len(want) || !slices.Equal(o.Users, want) || err != nil {
			t.Errorf("%+v, %v, want %v", o, err, want)
		}
		f.clock.Advance(time.Minute)
	}
	_, hidden := f.Online(t.Context(), "stranger", chattest.CreatePrivateRoom(t, f.api, "maker"))
	_, absent := f.Online(t.Context(), "stranger", "p-00000000000000000000")
	chattest.WantKind(t, "a hidden room", hidden, chat.NotFound)
	if fmt.Sprint(hidden) != fmt.Sprint(absent) {
		t.Errorf("%v, but an absent one: %v", hidden, absent)
	}
}

// manyOnline subscribes people from user000 on to a room, each by one connection.
func (f *fixture) manyOnline(t *testing.T, room chat.RoomID, n int) (users []chat.UserID) {
	t.Helper()
	for i := range n {
		users = append(users, chat.UserID(fmt.Sprintf("user%03d", i)))
		sub := live.Subscription{Room: room, Connection: f.connection(users[i], 1), Attempt: "1"}
		if err := f.rows.PutPending(t.Context(), sub); err != nil {
			t.Fatal(err)
		}
		if ok, err := f.rows.Activate(t.Context(), sub); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	return users
}

// TestOnline_NamesFiftyPeople of 260, for the units of two pages of subscriptions and of the
// lists of 50 people.
func TestOnline_NamesFiftyPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	users := f.manyOnline(t, "seattle", 260)
	f.units.take()
	o, err := f.Online(t.Context(), "stranger", "seattle")
	if err != nil || o.Count != 260 || !slices.Equal(o.Users, users[:live.MaxOnlineUsers]) {
		t.Errorf("%+v, %v", o, err)
	}
	if used := f.units.take(); used[0] > 29 {
		t.Errorf("260 people cost %v read units", used[0])
	}
}

// TestOnline_LeavesOutPeopleWhoHaveBlockedTheCaller, and names others in their place.
func TestOnline_LeavesOutPeopleWhoHaveBlockedTheCaller(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	chattest.CreateRoom(t, f.api, "tacoma", 1)
	all := f.manyOnline(t, "seattle", 120)
	few := f.manyOnline(t, "tacoma", 3)
	for _, user := range append(all[1:40:40], all[80]) {
		if err := f.api.Blocks.Block(t.Context(), user, "eve"); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.api.Blocks.Block(t.Context(), "eve", all[0]); err != nil { // which hides nobody from eve
		t.Fatal(err)
	}
	named := slices.Concat(all[:1], all[40:80], all[81:90])
	for _, tt := range []struct {
		caller chat.UserID
		room   chat.RoomID
		count  int
		users  []chat.UserID
	}{
		{"eve", "seattle", 80, named},
		{"stranger", "seattle", 120, all[:50]},
		{"eve", "tacoma", 1, few[:1]},
		{"stranger", "tacoma", 3, few},
		{few[1], "tacoma", 3, few},
	} {
		if o, err := f.Online(t.Context(), tt.caller, tt.room); err != nil || o.Count != tt.count || !slices.Equal(o.Users, tt.users) {
			t.Errorf("%s in %s: %+v, %v, want %d, %v", tt.caller, tt.room, o, err, tt.count, tt.users)
		}
	}
}
