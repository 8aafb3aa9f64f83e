package socketapi_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// connectService opens a connection of a service for an hour.
func (w *world) connectService(name string) *client {
	w.t.Helper()
	c := w.connect(name)
	c.service = true
	return c
}

// TestSubscribe_ServiceFollowsItsRooms lets services and people subscribe to a private room that a
// service owns. The service hears of its changes without being a member, also in another process,
// until it gives the room away.
func TestSubscribe_ServiceFollowsItsRooms(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	ctx := chat.WithService(t.Context(), "desk")
	room, _, err := w.PutRoom(ctx, "desk", "p-ticket-1", chat.RoomDraft{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Members.SetMember(ctx, "desk", chat.MemberOf{Room: room.ID, User: "ann"}, policy.Member); err != nil {
		t.Fatal(err)
	}
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	w.deliver()
	const subscribe = `{"type":"subscribe","id":"1","rooms":[{"id":"p-ticket-1"}]}`
	for name, c := range map[string]*client{
		"another service": w.connectService("other"), "a person of the service's name": w.connect("desk"), "a person": w.connect("eve"),
	} {
		if got := outcomeOf(t, c.send(subscribe)); got != "404" {
			t.Errorf("%s: %s", name, got)
		}
	}
	desk := w.connectService("desk").hello("p-ticket-1")
	if got := outcomeOf(t, desk.send(`{"type":"subscribe","id":"2","rooms":[{"id":"seattle"}]}`)); got != "head" {
		t.Errorf("a public room: %s", got)
	}
	for range 2 { // the second time in another process
		w.sent.take(desk.id)
		w.post("ann", "p-ticket-1")
		w.deliver()
		if got := desk.heard(); !strings.Contains(got, "message.created") {
			t.Errorf("the service hears %q", got)
		}
		w.restart()
	}
	if got := outcomeOf(t, desk.send(`{"type":"typing","id":"3","room":"p-ticket-1"}`)); got != "ack" {
		t.Errorf("typing: %s", got)
	}
	if got := outcomeOf(t, desk.renew(w.token("desk"))); got != "401" {
		t.Errorf("a renewal with a person's token: %s", got)
	}
	token, err := w.issuer.ServiceToken("desk", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if got := desk.renew(token); !strings.Contains(got, `"ack"`) {
		t.Errorf("a renewal with a service's token: %s", got)
	}
	if _, err := w.Members.HandOver(ctx, "desk", chat.MemberOf{Room: room.ID, User: "ann"}); err != nil {
		t.Fatal(err)
	}
	w.sent.take(desk.id)
	w.post("ann", "p-ticket-1")
	w.deliver()
	if got := desk.heard(); strings.Contains(got, "message.created") {
		t.Errorf("after the room changed hands the service hears %q", got)
	}
}

// TestCharge_ConnectionOfAServiceHasItsLimits subscribes as fast as possible. A service's
// connections accept five times as much as a person's.
func TestCharge_ConnectionOfAServiceHasItsLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	accepted := func(connect func(string) *client) (n int) {
		for n < 2000 {
			c := connect("desk")
			for range 5 {
				n++
				if got := outcomeOf(t, c.sendNow(`{"type":"sync","id":"1"}`)); got == "429" {
					return n
				}
			}
		}
		return n
	}
	person := accepted(w.connect)
	w.restart()
	if service := accepted(func(name string) *client { return w.connectService(name + "-2") }); service < 3*person {
		t.Errorf("%d requests of a service, %d of a person", service, person)
	}
}
