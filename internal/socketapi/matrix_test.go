package socketapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// everyRole are the people of the matrix. The owner is maker.
var everyRole = []struct {
	user string
	role policy.Role
}{
	{"owner", policy.Owner}, {"moderator", policy.Moderator}, {"member", policy.Member}, {"muted", policy.Muted}, {"banned", policy.Banned}, {"stranger", policy.Stranger},
}

// TestHandle_EveryRole lists, for each role in a public and in a private room, what the requests
// answer, which frames a person with that role gets when another one comes, types and leaves, and
// which frames of the person's requests a member gets.
func TestHandle_EveryRole(t *testing.T) {
	t.Parallel()
	const hears = "presence typing presence"
	const heard = "presence typing presence presence" // comes, types, subscribes again, leaves
	for _, tt := range []struct {
		private                                                bool
		user, subscribe, typing, sync, unsubscribe, got, heard string
	}{
		{false, "owner", "head", "ack", "head", "unsubscribed", hears, heard},
		{false, "moderator", "head", "ack", "head", "unsubscribed", hears, heard},
		{false, "member", "head", "ack", "head", "unsubscribed", hears, heard},
		{false, "muted", "head", "403", "head", "unsubscribed", hears, "presence presence presence"},
		{false, "banned", "403", "403", "ack", "unsubscribed", "", ""},
		{false, "stranger", "head", "ack", "head", "unsubscribed", hears, heard},
		{true, "owner", "head", "ack", "head", "unsubscribed", hears, heard},
		{true, "moderator", "head", "ack", "head", "unsubscribed", hears, heard},
		{true, "member", "head", "ack", "head", "unsubscribed", hears, heard},
		{true, "muted", "head", "403", "head", "unsubscribed", hears, "presence presence presence"},
		{true, "banned", "404", "404", "ack", "unsubscribed", "", ""},
		{true, "stranger", "404", "404", "ack", "unsubscribed", "", ""},
	} {
		t.Run(fmt.Sprintf("private %t, %s", tt.private, tt.user), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			room := string(w.roomOfRoles(tt.private))
			witness := w.connect("maker").hello(room)
			c := w.connect(tt.user)
			list := `"rooms":[{"id":"` + room + `"}]}`
			if got := outcomeOf(t, c.send(`{"type":"hello","id":"1",`+list)); got != tt.subscribe {
				t.Errorf("hello: %s, want %s", got, tt.subscribe)
			}
			heard := w.sent.types(witness.id)
			other := w.connect("other").hello(room)
			other.send(`{"type":"typing","id":"1","room":"` + room + `"}`)
			other.disconnect()
			if got := strings.Join(w.sent.types(c.id), " "); got != tt.got {
				t.Errorf("%s was sent %q, want %q", tt.user, got, tt.got)
			}
			w.sent.take(witness.id)
			for _, request := range []struct{ body, want string }{
				{`{"type":"typing","id":"1","room":"` + room + `"}`, tt.typing},
				{sync1, tt.sync},
				{`{"type":"subscribe","id":"1",` + list, tt.subscribe},
				{`{"type":"unsubscribe","id":"1",` + list, tt.unsubscribe},
			} {
				if got := outcomeOf(t, c.send(request.body)); got != request.want {
					t.Errorf("%s: %s, want %s", request.body, got, request.want)
				}
			}
			c.disconnect()
			heard = append(heard, w.sent.types(witness.id)...)
			if got := strings.Join(heard, " "); got != tt.heard {
				t.Errorf("a member was sent %q of %s, want %q", got, tt.user, tt.heard)
			}
		})
	}
}

// roomOfRoles creates a room in which each person of everyRole has their role, and other is a
// member.
func (w *world) roomOfRoles(private bool) chat.RoomID {
	w.t.Helper()
	var room chat.RoomID
	if private {
		room = chattest.CreatePrivateRoom(w.t, w.Services, "maker")
	} else {
		room = "seattle"
		chattest.CreateRoom(w.t, w.Services, room, 1)
	}
	for _, person := range everyRole {
		user := chat.UserID(person.user)
		if person.role == policy.Stranger {
			continue
		}
		if err := chattest.SetRole(w.t, w.Services, "maker", room, user, person.role); err != nil {
			w.t.Fatal(person.user, err)
		}
	}
	if err := chattest.SetRole(w.t, w.Services, "maker", room, "other", policy.Member); err != nil {
		w.t.Fatal(err)
	}
	return room
}

// outcomeOf returns the status of an answer's problem, or what an ack says of its first room.
func outcomeOf(t *testing.T, frame string) string {
	t.Helper()
	var f struct {
		Type    string
		Problem struct{ Status int }
		Rooms   []struct {
			Head         *int64
			Unsubscribed bool
			Problem      struct{ Status int }
		}
	}
	if err := json.Unmarshal([]byte(frame), &f); err != nil {
		t.Fatal(frame, err)
	}
	switch {
	case f.Type == "problem":
		return fmt.Sprint(f.Problem.Status)
	case len(f.Rooms) == 0:
		return f.Type
	case f.Rooms[0].Head != nil:
		return "head"
	case f.Rooms[0].Unsubscribed:
		return "unsubscribed"
	}
	return fmt.Sprint(f.Rooms[0].Problem.Status)
}

// types returns the types of the frames that were sent to a connection since the last call.
func (o *outbox) types(id live.ConnectionID) (types []string) {
	for _, frame := range o.take(id) {
		types = append(types, typeOf(o.t, frame))
	}
	return types
}

func typeOf(t testing.TB, frame string) string {
	t.Helper()
	var f struct{ Type string }
	if err := json.Unmarshal([]byte(frame), &f); err != nil {
		t.Fatal(frame, err)
	}
	return f.Type
}

// TestHandle_TwoWorlds shows an outsider the same in a world with a hidden room, in which people
// come, type and leave, and in one without it. The outsider is in a public room with these people,
// who hear nothing of what the outsider tries in the hidden one.
func TestHandle_TwoWorlds(t *testing.T) {
	t.Parallel()
	var seen [2]string
	for i, hidden := range []bool{false, true} {
		w := newWorld(t)
		chattest.CreateRoom(t, w.Services, "seattle", 1)
		room := "p-00000000000000000000"
		both := []string{"seattle"}
		if hidden {
			room = string(w.roomOfRoles(true))
			both = append(both, room)
		}
		var all []string
		eve := w.connect("eve")
		do := func(body string) {
			all = append(all, withoutNow(eve.send(strings.ReplaceAll(body, "ROOM", room))))
			all = append(all, w.sent.take(eve.id)...)
		}
		do(`{"type":"hello","id":"1"}`)
		do(`{"type":"subscribe","id":"2","rooms":[{"id":"seattle"},{"id":"ROOM"}]}`)
		owner, member := w.connect("owner").hello(both...), w.connect("member").hello(both...)
		do(sync1)
		do(`{"type":"typing","id":"3","room":"ROOM"}`)
		if owner.send(`{"type":"typing","id":"1","room":"` + both[len(both)-1] + `"}`); hidden {
			w.appendChanges(chat.RoomID(room), 2)
		}
		all = append(all, withoutTyping(w.sent.take(eve.id))...)
		member.disconnect()
		members := w.sent.take(member.id)
		do(`{"type":"subscribe","id":"4","rooms":[{"id":"ROOM","since":""}]}`)
		do(`{"type":"unsubscribe","id":"5","rooms":[{"id":"ROOM"}]}`)
		second := w.connect("eve")
		second.send(`{"type":"hello","id":"1","rooms":[{"id":"` + room + `"}]}`)
		second.disconnect()
		for _, frame := range append(members, w.sent.take(owner.id)...) {
			if strings.Contains(frame, room) && strings.Contains(frame, `"eve"`) {
				t.Errorf("a member of the hidden room was sent %s", frame)
			}
		}
		owner.disconnect()
		do(sync1)
		seen[i] = strings.ReplaceAll(strings.Join(all, "\n"), room, "ROOM")
	}
	if seen[0] != seen[1] || strings.Count(seen[0], "presence") != 4 {
		t.Errorf("without a hidden room:\n%s\nwith one:\n%s", seen[0], seen[1])
	}
}

// withoutTyping removes the frames about the public room, in which the owner types only in the
// world without a hidden one.
func withoutTyping(frames []string) []string {
	var left []string
	for _, frame := range frames {
		if !strings.HasPrefix(frame, `{"type":"typing","room":"seattle"`) {
			left = append(left, frame)
		}
	}
	return left
}
