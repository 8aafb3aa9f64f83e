package block_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

func TestBlock_RefusesOneselfAndAFullList(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.WantKind(t, "oneself", s.Blocks.Block(t.Context(), "amsg", "amsg"), chat.Invalid)
	for n := range block.MaxBlocks {
		if err := s.Blocks.Block(t.Context(), "amsg", chat.UserID(fmt.Sprintf("user-%d", n))); err != nil {
			t.Fatal(err)
		}
	}
	chattest.WantKind(t, "one more", s.Blocks.Block(t.Context(), "amsg", "one-more"), chat.Conflict)
	if err := s.Blocks.Block(t.Context(), "amsg", "user-7"); err != nil {
		t.Errorf("a person who is blocked already: %v", err)
	}
	if got, err := s.Blocks.Blocks(t.Context(), "amsg"); err != nil || len(got) != block.MaxBlocks {
		t.Errorf("%d people, %v", len(got), err)
	}
}

// TestBlockers_AreReadOnce finds the blockers of a person among people who are named several
// times, including the person. If only the person is named, nothing is read.
func TestBlockers_AreReadOnce(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	var units float64
	s, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Observe: func(_ context.Context, u dynamo.Usage) { units += u.Units }})
	blocks := block.NewService(store.Table(), clock.Now)
	for _, user := range []chat.UserID{"bob", "eve"} {
		if err := s.Blocks.Block(t.Context(), user, "amsg"); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		among []chat.UserID
		want  int
		units float64
	}{
		{[]chat.UserID{"eve", "amsg", "carl", "bob", "carl", "eve"}, 2, 1.5},
		{[]chat.UserID{"carl", "carl"}, 0, 0.5},
		{[]chat.UserID{"amsg", "amsg"}, 0, 0},
		{nil, 0, 0},
	} {
		units = 0
		got, err := blocks.Blockers(t.Context(), "amsg", tt.among)
		if err != nil || len(got) != tt.want || len(got) == 2 && (!got["bob"] || !got["eve"]) || units != tt.units {
			t.Errorf("among %v: %v, %v, %v units, want %d for %v", tt.among, got, err, units, tt.want, tt.units)
		}
	}
}

// TestBlocked_IsCachedForCacheAge changes the list in another process.
func TestBlocked_IsCachedForCacheAge(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	var store app.Stores
	s, clock := chattest.NewOn(t, endpoint, func(o *app.Options) { store = o.Store })
	other := app.New(app.Options{
		Store: store, Logs: activity.NewStore(dynamo.NewLogTable(dynamo.LocalClient(endpoint), chattest.LogTable, nil)), Clock: clock.Now,
	})
	blocked := func(user chat.UserID) bool {
		t.Helper()
		all, err := s.Blocks.Blocked(t.Context(), "amsg")
		if err != nil {
			t.Fatal(err)
		}
		return all[user]
	}
	if blocked("bob") {
		t.Error("bob is blocked from the beginning")
	}
	if err := other.Blocks.Block(t.Context(), "amsg", "bob"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(block.CacheAge - time.Millisecond)
	if blocked("bob") {
		t.Error("the list is read again before it expires")
	}
	clock.Advance(time.Millisecond)
	if !blocked("bob") {
		t.Error("the list is used for longer than CacheAge")
	}
	if err := s.Blocks.Unblock(t.Context(), "amsg", "bob"); err != nil {
		t.Fatal(err)
	}
	if blocked("bob") {
		t.Error("a change in the same process is not seen immediately")
	}
	if err := s.Blocks.Block(t.Context(), "amsg", "bob"); err != nil || !blocked("bob") {
		t.Errorf("a change in the same process is not seen immediately: %v", err)
	}
}

// TestBlockers_AmongMany finds the blockers of eve among more people than two batches hold.
func TestBlockers_AmongMany(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	const people = 210
	var among, want []chat.UserID
	for n := range people {
		user := chat.UserID(fmt.Sprintf("user-%03d", n))
		among = append(among, user)
		for _, blocked := range [][]chat.UserID{{}, {"bob"}, {"eve"}, {"bob", "eve"}}[n%4] {
			if err := s.Blocks.Block(t.Context(), user, blocked); err != nil {
				t.Fatal(err)
			}
		}
		if n%4 == 2 {
			if err := s.Blocks.Unblock(t.Context(), user, "eve"); err != nil {
				t.Fatal(err)
			}
		}
		if n%4 == 3 {
			want = append(want, user)
		}
	}
	got, err := s.Blocks.Blockers(t.Context(), "eve", among)
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("eve is blocked by %v, %v, want %v", got, err, want)
	}
}
