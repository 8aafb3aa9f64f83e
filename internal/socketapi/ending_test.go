package socketapi_test

import (
	"context"
	"net/http"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/test/chattest"
)

// racing ends a connection at a step of its hello.
type racing struct {
	socketapi.Subscriptions
	at  string
	end func()
}

func (r racing) Open(ctx context.Context, c live.Connection, rooms []chat.RoomID) error {
	if r.at == "before it is stored" {
		r.end()
	}
	return r.Subscriptions.Open(ctx, c, rooms)
}

func (r racing) Subscribe(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
	if r.at == "before it is subscribed" {
		r.end()
	}
	results, err := r.Subscriptions.Subscribe(ctx, c, attempt, wants)
	if r.at == "before it is answered" {
		r.end()
	}
	return results, err
}

// TestHello_ThatRacesTheEndLeavesNoRow ends a connection during its hello. Neither a connection nor a
// subscription stays.
func TestHello_ThatRacesTheEndLeavesNoRow(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"before it is stored", "before it is subscribed", "before it is answered"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			chattest.CreateRoom(t, w.Services, "seattle", 1)
			c := w.connect("bob")
			w.handler.Subscriptions = racing{w.handler.Subscriptions, at, c.disconnect}
			a, err := w.handler.Handle(t.Context(), c.event("$default", `{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`))
			if err != nil || a.StatusCode != http.StatusOK { // nobody receives the answer
				t.Errorf("%+v, %v", a, err)
			}
			stored, err := w.rows.Connections(t.Context(), "bob")
			if err != nil || len(stored) > 0 {
				t.Errorf("stored are %+v, %v", stored, err)
			}
			subscribed, err := w.rows.Subscriptions(t.Context(), "seattle")
			if err != nil || len(subscribed) > 0 {
				t.Errorf("subscribed are %+v, %v", subscribed, err)
			}
		})
	}
}

// TestDelivery_DeletedRoomTellsItsConnections deletes a room. Everybody subscribed to it is told at
// once, members and strangers, and nobody else.
func TestDelivery_DeletedRoomTellsItsConnections(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	chattest.CreateRoom(t, w.Services, "tacoma", 1)
	owner, reader, other := w.connect("maker").hello("seattle", "tacoma"), w.connect("eve").hello("seattle"), w.connect("bob").hello("tacoma")
	w.deliver()
	for _, c := range []*client{owner, reader, other} {
		w.sent.take(c.id)
	}
	if err := w.DeleteRoom(t.Context(), "maker", "seattle", nil); err != nil {
		t.Fatal(err)
	}
	owner.wantFrames() // write sends nothing
	reader.wantFrames()
	for range 2 { // the records may be delivered twice
		w.deliver()
	}
	for _, c := range []*client{owner, reader} {
		if got := c.heard(); got != "unsubscribed" {
			t.Errorf("%s hears %q", c.user, got)
		}
	}
	if got := other.heard(); got != "" {
		t.Errorf("a reader of another room hears %q", got)
	}
	w.post("bob", "tacoma")
	w.deliver()
	if got := owner.heard(); got != "changes message.created" {
		t.Errorf("of another room, the owner hears %q", got)
	}
}
