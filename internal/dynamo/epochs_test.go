package dynamo

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// TestMessages_FindsMessagesAtTheMargins sends the oldest and the newest acceptable message while
// a room's shards change, so that each is in a shard of the other epoch.
func TestMessages_FindsMessagesAtTheMargins(t *testing.T) {
	t.Parallel()
	client := startTable(t)
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	const user = "zoe" // not in the first of 64 shards
	if shard.ForUser(user, 64) == 0 {
		t.Fatalf("%s is in the first shard", user)
	}
	for room, c := range map[chat.RoomID]struct {
		epochs   shard.Epochs
		sent     time.Time
		from, to time.Time
	}{
		"shrunk": {
			epochs: shard.Epochs{{From: time.Unix(0, 0), N: 64}, {From: now.Add(time.Second - chat.MaxAge), N: 1}},
			sent:   now.Add(-chat.MaxAge), from: now,
		},
		"grown": {
			epochs: shard.Epochs{{From: time.Unix(0, 0), N: 1}, {From: now.Add(chat.MaxAhead), N: 64}},
			sent:   now.Add(chat.MaxAhead), to: now.Add(time.Millisecond),
		},
	} {
		s := New(client, Options{Table: "chat", Clock: func() time.Time { return now }})
		s.epochs.put(room, c.epochs, now)
		m := chat.Message{
			Room: room, ID: chat.MessageID{UUID: chat.NewUUID(c.sent, [10]byte{}), User: user},
			Text: "x", ReceivedAt: now, Digest: []byte("digest"),
		}
		if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
			t.Fatal(created, err)
		}
		page, _, err := s.Messages(t.Context(), chat.MessageRange{Room: room, From: c.from, To: c.to, Limit: 2})
		if err != nil || len(page) != 1 || page[0].ID != m.ID {
			t.Errorf("a room that has %s shows %d messages, %v, want the one sent %v", room, len(page), err, c.sent)
		}
	}
}

// TestMessages_AShrunkRoomIsReadAtOnce counts the queries for pages of a room that shrank from 64
// shards to one: the others are queried only for a page that reaches the time of their messages.
func TestMessages_AShrunkRoomIsReadAtOnce(t *testing.T) {
	t.Parallel()
	client := startTable(t)
	shrank := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	var queries atomic.Int64
	s := New(client, Options{
		Table: "chat", Clock: func() time.Time { return shrank },
		Observe: func(_ context.Context, u Usage) {
			if u.Operation == opReadMessages {
				queries.Add(1)
			}
		},
	})
	s.epochs.put("seattle", shard.Epochs{{From: time.Unix(0, 0), N: 64}, {From: shrank, N: 1}}, shrank)
	for i := range 20 { // ten before the shrink, ten more than a day after it
		at := shrank.Add(time.Duration(i-10) * time.Hour)
		if i >= 10 {
			at = shrank.Add(chat.MaxAge + time.Duration(i)*time.Hour)
		}
		m := chat.Message{
			Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{byte(i)}), User: chat.UserID(fmt.Sprint("u", i))},
			Text: "x", ReceivedAt: at, Digest: []byte("digest"),
		}
		if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
			t.Fatal(created, err)
		}
	}
	old := chat.MessageRange{Room: "seattle", To: shrank, Limit: 20}
	for _, tt := range []struct {
		name    string
		span    chat.MessageRange
		queries int64
		items   int
	}{
		{"the newest page", chat.MessageRange{Room: "seattle", Limit: 9}, 1, 9},
		{"a page that reaches the shrink", chat.MessageRange{Room: "seattle", Limit: 15}, 64, 15},
		{"a page before it", old, 64, 10},
		{"the oldest page after it", chat.MessageRange{Room: "seattle", From: shrank.Add(chat.MaxAge), Order: chat.Oldest, Limit: 9}, 1, 9},
	} {
		queries.Store(0)
		page, _, err := s.Messages(t.Context(), tt.span)
		if err != nil || len(page) != tt.items || queries.Load() != tt.queries {
			t.Errorf("%s: %d queries for %d messages, %v; want %d for %d", tt.name, queries.Load(), len(page), err, tt.queries, tt.items)
		}
	}
}

// TestEpochCache_OneReadsForAll lets eight calls ask for a room at the same time: one reads. If
// that read fails, the others do not.
func TestEpochCache_OneReadsForAll(t *testing.T) {
	t.Parallel()
	const calls = 8
	for name, tt := range map[string]struct {
		failed, reads int64
	}{
		"it succeeds": {reads: 1},
		"it fails":    {failed: 1, reads: calls},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := newEpochCache(time.Now)
				var reads, failures atomic.Int64
				answer := make(chan struct{})
				for range calls {
					go func() {
						epochs, err := c.of("seattle", func() (shard.Epochs, error) {
							n := reads.Add(1)
							<-answer
							if n <= tt.failed {
								return nil, context.Canceled
							}
							return shard.Fixed(8), nil
						})
						if err != nil {
							failures.Add(1)
						} else if len(epochs) != 1 || epochs[0].N != 8 {
							t.Errorf("the epochs are %v", epochs)
						}
					}()
				}
				synctest.Wait()
				if n := reads.Load(); n != 1 {
					t.Errorf("%d read at first, want 1", n)
				}
				close(answer)
				synctest.Wait()
				if failures.Load() != tt.failed {
					t.Errorf("%d calls fail, want %d", failures.Load(), tt.failed)
				}
				if n := reads.Load(); n > tt.reads {
					t.Errorf("%d read, want at most %d", n, tt.reads)
				}
				if _, err := c.of("seattle", func() (shard.Epochs, error) { return nil, errors.New("read again") }); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
