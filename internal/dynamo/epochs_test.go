package dynamo

import (
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/shard"
)

// TestMessages_FindsMessagesAtTheMargins sends the oldest and the newest message that the service
// accepts while a room's shards change, so that each lies in a shard of the other epoch.
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
