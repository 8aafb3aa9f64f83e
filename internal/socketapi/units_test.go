package socketapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/infra/config"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// units returns the sums of write and read units.
func units(calls []dynamo.Usage) (writes, reads float64) {
	for _, u := range calls {
		if u.Write {
			writes += u.Units
		} else {
			reads += u.Units
		}
	}
	return writes, reads
}

// TestHandle_Units counts the units of a connection with 30 rooms. A hello writes each subscription
// twice. It reads the membership and the head of each room, whether the connection has ended, and the
// listeners to tell of presence, and takes from the person's budget.
// Steps are calls that wait for one another: 8 for a hello, and more if the machine is busy.
func TestHandle_Units(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rooms []string
	for i := range 30 {
		room := chat.RoomID(fmt.Sprintf("room-%02d", i))
		chattest.CreateRoom(t, w.Services, room, 1)
		if err := chattest.SetRole(t, w.Services, "bob", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
		w.appendChanges(room, 1)
		rooms = append(rooms, `{"id":"`+string(room)+`"}`)
	}
	c, other := w.connect("bob"), w.connect("bob")
	w.steps.Pause = 60 * time.Millisecond // long enough for calls that begin together on a busy machine
	var end string
	for _, tt := range []struct {
		name          string
		request       func()
		writes, reads float64
		steps         int
	}{
		{"connect", func() { w.connect("bob") }, 0, 0.5, 1},
		{"hello with 30 rooms", func() { c.send(`{"type":"hello","id":"1","rooms":[` + strings.Join(rooms, ",") + `]}`) }, config.HelloWrites, 93.5, 20},
		{"hello without rooms", func() { other.send(`{"type":"hello","id":"1"}`) }, config.HelloWrites, 109.5, 20},
		{"sync of 30 rooms", func() { c.send(sync1) }, 1, 30.5, 4},
		{"typing", func() { end = c.send(`{"type":"typing","id":"1","room":"room-01"}`) }, 1, 3.5, 4},
		{"unsubscribe from one room", func() { c.send(`{"type":"unsubscribe","id":"1","rooms":[{"id":"room-01"}]}`) }, 2, 1, 3},
		{"subscribe to one room", func() { c.send(`{"type":"subscribe","id":"1","rooms":[{"id":"room-01"}]}`) }, 3, 5.5, 6},
		{"sync of one named room", func() { c.send(syncOf("room-01", position("room-01", 1))) }, 0, 1, 2},
		{"sync of 20 named rooms", func() { c.send(`{"type":"sync","id":"1","rooms":[` + strings.Join(rooms[:20], ",") + `]}`) }, 0, 20, 2},
		{"disconnect", c.disconnect, 32, 31, 9}, // 5, unless some of the 30 calls begin late
	} {
		w.meter.Take()
		w.steps.Reset()
		tt.request()
		calls, steps := w.meter.Take(), w.steps.Reset()
		writes, reads := units(calls)
		t.Logf("%s: %v WU, %v RU, %d steps", tt.name, writes, reads, steps)
		if writes > tt.writes || reads > tt.reads || steps > tt.steps {
			t.Errorf("%s: %v WU and %v RU in %d steps, want at most %v and %v in %d\n%s",
				tt.name, writes, reads, steps, tt.writes, tt.reads, tt.steps, operations(calls))
		}
	}
	if !strings.Contains(end, `"ack"`) {
		t.Error(end)
	}
}
