package growth_test

import (
	"testing"
	"time"

	"example.com/parley/internal/growth/growing"
	"example.com/parley/internal/test/enginetest"
)

// TestWatcher_GrowsARoomOfTheEngine lets a room grow and shrink by itself on the real engine,
// behind the service and the feed function, while readers page and follow. The clock is advanced,
// so that the test does not wait for an epoch's delay or for a day.
func TestWatcher_GrowsARoomOfTheEngine(t *testing.T) {
	t.Parallel()
	const shards = 4
	r, err := growing.Run(t.Context(), growing.Config{
		Endpoint: enginetest.Start(t), Dir: t.TempDir(), Peak: 200, Ramp: time.Second, Hurry: true, Shards: shards,
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed > 0 || r.Placed < shards || r.Walks < 3 || r.Epochs.Last().N != 1 {
		t.Errorf("%d of %d messages failed, they are in %d shards, the epochs are %v, the room was read %d times", r.Failed, r.Messages, r.Placed, r.Epochs, r.Walks)
	}
	t.Logf("%d messages, up to %d a second, epochs %v, %d walks", r.Messages, r.Fastest, r.Epochs, r.Walks)
}
