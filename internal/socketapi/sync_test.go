package socketapi_test

import (
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// syncOf returns a sync of one room with a position.
func syncOf(room chat.RoomID, since string) string {
	return `{"type":"sync","id":"1","rooms":[{"id":"` + string(room) + `","since":"` + since + `"}]}`
}

// TestSync_NamedRooms asks for some rooms of a connection, and for others.
func TestSync_NamedRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, room := range []chat.RoomID{"seattle", "tacoma", "olympia"} {
		chattest.CreateRoom(t, w.Services, room, 1)
	}
	first, end := position("seattle", 1), w.appendChanges("seattle", 3)
	c := w.connect("bob").hello("seattle", "tacoma")
	before, err := w.rows.Connections(t.Context(), "bob")
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"type":"ack","id":"1","now":"NOW","rooms":[`
	c.want(`{"type":"sync","id":"1","rooms":[{"id":"tacoma"},{"id":"seattle"},{"id":"olympia"},{"id":"nowhere"}]}`,
		head+`{"id":"tacoma","head":0,"since":"`+position("tacoma", 0)+`"},{"id":"seattle","head":3,"since":"`+end+`"},`+
			`{"id":"olympia","unsubscribed":true},{"id":"nowhere","unsubscribed":true}]}`)
	for _, since := range []string{"", first, end} {
		c.want(syncOf("seattle", since), head+`{"id":"seattle","head":3,"since":"`+end+`"}]}`)
	}
	for name, since := range map[string]string{
		"beyond the end":        position("seattle", 4),
		"of another generation": chat.FeedPosition{Seq: 2, Generation: "g0"}.Text("seattle"),
	} {
		t.Log(name)
		c.want(syncOf("seattle", since), head+`{"id":"seattle","head":3,"since":"`+end+`","reset":true}]}`)
	}
	after, err := w.rows.Connections(t.Context(), "bob")
	if err != nil || !after[0].Seen.Equal(before[0].Seen) {
		t.Errorf("the connection was seen at %v, then at %v: %v", before, after, err)
	}
}

// TestSync_NamedRoomsOfTheRemoved asks for a room after a ban, and after a suspension, which closes
// the connection.
func TestSync_NamedRoomsOfTheRemoved(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	c, other := w.connect("bob").hello("seattle"), w.connect("carl").hello("seattle")
	if err := chattest.SetRole(t, w.Services, "maker", "seattle", "bob", policy.Banned); err != nil {
		t.Fatal(err)
	}
	w.suspendQuietly("carl")
	if got := outcomeOf(t, c.send(syncOf("seattle", ""))); got != "unsubscribed" {
		t.Errorf("after the ban: %s", got)
	}
	if got := other.send(syncOf("seattle", "")); got != "" || !other.isClosed() {
		t.Errorf("after the suspension: %q", got)
	}
}
