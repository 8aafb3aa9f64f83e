package dynamo

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/measure/steps"
	"example.com/parley/internal/shard"
)

// newSteppedStore returns a store with the room seattle and its shards, and a meter of its calls.
func newSteppedStore(t *testing.T) (*Store, *steps.Meter) {
	t.Helper()
	meter := &steps.Meter{Pause: 50 * time.Millisecond}
	now := time.Now() // at which the epochs never expire
	s := New(dynamodb.New(startTable(t).Options(), meter.Options), Options{Table: "chat", Clock: func() time.Time { return now }})
	s.epochs.put("seattle", shard.Fixed(1), now)
	return s, meter
}

// TestMessagesByID_ReadsBatchesSideBySide reads more messages than a batch holds, one of which
// exists.
func TestMessagesByID_ReadsBatchesSideBySide(t *testing.T) {
	t.Parallel()
	s, meter := newSteppedStore(t)
	ids := make([]chat.MessageID, 2*batchSize+1)
	for i := range ids {
		ids[i] = chat.MessageID{UUID: chat.NewUUID(time.Now(), [10]byte{0, byte(i), 0, byte(i >> 8)}), User: "amsg"}
	}
	last := ids[len(ids)-1]
	if _, _, err := s.PutMessage(t.Context(), chat.Message{Room: "seattle", ID: last, Text: "x", Digest: []byte("d"), ReceivedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	meter.Reset()
	found, err := s.MessagesByID(t.Context(), "seattle", ids)
	if steps := meter.Reset(); err != nil || len(found) != 1 || found[last].Text != "x" || steps != 1 {
		t.Errorf("%d messages in %d steps, %v, want one of them in 1", len(found), steps, err)
	}
}

// TestEpochCache_OutlivesTheRoom checks that an operation that found a room in the cache at the
// last moment also finds the epochs.
func TestEpochCache_OutlivesTheRoom(t *testing.T) {
	t.Parallel()
	now := time.Now()
	c := newEpochCache(func() time.Time { return now })
	c.put("seattle", shard.Fixed(1), now)
	now = now.Add(chat.EpochMaxAge - 1)
	if _, ok := c.get("seattle"); !ok || chat.EpochMaxAge < chat.RoomCacheAge+time.Second {
		t.Error("the epochs expire before an operation ends that used the room")
	}
	now = now.Add(1)
	if _, ok := c.get("seattle"); ok {
		t.Error("the epochs are older than the delay of a new one allows for")
	}
}
