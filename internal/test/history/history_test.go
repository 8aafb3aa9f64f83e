package history_test

import (
	"testing"
	"time"

	"example.com/parley/internal/test/nightly"
)

func TestHistories_AreLinearizable(t *testing.T) {
	t.Parallel()
	for _, seed := range seedsOf(t, nightly.Times(1, nightlyRounds)) {
		s := setup{seed: seed, clients: 32, steps: 40, rooms: 3, people: 8, sockets: 4}
		start := time.Now()
		w := newWorld(t, s)
		w.run()
		took := time.Since(start)
		wrong := w.check()
		t.Logf("seed %d: %d operations of %d clients on %d messages and %d feeds, %d of unknown outcome, %d attempts failed, %d batches of the stream; %v and %v to check",
			s.seed, w.rec.operations, s.clients, len(w.rec.messages), s.rooms, w.rec.unknown, w.injected(), w.batches(), took.Round(time.Millisecond), (time.Since(start) - took).Round(time.Millisecond))
		for _, v := range wrong {
			t.Error(v)
		}
		t.Logf("%d readers through sockets met %d frames, of which the network lost %d", s.sockets, w.frames, w.lost)
		if w.frames == 0 || w.lost == 0 {
			t.Error("no frame reached a reader, or none was lost, want some")
		}
		if w.rec.unknown == 0 || w.injected() == 0 {
			t.Error("no call failed, want some")
		}
		if t.Failed() {
			return
		}
	}
}
