package socketapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

const closingSuspended = `{"type":"closing","reason":"suspended"}`

// suspend suspends a person, and passes it to the feed's handler.
func (w *delivering) suspend(user string) {
	w.t.Helper()
	w.suspendQuietly(user)
	w.deliver()
}

// suspendQuietly suspends a person before the feed's handler hears of it.
func (w *delivering) suspendQuietly(user string) {
	w.t.Helper()
	if _, err := w.Accounts.Suspend(w.t.Context(), "help-desk", chat.UserID(user), "spam"); err != nil {
		w.t.Fatal(err)
	}
}

// TestDelivery_SuspensionEndsConnections ends the connections of a suspended person and no others,
// with rooms and without. Other changes of their account do nothing.
func TestDelivery_SuspensionEndsConnections(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	full, none, other := w.connect("bob"), w.connect("bob"), w.connect("carl")
	for _, c := range []*client{full, other} {
		c.send(`{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`)
	}
	none.send(`{"type":"hello","id":"1","rooms":[]}`)
	w.deliver()
	for _, c := range []*client{full, none, other} {
		w.sent.take(c.id)
	}
	w.suspend("bob")
	for _, c := range []*client{full, none} {
		if c.wantFrames(closingSuspended); !c.isClosed() {
			t.Errorf("%s is open", c.id)
		}
	}
	if all, err := w.rows.Connections(t.Context(), "bob"); err != nil || len(all) > 0 {
		t.Errorf("stored are %+v, %v", all, err)
	}
	if all, err := w.rows.Subscriptions(t.Context(), "seattle"); err != nil || len(all) != 1 || other.isClosed() {
		t.Errorf("subscribed are %+v, %v; another person's connection is closed: %v", all, err, other.isClosed())
	}
	if _, err := w.Accounts.EndSuspension(t.Context(), "help-desk", "bob"); err != nil {
		t.Fatal(err)
	}
	again := w.connect("bob")
	again.send(`{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`)
	w.deliver()
	if again.wantFrames(); again.isClosed() {
		t.Error("the end of the suspension closes a connection")
	}
}

// noConnections is a table in which the process that suspends people finds no connections, as if it
// had ended before it could end their subscriptions.
type noConnections struct{ live.Store }

func (noConnections) Connections(context.Context, chat.UserID) ([]live.Opened, error) {
	return nil, nil
}

// TestDelivery_SuspensionEndsSubscriptionsFirst suspends a person whose connection cannot be closed
// at present. It hears nothing from then on, and is closed by its next message.
func TestDelivery_SuspensionEndsSubscriptionsFirst(t *testing.T) {
	t.Parallel()
	w := newDelivering(t, func(o *app.Options) { o.Live = noConnections{o.Live} })
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	c := w.connect("bob")
	c.send(`{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`)
	w.sent.setBusy(true)
	w.suspend("bob")
	w.sent.setBusy(false)
	w.changes("seattle")[0]()
	w.deliver()
	if c.wantFrames(); c.isClosed() {
		t.Fatal("the connection was closed")
	}
	if got := c.send(`{"type":"sync","id":"2"}`); got != "" || !c.isClosed() {
		t.Errorf("%s, closed %v", got, c.isClosed())
	}
}

// TestHandle_SuspendedPerson refuses new connections of a suspended person, and ends one that was
// opened before at its first message, though the feed's handler has heard of nothing.
func TestHandle_SuspendedPerson(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		`{"type":"hello","id":"1"}`, `{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`, `{"type":"subscribe","id":"1","rooms":[{"id":"seattle"}]}`, `{"type":"sync","id":"1"}`,
		`{"type":"typing","id":"1","room":"seattle"}`,
	} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			w := newDelivering(t)
			chattest.CreateRoom(t, w.Services, "seattle", 1)
			c := w.connect("bob")
			w.suspendQuietly("bob")
			if got := c.send(message); got != "" || !c.isClosed() {
				t.Errorf("%s, closed %v", got, c.isClosed())
			}
			frames := w.sent.take(c.id)
			if len(frames) != 2 || !strings.Contains(frames[0], `/problems/suspended`) || frames[1] != closingSuspended {
				t.Errorf("the last frames are %q", frames)
			}
			if all, err := w.rows.Connections(t.Context(), "bob"); err != nil || len(all) > 0 {
				t.Errorf("stored are %+v, %v", all, err)
			}
			if all, err := w.rows.Subscriptions(t.Context(), "seattle"); err != nil || len(all) > 0 {
				t.Errorf("subscribed are %+v, %v", all, err)
			}
			a, err := w.handler.Handle(t.Context(), c.event("$connect", ""))
			if err != nil || a.StatusCode != http.StatusForbidden || a.Body != "" {
				t.Errorf("a new connection: %+v, %v", a, err)
			}
		})
	}
}

// TestSuspend_EndsSubscriptionsFirst suspends a person who is in two rooms by two connections. When
// the answer is there, neither hears of those who type, come and leave, though the feed's handler
// has heard of nothing. It closes the connections later.
func TestSuspend_EndsSubscriptionsFirst(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	for _, room := range []chat.RoomID{"seattle", "tacoma"} {
		chattest.CreateRoom(t, w.Services, room, 1)
	}
	first, second, carl := w.connect("bob").hello("seattle", "tacoma"), w.connect("bob").hello("tacoma"), w.connect("carl").hello("seattle", "tacoma")
	w.deliver()
	for _, retry := range []bool{false, true} {
		if retry { // the process before has ended before it could delete the subscriptions
			for _, c := range []*client{first, second} {
				w.subscribeAgain(c, "tacoma")
			}
		}
		for _, c := range []*client{first, second, carl} {
			w.sent.take(c.id)
		}
		w.suspendQuietly("bob")
		w.clock.Advance(live.TypingInterval)
		for _, room := range []string{"seattle", "tacoma"} {
			carl.send(`{"type":"typing","id":"1","room":"` + room + `"}`)
		}
		w.connect("dora").hello("seattle", "tacoma").disconnect()
		for _, c := range []*client{first, second} {
			if c.wantFrames(); c.isClosed() {
				t.Errorf("retry %t: %s is closed before the feed's handler has heard of it", retry, c.id)
			}
		}
		carl.wantFrames(presence("dora", true, "seattle", "tacoma"), presence("dora", false, "seattle", "tacoma"))
	}
	w.deliver()
	for _, c := range []*client{first, second} {
		if c.wantFrames(closingSuspended); !c.isClosed() {
			t.Errorf("%s is open", c.id)
		}
	}
}

// subscribeAgain stores an active subscription of a connection.
func (w *world) subscribeAgain(c *client, room chat.RoomID) {
	w.t.Helper()
	sub := live.Subscription{Room: room, Connection: live.Connection{ID: c.id, User: chat.UserID(c.user), Until: c.until}, Attempt: "again"}
	if err := w.rows.PutPending(w.t.Context(), sub); err != nil {
		w.t.Fatal(err)
	}
	if ok, err := w.rows.Activate(w.t.Context(), sub); !ok || err != nil {
		w.t.Fatal(ok, err)
	}
}

// TestHello_SuspendedBetweenItsCalls suspends people before each call that a hello makes to the
// store, and after the last one. Whatever the hello answers, nothing of the room reaches them
// from the answer to the suspension on.
func TestHello_SuspendedBetweenItsCalls(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	carl := w.connect("carl").hello("seattle")
	happen := func() {
		w.clock.Advance(live.TypingInterval)
		carl.send(`{"type":"typing","id":"1","room":"seattle"}`)
		w.connect("dora").hello("seattle").disconnect()
	}
	for n := 1; ; n++ {
		bob := w.connect(fmt.Sprint("bob", n))
		suspended := false
		suspend := func() {
			w.suspendQuietly(bob.user)
			suspended = true
			w.sent.take(bob.id)
			happen()
		}
		i := &interruption{at: n, do: suspend}
		if _, err := w.handler.Handle(i.in(t.Context()), bob.event("$default", `{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`)); err != nil {
			t.Fatal(err)
		}
		last := !suspended
		if last {
			suspend()
		}
		happen()
		for _, frame := range w.sent.take(bob.id) {
			if kind := typeOf(t, frame); kind != "problem" && kind != "closing" {
				t.Errorf("suspended before call %d of %d: %s", n, i.calls, frame)
			}
		}
		all, err := w.rows.Subscriptions(t.Context(), "seattle")
		if err != nil {
			t.Fatal(err)
		}
		for _, sub := range all {
			if sub.Connection.ID == bob.id {
				t.Errorf("suspended before call %d of %d: subscribed, active %t", n, i.calls, sub.Active)
			}
		}
		w.deliver()
		if !bob.isClosed() {
			t.Errorf("suspended before call %d of %d: the connection is open", n, i.calls)
		}
		if last {
			t.Logf("a hello makes %d calls", i.calls)
			return
		}
	}
}
