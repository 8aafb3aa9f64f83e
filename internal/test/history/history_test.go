package history_test

import (
	"testing"
	"time"
)

func TestHistories_AreLinearizable(t *testing.T) {
	t.Parallel()
	for round := range *rounds {
		s := setup{seed: seedOf(round), clients: 32, steps: 40, rooms: 3, people: 8}
		began := time.Now()
		w := newWorld(t, s)
		w.run()
		took := time.Since(began)
		wrong := w.verdict()
		t.Logf("seed %d: %d operations of %d clients on %d messages and %d feeds, %d of unknown outcome, %d attempts failed, %d batches of the stream; %v and %v to check",
			s.seed, w.rec.operations, s.clients, len(w.rec.messages), s.rooms, w.rec.unknown, w.struck(), w.batches(), took.Round(time.Millisecond), (time.Since(began) - took).Round(time.Millisecond))
		for _, v := range wrong {
			t.Error(v)
		}
		if w.rec.unknown == 0 || w.struck() == 0 {
			t.Error("nothing failed")
		}
		if t.Failed() {
			t.Fatalf("to do the same again: go test ./internal/test/history -run %s -args -seed %d", t.Name(), s.seed)
		}
	}
}
