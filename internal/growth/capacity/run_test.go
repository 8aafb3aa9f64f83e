package capacity_test

import (
	"testing"
	"time"

	"parley/internal/dynamo"
	"parley/internal/growth/capacity"
)

// TestTry_ASlowRampHolds lets rooms of one shard grow to 20,000 messages a second in five minutes, on
// a table that is warm for it.
func TestTry_ASlowRampHolds(t *testing.T) {
	t.Parallel()
	const mostThrottled = 0.3 // percent
	attempts, wait := dynamo.Retries()
	s, err := capacity.Try(t.Context(), 300*time.Second, capacity.WarmWrites, capacity.Retries{Attempts: attempts, Wait: wait})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(s.Row())
	m := s.Median
	if s.Worst.Failed > 0 {
		t.Errorf("in the worst room %d messages failed, want none", s.Worst.Failed)
	}
	if m.Failed > 0 || m.Share() > mostThrottled || m.Messages < 4_000_000 || m.RoomReads > capacity.PartitionReads {
		t.Errorf("%d of %d messages failed, %.2f %% of the attempts were throttled, want none and %.2f", m.Failed, m.Messages, m.Share(), mostThrottled)
	}
	if most := m.Epochs[len(m.Epochs)-2].N; most != 64 || s.Shrunk != 1 {
		t.Errorf("the room grew to %d shards, and shrank to %d", most, s.Shrunk)
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
