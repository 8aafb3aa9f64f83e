package live_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/tabletest"
)

// onStore and nightlyOnStore are the random orders of steps of TestSubscribe_NoGapAndNoLeakOnTheStore.
const onStore, nightlyOnStore = 100, 10_000

// stored are the ports whose subscriptions are in the store. The world also keeps its own rows,
// and expects the same answers from the store.
type stored struct {
	ports
	rows live.Rows
	room chat.RoomID
}

// in returns a subscription in the room of one scenario, so that all scenarios share a table.
func (s stored) in(sub live.Subscription) live.Subscription {
	sub.Room = s.room
	return sub
}

func (s stored) PutPending(ctx context.Context, sub live.Subscription) error {
	_ = s.ports.PutPending(ctx, sub)
	return s.rows.PutPending(ctx, s.in(sub))
}

func (s stored) Activate(ctx context.Context, sub live.Subscription) (bool, error) {
	want, _ := s.ports.Activate(ctx, sub)
	ok, err := s.rows.Activate(ctx, s.in(sub))
	s.compare("activate", ok, want)
	return ok, err
}

func (s stored) Leave(ctx context.Context, c live.Connection, rooms []chat.RoomID) ([]chat.RoomID, error) {
	if len(rooms) == 0 {
		return nil, nil
	}
	want, _ := s.ports.Leave(ctx, c, rooms)
	left, err := s.rows.Leave(ctx, c, []chat.RoomID{s.room})
	s.compare("leave", len(left) > 0, len(want) > 0)
	return left, err
}

func (s stored) Delete(ctx context.Context, all []live.Subscription) (bool, error) {
	done := true
	for _, sub := range all {
		want, _ := s.ports.Delete(ctx, []live.Subscription{sub})
		ok, err := s.rows.Delete(ctx, []live.Subscription{s.in(sub)})
		if err != nil {
			return false, err
		}
		s.compare("delete", ok, want)
		done = done && ok
	}
	return done, nil
}

func (s stored) End(ctx context.Context, all []live.Subscription) (bool, error) {
	done := true
	for _, sub := range all {
		want, _ := s.ports.End(ctx, []live.Subscription{sub})
		ok, err := s.rows.End(ctx, []live.Subscription{s.in(sub)})
		if err != nil {
			return false, err
		}
		s.compare("end", ok, want)
		done = done && ok
	}
	return done, nil
}

func (s stored) Subscriptions(ctx context.Context, room chat.RoomID) ([]live.Subscription, error) {
	want, _ := s.ports.Subscriptions(ctx, room)
	all, err := s.rows.Subscriptions(ctx, s.room)
	for i := range all {
		all[i].Room = room
	}
	s.compare("the subscriptions", states(all), states(want))
	return all, err
}

// states returns subscriptions as text, in order.
func states(all []live.Subscription) string {
	var texts []string
	for _, sub := range all {
		texts = append(texts, fmt.Sprintf("%s by %s, active %v, until %v", sub.Connection.ID, sub.Attempt, sub.Active, sub.Connection.Until))
	}
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}

// compare adds a fault if the store has not answered as the world.
func (s stored) compare(what string, got, want any) {
	if got != want {
		s.faults = append(s.faults, fmt.Sprintf("%s: the store has %v, want %v", what, got, want))
	}
}

// TestSubscribe_NoGapAndNoLeakOnTheStore is TestSubscribe_NoGapAndNoLeak with the subscriptions in
// DynamoDB's engine. Its conditions and reads are the real ones.
func TestSubscribe_NoGapAndNoLeakOnTheStore(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient(enginetest.Start(t))
	tabletest.CreateLive(t, client, "live")
	rows := live.NewTable(dynamo.NewTable(client, "live", nil))
	for seed := range uint64(nightly.Times(onStore, nightlyOnStore)) {
		newSystem := func(p ports) system {
			return withRows(p, stored{p, rows, chat.RoomID(fmt.Sprint("room-", seed))})
		}
		if faults := play(t.Context(), seed, newSystem); len(faults) > 0 {
			t.Fatalf("seed %d: %q", seed, faults)
		}
	}
}
