package dynamo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// consumption is the consumption of a store's calls.
type consumption struct {
	units        float64
	calls, items int
}

// meter adds up the consumption of calls.
type meter struct {
	mu  sync.Mutex
	sum consumption
}

func (m *meter) observe(_ context.Context, u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum.units, m.sum.calls, m.sum.items = m.sum.units+u.Units, m.sum.calls+1, m.sum.items+u.Items
}

// TestMessages_UnknownRoomIsAskedForFew reads the newest message of a room of 64 shards with long
// texts, in a process that has read only other rooms.
func TestMessages_UnknownRoomIsAskedForFew(t *testing.T) {
	t.Parallel()
	const shards, each, most = 64, 3, 300
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	db := startTable(t)
	options := Options{Table: "chat", Clock: func() time.Time { return now }}
	write := New(db, options)
	post := func(room chat.RoomID, text string) {
		t.Helper()
		write.epochs.put(room, shard.Fixed(shards), now)
		for _, user := range oneUserInEach(shards) {
			for n := range each {
				id := chat.MessageID{UUID: chat.NewUUID(now, [10]byte{9: byte(n)}), User: user}
				if _, _, err := write.PutMessage(t.Context(), chat.Message{Room: room, ID: id, Text: text, ReceivedAt: now, Digest: []byte("d")}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	post("long", strings.Repeat("x", chat.MaxText))
	post("short", "x")
	var cost meter
	options.Observe = cost.observe
	read := New(db, options)
	page := func(room chat.RoomID, known shard.Epochs) consumption {
		t.Helper()
		read.epochs.put(room, known, now)
		cost.sum = consumption{}
		messages, more, err := read.MessagesWhileChecking(t.Context(), chat.MessageRange{Room: room, Limit: 1}, func() (bool, error) {
			read.epochs.put(room, shard.Fixed(shards), now)
			return false, nil
		})
		if err != nil || len(messages) != 1 || !more {
			t.Fatalf("%d messages, more: %v, %v", len(messages), more, err)
		}
		return cost.sum
	}
	if c := page("short", shard.Fixed(shards)); c.items != shards || c.calls != shards {
		t.Errorf("the first page reads %d items by %d calls, want one of each shard", c.items, c.calls)
	}
	if c := page("short", shard.Fixed(shards)); c.calls != shards || c.items != shards*each {
		t.Errorf("the second page reads %d items by %d calls, want all that the units hold by %d", c.items, c.calls, shards)
	}
	if c := page("long", shard.Fixed(shards)); c.units > most {
		t.Errorf("a page of an unknown room consumes %.1f units, want at most %d", c.units, most)
	}
	read = New(db, options)
	if c := page("long", shard.Fixed(1)); c.units > most {
		t.Errorf("a page of a room with unknown shards consumes %.1f units, want at most %d", c.units, most)
	}
	if c := page("long", shard.Fixed(shards)); c.units > most {
		t.Errorf("a page of a known room consumes %.1f units, want at most %d", c.units, most)
	}
}

// TestMessages_ReadsWhatAPageHolds reads pages of a room of 16 shards with long texts, of which a page
// holds 31 of the 200 that it may have.
func TestMessages_ReadsWhatAPageHolds(t *testing.T) {
	t.Parallel()
	const shards, each, most = 16, 12, 6 * 16
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	var cost meter
	s := New(startTable(t), Options{Table: "chat", Clock: func() time.Time { return now }, Observe: cost.observe})
	s.epochs.put("long", shard.Fixed(shards), now)
	var want []chat.MessageID // newest first
	for n := range each {
		for _, user := range oneUserInEach(shards) {
			at := now.Add(-time.Duration(len(want)) * time.Millisecond)
			m := chat.Message{
				Room: "long", ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{9: byte(n)}), User: user},
				Text: strings.Repeat("x", chat.MaxText), ReceivedAt: at, Digest: []byte("d"),
			}
			if _, _, err := s.PutMessage(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			want = append(want, m.ID)
		}
	}
	span := chat.MessageRange{Room: "long", Limit: chat.MaxLimit}
	var got []chat.MessageID
	for more := true; more; {
		cost.sum = consumption{}
		messages, next, err := s.Messages(t.Context(), span)
		if err != nil || len(messages) == 0 {
			t.Fatalf("%d messages, %v", len(messages), err)
		}
		if span.After != nil && cost.sum.items > most {
			t.Errorf("a page of %d messages reads %d items, want at most %d", len(messages), cost.sum.items, most)
		}
		for _, m := range messages {
			got = append(got, m.ID)
		}
		last := span.PositionOf(messages[len(messages)-1])
		more, span.After = next, &last
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d messages, want %d, newest first", len(got), len(want))
	}
}

// TestMessagesWhileChecking_WrongGuessTellsTheSize reads a room of short texts whose shards are
// unknown. The guess of one shard shows how large the items are, so the page takes one round.
func TestMessagesWhileChecking_WrongGuessTellsTheSize(t *testing.T) {
	t.Parallel()
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	s, _ := newCrowdedRoom(t, "seattle", now)
	delete(s.epochs.rooms, "seattle")
	if _, _, err := s.MessagesWhileChecking(t.Context(), chat.MessageRange{Room: "seattle", Limit: 50}, func() (bool, error) {
		s.epochs.put("seattle", shard.Fixed(8), now)
		return false, nil
	}); err != nil {
		t.Fatal(err)
	}
	if size := s.sizes.of("seattle", 0); size == 0 {
		t.Error("the size of the room's items is unknown")
	}
}

func TestItemSizes_FollowTheItemsOfEachRoom(t *testing.T) {
	t.Parallel()
	s := itemSizes{rooms: map[chat.RoomID]meanSize{}}
	s.learn("a", 300)
	s.learn("b", 30_000)
	if a, b := s.of("a", 0), s.of("b", 0); a != 300 || b != 30_000 || s.of("c", 77) != 77 {
		t.Errorf("sizes %d and %d, and %d of an unknown room", a, b, s.of("c", 77))
	}
	for range 10 * itemBytesWeight {
		s.learn("a", 900)
	}
	if a := s.of("a", 0); a < 890 || a > 900 {
		t.Errorf("the mean of a is %d, want about 900", a)
	}
	for n := range chat.RoomCacheSize + 1 {
		s.learn(chat.RoomID(time.Unix(int64(n), 0).UTC().Format("r150405")), 1)
	}
	if n := len(s.rooms); n > chat.RoomCacheSize {
		t.Errorf("%d rooms are remembered, want at most %d", n, chat.RoomCacheSize)
	}
}

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
