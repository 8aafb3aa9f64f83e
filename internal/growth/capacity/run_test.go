package capacity_test

import (
	"testing"
	"time"

	"parley/internal/dynamo"
	"parley/internal/growth/capacity"
	"parley/internal/shard"
)

// TestTry_ASlowRampHolds lets rooms of one shard grow to 20,000 messages a second in five minutes,
// on a table that is warm for it, and then lets them rest for two days.
func TestTry_ASlowRampHolds(t *testing.T) {
	t.Parallel()
	const (
		rooms         = 50
		mostThrottled = 0.3 // percent
	)
	attempts, wait := dynamo.Retries()
	s, err := capacity.Try(t.Context(), capacity.Load{Ramp: capacity.HeldRamp, Warm: capacity.WarmWrites}, rooms, capacity.Retries{Attempts: attempts, Wait: wait})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(s.Row())
	if w := s.Worst; w.Failed > 0 || w.Share() > mostThrottled || w.Messages < 4_000_000 || w.RoomReads > capacity.PartitionReads {
		t.Errorf("in the worst room %d of %d messages failed, %.2f %% of the attempts were throttled, want none and %.2f", w.Failed, w.Messages, w.Share(), mostThrottled)
	}
	e := s.Last.Epochs
	if most := e[len(e)-2].N; most != 64 || e.Last().N != 1 {
		t.Errorf("a room grew to %d shards, and shrank to %d", most, e.Last().N)
	}
	if after := s.Last.ShrunkAfter(); after < shard.ShrinkAfter || after > shard.ShrinkAfter+3*time.Hour {
		t.Errorf("a room shrank %v after it was busy, want its day, and some hours to notice it", after)
	}
}

// TestRun_AStepIsThrottled shows that the simulation notices a load that no room can take.
func TestRun_AStepIsThrottled(t *testing.T) {
	t.Parallel()
	attempts, wait := dynamo.Retries()
	r, err := capacity.Run(t.Context(), capacity.Load{Ramp: 10 * time.Second, Warm: capacity.NewWrites, Room: "seattle"}, capacity.Retries{Attempts: attempts, Wait: wait})
	if err != nil || r.Failed == 0 || r.Share() < 50 {
		t.Errorf("%d messages failed, %.2f %% of the attempts were throttled, %v", r.Failed, r.Share(), err)
	}
}
