package socketapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

const closingExpired = `{"type":"closing","reason":"expired"}`

// token returns an access token of a person, for an hour.
func (w *world) token(user string) string {
	w.t.Helper()
	token, err := w.issuer.Token(user, time.Hour)
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

// renew sends a renewal with a token, and returns the answer. The token is in no log.
func (c *client) renew(token string) string {
	c.t.Helper()
	body, err := json.Marshal(map[string]string{"type": "renew", "id": "1", "token": token})
	if err != nil {
		c.t.Fatal(err)
	}
	c.logs.Reset()
	answer := c.send(string(body))
	for part := range strings.SplitSeq(token, ".") {
		if len(part) > 10 && strings.Contains(c.logs.String()+answer, part) {
			c.t.Errorf("the token is in %s or %s", c.logs, answer)
		}
	}
	return answer
}

// TestRenew_PutsOffTheEnd renews a connection: it hears of changes, of typing and answers requests
// after its first token has ended, also in another process. A connection that is not renewed ends.
func TestRenew_PutsOffTheEnd(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	w.deliver()
	renewed, other := w.connect("bob").hello("seattle"), w.connect("carl").hello("seattle")
	w.clock.Advance(55 * time.Minute)
	if got := renewed.renew(w.token("bob")); !strings.Contains(got, `"ack"`) || outcomeOf(t, got) != "head" {
		t.Fatal(got)
	}
	renewed.send(`{"type":"subscribe","id":"2","rooms":[{"id":"seattle"}]}`) // keeps the new end
	w.clock.Advance(10 * time.Minute)
	dora := w.connect("dora").hello("seattle")
	w.sent.take(renewed.id)
	w.sent.take(other.id)
	for range 2 { // the second time in another process
		w.post("dora", "seattle")
		w.deliver()
		dora.clock.Advance(10 * time.Second)
		dora.send(`{"type":"typing","id":"3","room":"seattle"}`)
		if got := renewed.heard(); got != "changes message.created, typing" {
			t.Errorf("the renewed connection hears %q", got)
		}
		if got := outcomeOf(t, renewed.send(sync1)); got != "head" {
			t.Errorf("sync: %s", got)
		}
		w.restart()
	}
	if other.wantFrames(closingExpired); !other.isClosed() {
		t.Error("a connection outlives its token")
	}
	if all, err := w.rows.Connections(t.Context(), "carl"); err != nil || len(all) > 0 {
		t.Errorf("stored are %+v, %v", all, err)
	}
	w.clock.Advance(50 * time.Minute) // past the second token
	for range 2 {                     // the second batch closes the connection
		w.post("dora", "seattle")
		w.deliver()
		w.clock.Advance(live.CloseDelay)
	}
	if renewed.wantFrames(closingExpired); !renewed.isClosed() {
		t.Error("a renewed connection outlives its second token")
	}
}

// TestRenew_EndsAfterTwoHours: API Gateway ends the connection then, whatever its token is.
func TestRenew_EndsAfterTwoHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	c := w.connect("bob").hello("seattle")
	for range 2 {
		w.clock.Advance(50 * time.Minute)
		if got := c.renew(w.token("bob")); !strings.Contains(got, `"ack"`) {
			t.Fatal(got)
		}
	}
	all, err := w.rows.Connections(t.Context(), "bob")
	if err != nil || len(all) != 1 || all[0].Until.Unix() != c.renewable.Unix() {
		t.Errorf("stored are %+v, %v, want until %v", all, err, c.renewable)
	}
	w.clock.Advance(20 * time.Minute)
	if got := c.send(sync1); got != "" || !c.isClosed() {
		t.Errorf("after two hours: %q", got)
	}
}

// TestRenew_Refusals is a table of renewals that change nothing. The connection keeps its end.
func TestRenew_Refusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	expired := w.token("bob")
	w.clock.Advance(time.Hour)
	c := w.connect("bob").hello("seattle")
	stranger, silent, long := w.token("eve"), w.connect("bob"), w.connect("bob")
	long.renewable = long.until
	long.hello("seattle")
	valid := w.token("bob")
	const invalid = "1 401 The token is not valid; connect again with another one."
	for _, tt := range []struct {
		name, token, want string
		by                *client
	}{
		{"none", "", invalid, c},
		{"an expired token", expired, invalid, c},
		{"a forged token", valid[:len(valid)-8] + "AAAAAAAA", invalid, c},
		{"another person's token", stranger, "1 403 The token is another person's; a connection is for one person.", c},
		{"before hello", valid, "1 409 The connection has no rooms; say hello first.", silent},
		{"a connection that lasts as long as any may", valid, "1 409 This connection cannot be renewed; connect again.", long},
	} {
		if got := problemOf(t, tt.by.renew(tt.token)); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
		if tt.by.isClosed() {
			t.Errorf("%s closes the connection", tt.name)
		}
	}
	w.clock.Advance(time.Hour)
	if got := c.send(sync1); got != "" || !c.isClosed() {
		t.Errorf("a refused renewal puts off the end: %q", got)
	}
}

// TestRenew_ForgedTokensAreRefusals closes a connection that tries many tokens, as after other
// invalid requests.
func TestRenew_ForgedTokensAreRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("bob").hello()
	for range 50 {
		c.renew("x")
	}
	if !c.isClosed() {
		t.Error("the connection is open")
	}
}

// TestRenew_SuspendedPersonIsRefused suspends a person whose token is valid, before the feed's
// handler hears of it.
func TestRenew_SuspendedPersonIsRefused(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	c := w.connect("bob").hello()
	w.suspendQuietly("bob")
	if got := c.renew(w.token("bob")); got != "" || !c.isClosed() {
		t.Errorf("answered %q, closed %t", got, c.isClosed())
	}
	if frames := w.sent.take(c.id); len(frames) != 2 || frames[1] != closingSuspended {
		t.Errorf("the last frames are %q", frames)
	}
	w.clock.Advance(time.Hour)
	if all, err := w.rows.Connections(t.Context(), "bob"); err != nil || len(all) > 1 || len(all) == 1 && all[0].Until.After(w.clock.Now()) {
		t.Errorf("stored are %+v, %v", all, err)
	}
}

// TestRenew_CountsForTheRate sends renewals faster than a connection may send messages.
func TestRenew_CountsForTheRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("bob").hello()
	body := `{"type":"renew","id":"1","token":"` + w.token("bob") + `"}`
	for range 25 {
		if got := c.sendNow(body); strings.Contains(got, `"status":429`) {
			return
		}
	}
	t.Error("a burst of 25 renewals was accepted")
}

// post posts a message of a person.
func (w *world) post(user chat.UserID, room chat.RoomID) {
	w.t.Helper()
	if _, _, err := w.PostMessage(w.t.Context(), user, room, chat.MessageDraft{Text: "hello"}); err != nil {
		w.t.Fatal(err)
	}
}
