package dynamo

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/measure/steps"
	"example.com/parley/internal/shard"
)

// queries counts the queries of messages.
type queries struct{ begun atomic.Int64 }

func (q *queries) options(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("queries", q.handle), middleware.After)
	})
}

func (q *queries) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if _, ok := in.Parameters.(*dynamodb.QueryInput); ok {
		q.begun.Add(1)
	}
	return next.HandleInitialize(ctx, in)
}

// newCrowdedRoom stores a message in each of 8 shards of a room. It returns a store that knows the
// room's epochs, and the counter of its queries.
func newCrowdedRoom(t *testing.T, room chat.RoomID, now time.Time) (*Store, *queries) {
	t.Helper()
	q := &queries{}
	s := New(dynamodb.New(startTable(t).Options(), q.options), Options{Table: "chat", Clock: func() time.Time { return now }})
	s.epochs.put(room, shard.Fixed(8), now)
	for _, user := range oneUserInEach(8) {
		m := chat.Message{
			Room: room, ID: chat.MessageID{UUID: chat.NewUUID(now, [10]byte{}), User: user}, Text: "x", ReceivedAt: now, Digest: []byte("digest"),
		}
		if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
			t.Fatal(created, err)
		}
	}
	return s, q
}

// oneUserInEach returns a user in each of n shards.
func oneUserInEach(n int) []chat.UserID {
	users := make([]chat.UserID, n)
	for c, found := 0, 0; found < n; c++ {
		user := chat.UserID(time.Unix(int64(c), 0).UTC().Format("u150405"))
		if at := shard.ForUser(string(user), n); users[at] == "" {
			users[at] = user
			found++
		}
	}
	return users
}

// TestMessagesWhileChecking_GuessesTheShards reads a page during a check after which the store
// knows the room's shards. The page has all messages, whatever was guessed.
func TestMessagesWhileChecking_GuessesTheShards(t *testing.T) {
	t.Parallel()
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	const room, private = chat.RoomID("seattle"), chat.RoomID("p-0123456789abcdefghij")
	for _, tt := range []struct {
		name    string
		room    chat.RoomID
		known   shard.Epochs // before the check
		late    bool
		queries int64
	}{
		{"all known", room, shard.Fixed(8), false, 8},
		{"all known, late", room, shard.Fixed(8), true, 16},
		{"none known", room, nil, false, 9},
		{"fewer known", room, shard.Fixed(2), false, 10},
		{"a private room of which all are known", private, shard.Fixed(8), false, 8},
		{"a private room of which none are known", private, nil, false, 8},
	} {
		s, q := newCrowdedRoom(t, tt.room, now)
		delete(s.epochs.rooms, tt.room)
		if tt.known != nil {
			s.epochs.put(tt.room, tt.known, now.Add(-time.Hour))
		}
		messages, more, err := s.MessagesWhileChecking(t.Context(), chat.MessageRange{Room: tt.room, Limit: 50}, func() (bool, error) {
			s.epochs.put(tt.room, shard.Fixed(8), now)
			return tt.late, nil
		})
		if err != nil || len(messages) != 8 || more || q.begun.Load() != tt.queries {
			t.Errorf("%s: %d messages by %d queries, %v, want 8 by %d", tt.name, len(messages), q.begun.Load(), err, tt.queries)
		}
	}
}

// TestMessagesWhileChecking_DeniedGetsNothing checks that a denied reader gets none of the
// messages read. For a room with a private id nothing is read, although the store knows the room.
func TestMessagesWhileChecking_DeniedGetsNothing(t *testing.T) {
	t.Parallel()
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	denied := errors.New("denied")
	for room, queries := range map[chat.RoomID]int64{"seattle": 8, "p-0123456789abcdefghij": 0} {
		s, q := newCrowdedRoom(t, room, now)
		for _, late := range []bool{false, true} {
			q.begun.Store(0)
			messages, more, err := s.MessagesWhileChecking(t.Context(), chat.MessageRange{Room: room, Limit: 50}, func() (bool, error) { return late, denied })
			if !errors.Is(err, denied) || len(messages) > 0 || more || q.begun.Load() != queries {
				t.Errorf("%s: %d messages by %d queries, %v, want none by %d and the error of the check", room, len(messages), q.begun.Load(), err, queries)
			}
		}
	}
}

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
