package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
)

func TestPutBlock_MarksMessagesForTheReaderAlone(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	id := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`, userHeader, "bob").body["id"].(string)
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"mine"}`)
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"hers"}`, userHeader, "carla")
	paths := []string{"/rooms/seattle/messages", "/rooms/seattle/messages/" + id}
	marks := func(user string) (n int) {
		t.Helper()
		for _, path := range paths {
			got := a.want(t, 200, "GET", path, "", userHeader, user)
			n += strings.Count(got.text, `"blocked":true`)
			if !strings.Contains(got.text, `"text":"x"`) {
				t.Errorf("%s hides the text from %s: %s", path, user, got.text)
			}
		}
		return n
	}
	for range 2 {
		a.want(t, 204, "PUT", "/people/me/blocks/bob", "")
	}
	if got := a.want(t, 200, "GET", "/people/me/blocks", ""); got.text != `{"items":[{"user":"bob"}]}` {
		t.Errorf("the list is %s", got.text)
	}
	for user, want := range map[string]int{"amsg": 2, "bob": 0, "carla": 0} {
		if got := marks(user); got != want {
			t.Errorf("%s sees %d marks, want %d", user, got, want)
		}
	}
	for range 2 {
		a.want(t, 204, "DELETE", "/people/me/blocks/bob", "")
	}
	if got := a.want(t, 200, "GET", "/people/me/blocks", ""); got.text != `{"items":[]}` {
		t.Errorf("the list is %s", got.text)
	}
	a.want(t, 422, "PUT", "/people/me/blocks/me", "")
	a.want(t, 422, "PUT", "/people/me/blocks/amsg", "")
	a.want(t, 422, "PUT", "/people/me/blocks/b%23b", "")
}

// TestPutBlock_BlockedPersonNoticesNothing compares all responses to a person in two worlds, byte
// by byte, and the numbers of calls to the store. In one of them somebody has blocked the person.
func TestPutBlock_BlockedPersonNoticesNothing(t *testing.T) {
	t.Parallel()
	var worlds [2][]string
	for n := range worlds {
		m := newMatrix(t)
		m.want(t, 201, "PUT", "/rooms/seattle", "")
		m.want(t, 201, "PUT", "/rooms/bobs", "", userHeader, "bob")
		m.want(t, 201, "PUT", "/people/me", `{"name":"Amsel"}`)
		m.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+chat.NewUUID(start, [10]byte{1}).String()+`","text":"x"}`)
		if n == 1 {
			m.want(t, 204, "PUT", "/people/me/blocks/bob", "")
		}
		id := chat.NewUUID(start, [10]byte{2}).String()
		for _, r := range []struct{ method, path, body string }{
			{"GET", "/people/amsg", ""},
			{"GET", "/people?ids=amsg", ""},
			{"GET", "/people/me/blocks", ""},
			{"PUT", "/people/me/blocks/amsg", ""},
			{"DELETE", "/people/me/blocks/amsg", ""},
			{"POST", "/rooms/seattle/messages", `{"id":"` + id + `","text":"hello"}`},
			{"PATCH", "/rooms/seattle/messages/" + id + "~bob", `{"text":"hello again"}`},
			{"GET", "/rooms/seattle/messages?include=people", ""},
			{"GET", "/rooms/seattle/messages/" + id + "~bob", ""},
			{"GET", "/rooms/seattle/changes", ""},
			{"GET", "/rooms/seattle/members", ""},
			{"GET", "/rooms/seattle/online", ""},
			{"PUT", "/rooms/bobs/members/amsg", `{"role":"member"}`},
			{"PUT", "/rooms/bobs/members/amsg", `{"role":"muted"}`},
			{"PUT", "/rooms/bobs/members/amsg", `{"role":"member"}`},
			{"GET", "/rooms/bobs/members?include=people", ""},
			{"GET", "/rooms/bobs/audit", ""},
			{"GET", "/people/me/rooms", ""},
			{"POST", "/rooms/bobs/messages", `{"id":"` + chat.NewUUID(start, [10]byte{3}).String() + `","text":"hello"}`},
			{"GET", "/rooms/bobs/messages", ""},
			{"DELETE", "/rooms/bobs/members/amsg", ""},
		} {
			before := m.calls.Load()
			got := m.do(t, r.method, r.path, r.body, userHeader, "bob")
			if got.status >= 400 {
				t.Errorf("%s %s: %d %s", r.method, r.path, got.status, got.text)
			}
			worlds[n] = append(worlds[n], fmt.Sprintf("%s %s: %d calls, %d %v %s", r.method, r.path, m.calls.Load()-before, got.status, got.header, got.text))
		}
	}
	if d := gocmp.Diff(worlds[0], worlds[1]); d != "" {
		t.Errorf("bob notices the block (-without +with):\n%s", d)
	}
}

// TestGetOnline_BlockedPersonNoticesNothing compares who is online in two worlds, byte by byte,
// and the number of calls to the store. In one of them somebody who has blocked the caller is
// online.
func TestGetOnline_BlockedPersonNoticesNothing(t *testing.T) {
	t.Parallel()
	const online = "/rooms/seattle/online"
	var worlds [2]string
	for n := range worlds {
		m := newMatrix(t)
		m.want(t, 201, "PUT", "/rooms/seattle", "")
		m.want(t, 204, "PUT", "/people/me/blocks/bob", "")
		people := []chat.UserID{"carla", "amsg"}
		for _, user := range people[:1+n] {
			m.subscribe(t, user, "seattle")
		}
		before := m.calls.Load()
		got := m.want(t, 200, "GET", online, "", userHeader, "bob")
		worlds[n] = fmt.Sprintf("%d calls, %v %s", m.calls.Load()-before, got.header, got.text)
		if got := m.want(t, 200, "GET", online, "", userHeader, "carla"); n == 1 && got.text != `{"count":2,"users":["amsg","carla"]}` {
			t.Errorf("others see %s", got.text)
		}
	}
	if worlds[0] != worlds[1] || !strings.HasSuffix(worlds[0], `{"count":1,"users":["carla"]}`) {
		t.Errorf("without a block: %s\nwith one: %s", worlds[0], worlds[1])
	}
}

// subscribe stores an active subscription of a person to a room.
func (m *matrix) subscribe(t *testing.T, user chat.UserID, room chat.RoomID) {
	t.Helper()
	rows := live.NewTable(dynamo.NewTable(m.client, "live", nil))
	c := live.Connection{ID: live.ConnectionID("of-" + user), User: user, Until: start.Add(time.Hour)}
	sub := live.Subscription{Room: room, Connection: c, Attempt: "1"}
	if err := rows.PutPending(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	if ok, err := rows.Activate(t.Context(), sub); !ok || err != nil {
		t.Fatal(ok, err)
	}
}
