package socketapi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/parley/infra/config"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/rights"
)

// TestHandle_Conversation is a whole connection: hello, changes of its rooms, sync and its end.
func TestHandle_Conversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	chattest.CreateRoom(t, w.Services, "tacoma", 1)
	two := w.appendChanges("seattle", 2)
	none := position("tacoma", 0)
	c := w.connect("bob")
	c.want(`{"type":"hello","id":"1","rooms":[{"id":"seattle","since":"`+position("seattle", 1)+`"},{"id":"tacoma","mode":"counts"}]}`,
		`{"type":"ack","id":"1","now":"NOW","rooms":[{"id":"seattle","head":2,"since":"`+two+`","reset":false},{"id":"tacoma","head":0,"since":"`+none+`","reset":false}]}`)
	five := w.appendChanges("seattle", 3)
	c.want(`{"type":"sync","id":"2"}`,
		`{"type":"ack","id":"2","now":"NOW","rooms":[{"id":"seattle","head":5,"since":"`+five+`"},{"id":"tacoma","head":0,"since":"`+none+`"}]}`)
	c.want(`{"type":"unsubscribe","id":"3","rooms":[{"id":"tacoma"},{"id":"nowhere"}]}`,
		`{"type":"ack","id":"3","now":"NOW","rooms":[{"id":"tacoma","unsubscribed":true},{"id":"nowhere","unsubscribed":true}]}`)
	c.want(`{"type":"subscribe","id":"4","rooms":[{"id":"tacoma"}]}`,
		`{"type":"ack","id":"4","now":"NOW","rooms":[{"id":"tacoma","head":0,"since":"`+none+`","reset":false}]}`)
	c.want(`{"type":"typing","id":"5","room":"seattle"}`, `{"type":"ack","id":"5","now":"NOW","rooms":[]}`)
	c.disconnect()
	c.want(`{"type":"sync","id":"6"}`, `{"type":"ack","id":"6","now":"NOW","rooms":[]}`)
	for _, text := range []string{"seattle", "bob\"", two} {
		if strings.Contains(strings.ReplaceAll(w.logs.String(), string(c.id), ""), text) {
			t.Errorf("the log holds %s:\n%s", text, w.logs)
		}
	}
}

// TestHandle_HelloWithoutRooms subscribes to the most recent rooms; an empty list means none.
func TestHandle_HelloWithoutRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, room := range []chat.RoomID{"seattle", "tacoma", "olympia"} {
		chattest.CreateRoom(t, w.Services, room, 1)
		w.clock.Advance(time.Second)
	}
	for _, room := range []chat.RoomID{"tacoma", "seattle"} {
		if err := chattest.SetRole(t, w.Services, "bob", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Second)
	}
	room := func(id chat.RoomID) string {
		return `{"id":"` + string(id) + `","head":0,"since":"` + position(id, 0) + `","reset":false}`
	}
	w.connect("bob").want(`{"type":"hello","id":"1"}`, `{"type":"ack","id":"1","now":"NOW","rooms":[`+room("seattle")+`,`+room("tacoma")+`]}`)
	w.connect("eve").want(`{"type":"hello","id":"1"}`, `{"type":"ack","id":"1","now":"NOW","rooms":[]}`)
	w.connect("bob").want(`{"type":"hello","id":"1","rooms":[]}`, `{"type":"ack","id":"1","now":"NOW","rooms":[]}`)
}

// TestHandle_Reset answers to positions that the feed cannot continue from.
func TestHandle_Reset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	end := w.appendChanges("seattle", 3)
	c := w.connect("maker")
	for since, reset := range map[string]string{
		position("seattle", 3): "false", position("seattle", 1): "false", position("seattle", 0): "false",
		position("seattle", 4): "true", chat.FeedPosition{Seq: 3, Generation: "g0"}.Text("seattle"): "true",
	} {
		c.want(`{"type":"subscribe","id":"1","rooms":[{"id":"seattle","since":"`+since+`"}]}`,
			`{"type":"ack","id":"1","now":"NOW","rooms":[{"id":"seattle","head":3,"since":"`+end+`","reset":`+reset+`}]}`)
	}
}

// TestHandle_HiddenIsLikeAbsent compares the answers about a private room and about none, and the
// calls to the store.
func TestHandle_HiddenIsLikeAbsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hidden := string(chattest.CreatePrivateRoom(t, w.Services, "maker"))
	w.appendChanges(chat.RoomID(hidden), 3)
	const absent = "p-00000000000000000000"
	for _, request := range []string{
		`{"type":"hello","id":"1","rooms":[{"id":"ROOM"}]}`, `{"type":"subscribe","id":"1","rooms":[{"id":"ROOM","mode":"counts"}]}`,
		`{"type":"typing","id":"1","room":"ROOM"}`, `{"type":"unsubscribe","id":"1","rooms":[{"id":"ROOM"}]}`,
	} {
		var answers, calls [2]string
		for i, room := range []string{hidden, absent} {
			c := w.connect("eve")
			w.meter.Take()
			answer := c.send(strings.ReplaceAll(request, "ROOM", room))
			answers[i] = strings.ReplaceAll(withoutNow(answer), room, "ROOM")
			calls[i] = operations(w.meter.Take())
			if strings.Contains(answer, "head") {
				t.Errorf("%s: %s", request, answer)
			}
			c.disconnect()
		}
		if answers[0] != answers[1] || calls[0] != calls[1] || calls[0] == "" {
			t.Errorf("%s\nhidden: %s\n%s\nabsent: %s\n%s", request, answers[0], calls[0], answers[1], calls[1])
		}
	}
}

// TestHandle_OneRoomDoesNotFailTheOthers says hello to rooms that the person may and may not read.
func TestHandle_OneRoomDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	chattest.CreateRoom(t, w.Services, "tacoma", 1)
	if err := chattest.SetRole(t, w.Services, "maker", "tacoma", "bob", policy.Banned); err != nil {
		t.Fatal(err)
	}
	w.connect("bob").want(`{"type":"hello","id":"1","rooms":[{"id":"seattle"},{"id":"nowhere"},{"id":"tacoma"}]}`,
		`{"type":"ack","id":"1","now":"NOW","rooms":[{"id":"seattle","head":0,"since":"`+position("seattle", 0)+`","reset":false},`+
			`{"id":"nowhere","problem":{"type":"/problems/not-found","title":"Not found","status":404,"detail":"There is no such room.","retryable":false}},`+
			`{"id":"tacoma","problem":{"type":"/problems/forbidden","title":"Forbidden","status":403,"detail":"Your role in this room does not allow this.","retryable":false}}]}`)
}

// recorder refuses calls that the function's role does not allow.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{chattest.Table: "Table", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }

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
