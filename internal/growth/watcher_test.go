package growth_test

import (
	"log/slog"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/shard"
)

// batch returns a batch of the room at a rate, with a message in a shard, counted from 1.
func batch(rate float64, inShard int, count int64) feed.Batch {
	e := feed.AppendedEntry{StreamChange: feed.StreamChange{Item: feed.ChangedItem{Shard: inShard}}}
	return feed.Batch{Rooms: []feed.Appended{{
		Room: room, Rate: feed.Rate{Mean: rate}, Head: feed.Head{Room: room, Count: count}, Entries: []feed.AppendedEntry{e},
	}}}
}

// TestWatcher_FollowsTheRate takes a room through a busy hour and the days after it.
func TestWatcher_FollowsTheRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	watcher := growth.NewWatcher(w.store, w.clock.Now, slog.New(slog.DiscardHandler))
	day := shard.ShrinkAfter
	for _, step := range []struct {
		name    string
		after   time.Duration
		rate    float64
		inShard int
		count   int64
		reads   int
		want    int // shards
	}{
		{"a quiet room is not even read", 0, 500, 1, 0, 0, 1},
		{"a busy one grows", time.Minute, 501, 1, 0, 1, 2},
		{"but is not read with every batch", time.Second, 9000, 1, 0, 0, 2},
		{"it grows again before the first change begins", time.Second, 9000, 1, 0, 1, 32},
		{"when it is quiet, the count is marked", time.Hour, 1, 3, 1_000_000, 1, 32},
		{"which is not read with every batch either", time.Minute, 1, 3, 1_000_001, 0, 32},
		{"a day later it is still quiet, and shrinks", day, 1, 3, 1_100_000, 1, 1},
		{"a late message of the old shards changes nothing", 2 * time.Hour, 1, 30, 1_100_001, 1, 1},
	} {
		w.clock.Advance(step.after)
		w.faults.Plan()
		if err := watcher.Consume(t.Context(), batch(step.rate, step.inShard, step.count)); err != nil {
			t.Fatal(err)
		}
		reads := 0
		for _, call := range w.faults.Calls() {
			if call.Operation == "GetItem" {
				reads++
			}
		}
		p := w.plan(t)
		if got := p.Epochs.Last().N; got != step.want || reads != step.reads || p.Pinned {
			t.Errorf("%s: %d shards after %d reads, want %d after %d", step.name, got, reads, step.want, step.reads)
		}
	}
	if p := w.plan(t); len(p.Epochs) != 4 {
		t.Errorf("the room has the epochs %v", p.Epochs)
	}
}

// TestWatcher_OneShardForEveryRoom has a rule for an engine without partitions. A room that grew by
// another rule shrinks at its next message, whatever its shard.
func TestWatcher_OneShardForEveryRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	log := slog.New(slog.DiscardHandler)
	consume := func(rule shard.Rule, rate float64, want int) {
		t.Helper()
		w.clock.Advance(time.Hour)
		if err := growth.NewWatcherBy(rule, w.store, w.clock.Now, log).Consume(t.Context(), batch(rate, 1, 0)); err != nil {
			t.Fatal(err)
		}
		if got := w.plan(t).Epochs.Last().N; got != want {
			t.Errorf("%d shards, want %d", got, want)
		}
	}
	consume(shard.OneShard(), 9000, 1)
	consume(shard.StandardRule(), 9000, 32)
	consume(shard.OneShard(), 1, 1)
	if n := len(w.plan(t).Epochs); n != 3 {
		t.Errorf("the room has %d epochs, want 3", n)
	}
}

// TestWatcher_LooksAhead checks that a room gets the shards that it will need once new shards have
// their own partitions. A few busy seconds of a quiet room must not be overrated.
func TestWatcher_LooksAhead(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	tests := []struct {
		name       string
		mean, rise float64
		behind     time.Duration
		want       int
	}{
		{"it will have 911", 400, 2, 0, 4},
		{"it will have four times as much at most", 400, 50, 0, 8},
		{"a rush of a quiet room", 100, 100, 0, 1},
		{"it falls", 400, 0, 0, 1},
		{"it will have 497, so that nothing changes", 380, 0.46, 0, 1},
		{"it had that a minute ago, and will have 525", 380, 0.46, time.Minute, 2},
		{"it had that yesterday, which says no more than a minute", 380, 0.3, day, 1},
		{"the clock of the stream is ahead", 490, 0.1, -day, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			watcher := growth.NewWatcher(w.store, w.clock.Now, slog.New(slog.DiscardHandler))
			b := batch(tt.mean, 1, 0)
			b.Rooms[0].Rate.At, b.Rooms[0].Rate.Rise = w.clock.Now().Add(-tt.behind), tt.rise
			if err := watcher.Consume(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if p := w.plan(t); p.Epochs.Last().N != tt.want {
				t.Errorf("a room of %v a second, which rises by %v, has the epochs %v, want %d", tt.mean, tt.rise, p.Epochs, tt.want)
			}
		})
	}
}

func TestWatcher_LeavesAPinnedNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.owners.SetShards(t.Context(), room, 2); err != nil {
		t.Fatal(err)
	}
	watcher := growth.NewWatcher(w.store, w.clock.Now, slog.New(slog.DiscardHandler))
	w.clock.Advance(time.Minute)
	if err := watcher.Consume(t.Context(), batch(20_000, 2, 0)); err != nil {
		t.Fatal(err)
	}
	if p := w.plan(t); p.Epochs.Last().N != 2 || !p.Pinned {
		t.Errorf("a pinned room has the plan %+v", p)
	}
}

// TestWatcher_ManyProcessesAddOneEpoch lets processes see the same rate concurrently.
func TestWatcher_ManyProcessesAddOneEpoch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	done := make(chan error)
	const processes = 16
	for range processes {
		go func() {
			watcher := growth.NewWatcher(w.store, w.clock.Now, slog.New(slog.DiscardHandler))
			done <- watcher.Consume(t.Context(), batch(5000, 1, 0))
		}()
	}
	for range processes {
		if err := <-done; err != nil && chat.KindOf(err) != chat.Unavailable {
			t.Error(err)
		}
	}
	if p := w.plan(t); len(p.Epochs) != 2 || p.Epochs.Last().N != 16 {
		t.Errorf("the room has the epochs %v, want one more, of 16 shards", p.Epochs)
	}
}

func TestWatcher_ADeletedRoomIsNoError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	watcher := growth.NewWatcher(w.store, w.clock.Now, slog.New(slog.DiscardHandler))
	b := batch(5000, 1, 0)
	b.Rooms[0].Room = "nowhere"
	if err := watcher.Consume(t.Context(), b); err != nil {
		t.Error(err)
	}
}
