package live_test

import (
	"context"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

// late is a store whose eventual reads miss the subscriptions of the last second.
type late struct{ live.Store }

func (l late) SubscriptionsOf(ctx context.Context, id live.ConnectionID, rooms []chat.RoomID, consistent bool) ([]live.Subscription, error) {
	if !consistent {
		return nil, nil
	}
	return l.Store.SubscriptionsOf(ctx, id, rooms, consistent)
}

// TestPositions_SubscriptionOfTheLastSecondIsThere asks for positions right after a subscription,
// when an eventual read does not show it yet. A client would take it for ended.
func TestPositions_SubscriptionOfTheLastSecondIsThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	f.Service = live.NewService(live.Options{Store: late{f.rows}, Rooms: f.api.Service, Heads: f.store, Accounts: f.api.Accounts, Blocks: f.api.Blocks, Clock: f.clock.Now})
	c := f.connection("amsg", 1)
	f.subscribe(t, c, "seattle")
	all, err := f.Positions(t.Context(), c)
	if err != nil || len(all) != 1 || !all[0].Subscribed {
		t.Errorf("%+v, %v", all, err)
	}
}

// lateHeads is a store whose eventual reads miss the changes of the last second.
type lateHeads struct{ live.Heads }

func (lateHeads) FeedHeads(_ context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	return map[chat.RoomID]feed.Head{rooms[0]: {Room: rooms[0], Last: 1, Generation: "g"}}, nil
}

// TestPositionsOf_ClientAheadOfTheHeadIsNoReset compares a position with a head that lags behind it,
// and with one that a restore has set back.
func TestPositionsOf_ClientAheadOfTheHeadIsNoReset(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	f.Service = live.NewService(live.Options{Store: f.rows, Rooms: f.api.Service, Heads: lateHeads{f.store}, Accounts: f.api.Accounts, Blocks: f.api.Blocks, Clock: f.clock.Now})
	if err := f.store.PutFeedHead(t.Context(), feed.Head{Room: "seattle", Last: 7, Generation: "g", WrittenAt: f.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	c := f.connection("amsg", 1)
	f.subscribe(t, c, "seattle")
	for _, tt := range []struct {
		since chat.FeedPosition
		head  int64
		reset bool
	}{
		{chat.FeedPosition{}, 1, false},
		{chat.FeedPosition{Seq: 1, Generation: "g"}, 1, false},
		{chat.FeedPosition{Seq: 7, Generation: "g"}, 7, false},
		{chat.FeedPosition{Seq: 8, Generation: "g"}, 7, true},
		{chat.FeedPosition{Seq: 1, Generation: "before"}, 7, true},
	} {
		all, err := f.PositionsOf(t.Context(), c, []live.Known{{Room: "seattle", Since: tt.since}})
		if err != nil || len(all) != 1 || !all[0].Subscribed || all[0].Head.Last != tt.head || all[0].Reset != tt.reset {
			t.Errorf("since %+v: %+v, %v", tt.since, all, err)
		}
	}
}
