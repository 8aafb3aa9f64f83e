package live_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/live"
	"parley/internal/policy"
	"parley/internal/test/chattest"
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

func TestOnline_NamesFiftyPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	var subs []live.Subscription
	for n := range 260 { // more than one page
		c := f.connection(chat.UserID(fmt.Sprintf("user%03d", n)), 1)
		subs = append(subs, live.Subscription{Room: "seattle", Connection: c, Attempt: "1"})
		if err := f.rows.PutPending(t.Context(), subs[n]); err != nil {
			t.Fatal(err)
		}
		if ok, err := f.rows.Activate(t.Context(), subs[n]); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	f.units.take()
	o, err := f.Online(t.Context(), "stranger", "seattle")
	if err != nil || o.Count != 260 || len(o.Users) != live.MaxOnlineUsers || o.Users[0] != "user000" || o.Users[49] != "user049" {
		t.Errorf("%+v, %v", o, err)
	}
	if used := f.units.take(); used[0] > 4 {
		t.Errorf("260 people cost %v read units", used[0])
	}
}
