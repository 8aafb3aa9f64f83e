package dynamo

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// TestMessages_OfOneUserTakeOneRead first reads pages that others filled, so that the share of the
// user's own shard is close to zero.
func TestMessages_OfOneUserTakeOneRead(t *testing.T) {
	t.Parallel()
	client := startTable(t)
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	reads := 0
	s := New(client, Options{Table: "chat", Clock: func() time.Time { return now }, Observe: func(_ context.Context, u Usage) {
		if u.Operation == "read messages" {
			reads++
		}
	}})
	epochs := shard.Fixed(8)
	s.epochs.put("seattle", epochs, now)
	for i := range 60 {
		at := now.Add(time.Duration(i) * time.Second)
		m := chat.Message{
			Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{byte(i)}), User: "amsg"},
			Text: strings.Repeat("x", 80), ReceivedAt: at, Digest: []byte("digest"),
		}
		if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
			t.Fatal(created, err)
		}
	}
	for range 100 {
		s.shares.learn("seattle", s.shares.of("seattle", equalShares(8)), []int{7: 50})
	}
	page, _, err := s.Messages(t.Context(), chat.MessageRange{Room: "seattle", User: "amsg", Limit: 50})
	if err != nil || len(page) != 50 {
		t.Fatalf("%d messages, %v", len(page), err)
	}
	if reads != 1 {
		t.Errorf("a page of one user took %d reads, want 1", reads)
	}
}

func TestShardShares_AreThoseOfAsManyShards(t *testing.T) {
	t.Parallel()
	s := shardShares{rooms: map[chat.RoomID][]float64{"seattle": {0.1, 0.9}}}
	for n, want := range map[int]string{1: "[1]", 2: "[0.1 0.9]", 4: "[0.25 0.25 0.25 0.25]"} {
		if got := fmt.Sprint(s.of("seattle", equalShares(n))); got != want {
			t.Errorf("of %d shards: %s, want %s", n, got, want)
		}
	}
}

func TestMeanSize_ConvergesToTheItemsRead(t *testing.T) {
	t.Parallel()
	for _, size := range []int{280, 301, 350, 5000} {
		m := meanSize(300 * itemBytesWeight)
		for range 1000 {
			m = m.with(size)
		}
		if got := m.bytes(); got < size-1 || got > size+1 {
			t.Errorf("after a thousand items of %d bytes the mean is %d", size, got)
		}
	}
}
