package socketapi_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/internal/chat"
	"parley/internal/test/chattest"
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

// TestDelivery_SuspensionEndsSubscriptionsFirst suspends a person whose connection cannot be closed
// at present. It hears nothing from then on, and is closed by its next message.
func TestDelivery_SuspensionEndsSubscriptionsFirst(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
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
			if len(frames) != 2 || !strings.Contains(frames[0], `urn:parley:problem:suspended`) || frames[1] != closingSuspended {
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
