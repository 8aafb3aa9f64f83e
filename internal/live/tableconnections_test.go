package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/storetest"
)

func addRooms(t *testing.T, s *live.Table, c live.Connection, at time.Time, wantCreated bool, rooms ...chat.RoomID) {
	t.Helper()
	if created, err := s.AddRooms(t.Context(), c, rooms, at); created != wantCreated || err != nil {
		t.Errorf("add %d rooms to %s: created %v, %v", len(rooms), c.ID, created, err)
	}
}

// wantConnections checks the connections of amsg.
func wantConnections(t *testing.T, s *live.Table, want ...live.Opened) {
	t.Helper()
	all, err := s.Connections(t.Context(), "amsg")
	if d := cmp.Diff(want, all); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func connectionIsStoredOnce(t *testing.T, s *live.Table) {
	later := start.Add(time.Minute)
	o := live.Opened{Connection: connectionOf("c1"), Rooms: []chat.RoomID{"seattle", "tacoma"}, Since: start, Seen: later}
	storetest.SetsEveryField(t, o)
	addRooms(t, s, o.Connection, start, true, "tacoma")
	addRooms(t, s, o.Connection, later, false, "seattle", "tacoma")
	wantConnections(t, s, o)
	o.Seen = later.Add(time.Minute)
	seen, found, err := s.SeeConnection(t.Context(), o.Connection, o.Seen)
	if d := cmp.Diff(o, seen); d != "" || !found || err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", found, err, d)
	}
	if err := s.RemoveRooms(t.Context(), o.Connection, []chat.RoomID{"seattle", "tacoma", "elsewhere"}); err != nil {
		t.Fatal(err)
	}
	o.Rooms = nil
	empty := live.Opened{Connection: connectionOf("c2"), Since: start, Seen: start}
	addRooms(t, s, empty.Connection, start, true)
	wantConnections(t, s, o, empty)
	for n := range 2 {
		deleted, found, err := s.DeleteConnection(t.Context(), o.Connection)
		if found != (n == 0) || err != nil || found && cmp.Diff(o, deleted) != "" {
			t.Errorf("deleted %+v, %v, %v", deleted, found, err)
		}
	}
	wantConnections(t, s, empty)
}

func connectionIsFull(t *testing.T, s *live.Table) {
	var rooms []chat.RoomID
	for n := range live.MaxRooms {
		rooms = append(rooms, chat.RoomID(fmt.Sprintf("p-%020d", n)))
	}
	c := connectionOf("c1")
	addRooms(t, s, c, start, true, rooms[:98]...)
	addRooms(t, s, c, start, false, rooms[90:]...) // of which two are new
	addRooms(t, s, c, start, false, rooms...)
	all, err := s.Connections(t.Context(), "amsg")
	if err != nil || len(all) != 1 || cmp.Diff(rooms, all[0].Rooms) != "" {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = s.AddRooms(t.Context(), c, []chat.RoomID{rooms[0], "one-more"}, start)
	if chat.KindOf(err) != chat.Conflict {
		t.Errorf("a room too many: %v", err)
	}
	wantConnections(t, s, all...)
}

func goneConnection(t *testing.T, s *live.Table) {
	c := connectionOf("c1")
	if err := s.RemoveRooms(t.Context(), c, []chat.RoomID{"seattle"}); err != nil {
		t.Error(err)
	}
	if o, found, err := s.SeeConnection(t.Context(), c, start); found || err != nil {
		t.Errorf("%+v, %v, %v", o, found, err)
	}
	wantConnections(t, s)
}

// connectionIsRenewed renews a connection, which keeps its new end when rooms are added.
func connectionIsRenewed(t *testing.T, s *live.Table) {
	c, none := connectionOf("c1"), connectionOf("c2")
	addRooms(t, s, c, start, true, "seattle")
	renewed := c
	renewed.Until = c.Until.Add(time.Hour)
	want := live.Opened{Connection: renewed, Rooms: []chat.RoomID{"seattle"}, Since: start, Seen: start.Add(time.Minute)}
	got, found, err := s.RenewConnection(t.Context(), renewed, want.Seen)
	if d := cmp.Diff(want, got); d != "" || !found || err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", found, err, d)
	}
	addRooms(t, s, c, want.Seen, false, "seattle")
	wantConnections(t, s, want)
	if o, found, err := s.RenewConnection(t.Context(), none, start); found || err != nil {
		t.Errorf("a connection that is not stored: %+v, %v", o, err)
	}
	ends, err := s.ConnectionEnds(t.Context(), []live.Connection{c, none})
	if d := cmp.Diff(map[live.ConnectionID]time.Time{c.ID: renewed.Until}, ends); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	wantConnections(t, s, want)
}

func similarConnections(t *testing.T, s *live.Table) {
	for _, user := range []chat.UserID{"am", "amsg", "amsg2"} {
		c := connectionOf("c1")
		c.User = user
		addRooms(t, s, c, start, true, "seattle")
	}
	wantConnections(t, s, live.Opened{Connection: connectionOf("c1"), Rooms: []chat.RoomID{"seattle"}, Since: start, Seen: start})
}
