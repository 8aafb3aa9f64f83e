package live_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
)

// pair is a direct room, and team a private room that is none.
const (
	pair chat.RoomID = "p-0658558fe7b7ccc9e4f8b6d2c1a0f3e"
	team chat.RoomID = "p-0658558fe7b7ccc9e4f8b6d2c1a0f3f"
)

// directHall is a hall with the direct room of ada, bob and eve.
type directHall struct {
	*hall
	blocks map[chat.UserID]chat.UserID // the person whom a person has blocked
	rooms  []chat.RoomID               // that were read

	process *live.Delivery
}

func (h *directHall) Room(_ context.Context, room chat.RoomID) (chat.Room, error) {
	h.rooms = append(h.rooms, room)
	if room == pair {
		return chat.Room{ID: room, Private: true, Direct: []chat.UserID{"ada", "bob", "eve"}}, nil
	}
	return chat.Room{ID: room}, nil
}

func (h *directHall) Blocked(_ context.Context, user chat.UserID) (map[chat.UserID]bool, error) {
	return map[chat.UserID]bool{h.blocks[user]: true}, nil
}

func (h *directHall) Blockers(context.Context, chat.UserID, []chat.UserID) (map[chat.UserID]bool, error) {
	panic("not called")
}

// consume delivers changes of a room, whose numbers begin with 7, and returns who receives which
// personal events, in order.
func (h *directHall) consume(t *testing.T, room chat.RoomID, changes ...feed.Change) string {
	t.Helper()
	h.posts = nil
	a := feed.Appended{Room: room}
	for i, c := range changes {
		a.Entries = append(a.Entries, feed.AppendedEntry{Seq: int64(7 + i), StreamChange: feed.StreamChange{Change: c}})
		a.Head = feed.Head{Room: room, Last: int64(7 + i)}
	}
	if h.process == nil {
		h.process = live.NewDelivery(live.DeliveryOptions{
			Rows: h, Connections: h, Rooms: h, Details: h, Blocks: h, Poster: h, Missed: h, Clock: time.Now, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
		})
	}
	if err := h.process.Consume(t.Context(), feed.Batch{Rooms: []feed.Appended{a}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range h.posts {
		if event, ok := strings.CutPrefix(string(p.frame), `{"type":"personal","event":`); ok {
			got = append(got, fmt.Sprint(p.to, " ", strings.TrimSuffix(event, "}")))
		}
	}
	slices.Sort(got)
	return strings.Join(got, "\n")
}

// TestConsume_MessagesOfDirectRoomsAreEvents delivers messages of ada to people whose connections
// are subscribed to no room, or to the direct room.
func TestConsume_MessagesOfDirectRoomsAreEvents(t *testing.T) {
	t.Parallel()
	id := func(n byte) chat.MessageID {
		return chat.MessageID{UUID: chat.NewUUID(now.Add(time.Duration(n)*time.Second), [10]byte{n}), User: "ada"}
	}
	created := func(n byte) feed.Change { return feed.Change{Type: feed.MessageCreated, Message: id(n), Revision: 1} }
	reply := feed.Change{Type: feed.ReplyCreated, Message: id(3), Thread: id(1), Revision: 1}
	event := func(who string, n byte, seq int) string {
		return fmt.Sprintf(`%s {"type":"message.added","room":%q,"id":%q,"seq":%d}`, who, pair, id(n), seq)
	}
	for _, tt := range []struct {
		name    string
		room    chat.RoomID
		changes []feed.Change
		change  func(*directHall)
		want    []string
		reads   int // of rooms
	}{
		{name: "a message", changes: []feed.Change{created(1)}, want: []string{event("ada", 1, 7), event("bob", 1, 7), event("eve", 1, 7)}, reads: 1},
		{name: "a reply in a thread", changes: []feed.Change{reply}, want: []string{event("ada", 3, 7), event("bob", 3, 7), event("eve", 3, 7)}, reads: 1},
		{name: "the newest of three", changes: []feed.Change{created(1), created(2), {Type: feed.CountsChanged, Message: id(1), Revision: 2}}, want: []string{event("ada", 2, 8), event("bob", 2, 8), event("eve", 2, 8)}, reads: 1},
		{name: "no new message", changes: []feed.Change{{Type: feed.MessageEdited, Message: id(1), Revision: 2}, {Type: feed.MessageDeleted, Message: id(1), Revision: 3}}},
		{name: "another private room", room: team, changes: []feed.Change{created(1)}, reads: 1},
		{name: "a public room", room: "seattle", changes: []feed.Change{created(1)}},
		{
			name: "a subscribed connection", changes: []feed.Change{created(1)}, reads: 1,
			change: func(h *directHall) { h.join(pair, live.Full, "bob") },
			want:   []string{event("ada", 1, 7), event("eve", 1, 7)},
		},
		{
			name: "one who has left, and one who was removed", changes: []feed.Change{created(1)}, reads: 1,
			change: func(h *directHall) {
				h.denied["bob"], h.denied["eve"] = &chat.Error{Kind: chat.NotFound}, &chat.Error{Kind: chat.Forbidden}
			},
			want: []string{event("ada", 1, 7)},
		},
		{
			name: "one who has blocked the sender", changes: []feed.Change{created(1)}, reads: 1,
			change: func(h *directHall) { h.blocks["eve"] = "ada" },
			want:   []string{event("ada", 1, 7), event("bob", 1, 7)},
		},
		{
			name: "one who has blocked another", changes: []feed.Change{created(1)}, reads: 1,
			change: func(h *directHall) { h.blocks["eve"] = "bob" },
			want:   []string{event("ada", 1, 7), event("bob", 1, 7), event("eve", 1, 7)},
		},
		{
			name: "one who was suspended", changes: []feed.Change{created(1)}, reads: 1,
			change: func(h *directHall) { delete(h.opened, "bob") }, // an earlier part of the same call ends the connections
			want:   []string{event("ada", 1, 7), event("eve", 1, 7)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := &directHall{hall: newHall(), blocks: map[chat.UserID]chat.UserID{}}
				h.join("lobby", live.Full, "ada", "bob", "eve")
				if tt.change != nil {
					tt.change(h)
				}
				room := tt.room
				if room == "" {
					room = pair
				}
				for range 2 { // a process reads each room once
					if got, want := h.consume(t, room, tt.changes...), strings.Join(tt.want, "\n"); got != want {
						t.Errorf("events\n%s\nwant\n%s", got, want)
					}
				}
				if len(h.rooms) != tt.reads {
					t.Errorf("the rooms %q were read, want %d", h.rooms, tt.reads)
				}
			})
		})
	}
}
