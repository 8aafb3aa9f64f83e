package live_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

// TestService_Units counts the read and write units of each method, besides the two read units of
// each check of access.
func TestService_Units(t *testing.T) {
	t.Parallel()
	const many = 30
	f := newFixture(t)
	c, other := f.connection("8d2e1f0a-4b6c-4d3e-9f10-2a3b4c5d6e7f", 1), f.connection("bob", 1)
	rooms := make([]chat.RoomID, many)
	for n := range rooms {
		rooms[n] = chat.RoomID(fmt.Sprint("room-", n))
		chattest.CreateRoom(t, f.api, rooms[n], 1)
		if err := f.store.PutFeedHead(t.Context(), feed.Head{Room: rooms[n], Last: 7, Generation: "g", WrittenAt: f.clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	f.subscribe(t, other, rooms[0])
	f.units.take()
	for _, step := range []struct {
		name string
		want [2]float64
		do   func() error
	}{
		{"open with 30 rooms", [2]float64{1, 1}, func() error { return f.Open(t.Context(), c, rooms) }},
		{"subscribe to one", [2]float64{2, 2}, func() error { _, err := f.subscribeTo(t.Context(), c, "1", rooms[0]); return err }},
		{"subscribe to the others", [2]float64{30, 58}, func() error {
			wants := make([]live.Want, many)
			for n, room := range rooms {
				wants[n].Room = room
			}
			_, err := f.Subscribe(t.Context(), c, "1", wants[1:])
			return err
		}},
		{"positions of 30 rooms", [2]float64{30, 1}, func() error { _, err := f.Positions(t.Context(), c); return err }},
		{"typing", [2]float64{2, 1}, func() error { _, err := f.Typing(t.Context(), c, rooms[0]); return err }},
		{"who is online", [2]float64{1, 0}, func() error { _, err := f.Online(t.Context(), "bob", rooms[0]); return err }},
		{"a removal of nobody", [2]float64{1, 0}, func() error { return f.RemoveUser(t.Context(), rooms[0], "eve") }},
		{"unsubscribe", [2]float64{0, 2}, func() error { _, err := f.Unsubscribe(t.Context(), c, rooms[29]); return err }},
		{"a room's end", [2]float64{1, 2}, func() error { return f.RemoveRoom(t.Context(), rooms[0]) }},
		{"a suspension of a person with 1 room", [2]float64{1, 1}, func() error { return f.RemovePerson(t.Context(), "bob") }},
		{"the end of a connection with 29 rooms", [2]float64{1, 31}, func() error { _, err := f.HangUp(t.Context(), c); return err }},
	} {
		f.clock.Advance(time.Second)
		if err := step.do(); err != nil {
			t.Fatal(step.name, err)
		}
		if used := f.units.take(); used != step.want {
			t.Errorf("%s: %v units, want %v", step.name, used, step.want)
		}
	}
}
