package socketapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

// hello subscribes a connection to rooms, and fails the test unless all succeed.
func (c *client) hello(rooms ...string) *client {
	c.t.Helper()
	var list []string
	for _, room := range rooms {
		list = append(list, `{"id":"`+room+`"}`)
	}
	if got := c.send(`{"type":"hello","id":"1","rooms":[` + strings.Join(list, ",") + `]}`); strings.Contains(got, "problem") {
		c.t.Fatalf("hello of %s: %s", c.user, got)
	}
	return c
}

func presence(user string, online bool, rooms ...string) string {
	var list []string
	for _, room := range rooms {
		list = append(list, fmt.Sprintf(`{"id":"%s","user":"%s","online":%t}`, room, user, online))
	}
	return `{"type":"presence","rooms":[` + strings.Join(list, ",") + `]}`
}

// TestAnnounce_PresenceInCommonRooms follows people who come and leave. The second connection of a
// person changes nothing for the others.
func TestAnnounce_PresenceInCommonRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, room := range []chat.RoomID{"seattle", "tacoma", "olympia"} {
		chattest.CreateRoom(t, w.Services, room, 1)
	}
	ann := w.connect("ann").hello("seattle", "tacoma")
	bob := w.connect("bob").hello("tacoma", "olympia", "seattle")
	ann.wantFrames(presence("bob", true, "seattle", "tacoma"))
	bob.wantFrames()
	second := w.connect("bob").hello("tacoma")
	ann.wantFrames()
	bob.wantFrames()
	eve := w.connect("eve").hello("olympia")
	bob.wantFrames(presence("eve", true, "olympia"))
	ann.wantFrames()
	bob.disconnect() // still in tacoma by the other connection
	ann.wantFrames(presence("bob", false, "seattle"))
	eve.wantFrames(presence("bob", false, "olympia"))
	second.send(`{"type":"unsubscribe","id":"2","rooms":[{"id":"tacoma"}]}`)
	ann.wantFrames(presence("bob", false, "tacoma"))
	second.send(`{"type":"subscribe","id":"3","rooms":[{"id":"tacoma"}]}`)
	ann.wantFrames(presence("bob", true, "tacoma"))
	w.clock.Advance(2 * time.Hour) // all others have expired
	late := w.connect("late").hello("seattle", "tacoma", "olympia")
	for _, c := range []*client{ann, second, eve, late} {
		c.wantFrames()
	}
}

// TestTyping_ReachesTheOthers types in a room: not to the person's own connections, nor to other
// rooms, and once in 8 seconds.
func TestTyping_ReachesTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	chattest.CreateRoom(t, w.Services, "tacoma", 1)
	ann, bob, phone := w.connect("ann").hello("seattle"), w.connect("bob").hello("seattle"), w.connect("bob").hello("seattle", "tacoma")
	eve := w.connect("eve").hello("tacoma")
	for _, c := range []*client{ann, bob, phone, eve} {
		w.sent.take(c.id)
	}
	const typing = `{"type":"typing","id":"t","room":"seattle"}`
	const told = `{"type":"typing","room":"seattle","user":"bob","until":"LATER"}`
	bob.want(typing, `{"type":"ack","id":"t","now":"NOW","rooms":[]}`)
	ann.wantFrames(told)
	bob.wantFrames()
	phone.wantFrames()
	eve.wantFrames()
	w.clock.Advance(5 * time.Second)
	if got := problemOf(t, bob.send(typing)); got != "t 429 Typing is reported at most once in 8 seconds; retry after the seconds in retryAfter. 2" {
		t.Error(got)
	}
	w.clock.Advance(time.Second)
	bob.want(typing, `{"type":"ack","id":"t","now":"NOW","rooms":[]}`)
	ann.wantFrames(told)
	w.clock.Advance(live.TypingInterval)
	bob.want(`{"type":"typing","id":"t","room":"seattle","thread":"01890a5d-ac96-774b-bcce-b302099a8057~ann"}`, `{"type":"ack","id":"t","now":"NOW","rooms":[]}`)
	ann.wantFrames(`{"type":"typing","room":"seattle","thread":"01890a5d-ac96-774b-bcce-b302099a8057~ann","user":"bob","until":"LATER"}`)
	if got := problemOf(t, eve.send(typing)); got != "t 409 The connection is not subscribed to this room; subscribe first." {
		t.Error(got)
	}
}

// TestAnnounce_NotInLargeRooms reaches the limit of 50 connections, and exceeds it.
func TestAnnounce_NotInLargeRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	first := w.connect("u0").hello("seattle")
	for i := 1; i < 50; i++ {
		w.connect(fmt.Sprint("u", i)).hello("seattle")
	}
	if got := w.sent.take(first.id); len(got) != 49 {
		t.Errorf("%d frames in a room of 50, want 49", len(got))
	}
	last := w.connect("u50").hello("seattle")
	first.wantFrames()
	last.want(`{"type":"typing","id":"t","room":"seattle"}`, `{"type":"ack","id":"t","now":"NOW","rooms":[]}`)
	first.wantFrames()
	last.disconnect()
	first.wantFrames(presence("u50", false, "seattle"))
}

// TestAnnounce_GoneListeners sends to a connection that has ended without a word. The others get
// their frames.
func TestAnnounce_GoneListeners(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	gone, ann := w.connect("gone").hello("seattle"), w.connect("ann").hello("seattle")
	if err := w.sent.Close(t.Context(), gone.id); err != nil {
		t.Fatal(err)
	}
	w.connect("bob").hello("seattle")
	ann.wantFrames(presence("bob", true, "seattle"))
}

// TestAnnounce_HangingListeners sends to connections that take no frame. The person who comes gets
// the answer after AnnounceTime.
func TestAnnounce_HangingListeners(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	for i := range 30 {
		w.connect(fmt.Sprint("u", i)).hello("seattle")
	}
	w.handler.AnnounceTime = 50 * time.Millisecond
	w.handler.Poster = hanging{w.sent}
	began := time.Now()
	w.connect("late").hello("seattle")
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("the answer took %v", took)
	}
}

// hanging is a service that answers no post.
type hanging struct{ *outbox }

func (hanging) Post(ctx context.Context, _ live.ConnectionID, _ []byte) error {
	<-ctx.Done()
	return live.ErrBusy
}

// TestTyping_SilentListenerRests types in a room with a connection that reads nothing, which the
// service refuses. The connection rests for 2 s, then for 4, and the other one gets every frame.
func TestTyping_SilentListenerRests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	silent, ann, bob, eve := w.connect("silent").hello("seattle"), w.connect("ann").hello("seattle"), w.connect("bob").hello("seattle"), w.connect("eve").hello("seattle")
	poster := &refusing{outbox: w.sent, silent: silent.id}
	w.handler.Poster = poster
	types := func(c *client, tries int) {
		t.Helper()
		w.sent.take(ann.id)
		if c.sendNow(`{"type":"typing","id":"t","room":"seattle"}`); poster.tries != tries {
			t.Errorf("%d posts to the connection that reads nothing, want %d", poster.tries, tries)
		}
		if got := w.sent.take(ann.id); len(got) != 1 {
			t.Errorf("the other listener received %v", got)
		}
	}
	types(bob, 1)
	types(eve, 1)
	w.clock.Advance(8 * time.Second)
	types(bob, 2)
	w.clock.Advance(3 * time.Second)
	types(eve, 2)
	w.clock.Advance(5 * time.Second)
	poster.silent = ""
	types(bob, 2)
	if got := w.sent.take(silent.id); len(got) == 0 {
		t.Error("a connection that reads again receives nothing")
	}
	w.clock.Advance(8 * time.Second)
	poster.silent = silent.id
	types(bob, 3)
	w.clock.Advance(2 * time.Second)
	types(eve, 4)
}

// refusing is a service that refuses the posts to a connection.
type refusing struct {
	*outbox
	silent live.ConnectionID
	tries  int
}

func (r *refusing) Post(ctx context.Context, to live.ConnectionID, frame []byte) error {
	if to != r.silent {
		return r.outbox.Post(ctx, to, frame)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tries++
	return live.ErrRefused
}
