package live_test

import (
	"context"
	"testing"

	"example.com/parley/internal/chat"
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
