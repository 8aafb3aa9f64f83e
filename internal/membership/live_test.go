package membership_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// liveRooms has services, and the rows of live connections. Rows cannot be ended while broken.
type liveRooms struct {
	*app.Services
	live.Store
	rows   live.Store // without the rights of the services, which subscribe nobody
	store  *dynamo.Store
	clock  *chattest.Clock
	broken bool
}

var errBroken = errors.New("the rows cannot be ended")

func (l *liveRooms) End(ctx context.Context, all []live.Subscription) (bool, error) {
	if l.broken {
		return false, errBroken
	}
	return l.Store.End(ctx, all)
}

func newLiveRooms(t *testing.T) *liveRooms {
	t.Helper()
	endpoint := enginetest.Start(t)
	client := dynamo.LocalClient(endpoint)
	l := &liveRooms{rows: live.NewTable(dynamo.NewTable(client, chattest.LiveTable, nil))}
	l.Services, l.clock = chattest.NewOn(t, endpoint, func(o *app.Options) { l.Store, o.Live = o.Live, l })
	l.store = dynamo.New(client, dynamo.Options{Table: chattest.Table, Clock: l.clock.Now})
	return l
}

// subscribe subscribes a new connection of each user to a room.
func (l *liveRooms) subscribe(t *testing.T, room chat.RoomID, users ...chat.UserID) {
	t.Helper()
	for _, user := range users {
		c := live.Connection{ID: live.ConnectionID(user) + "1", User: user, Until: l.clock.Now().Add(time.Hour)}
		s := live.Subscription{Room: room, Connection: c, Attempt: "1"}
		if err := l.rows.PutPending(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if ok, err := l.rows.Activate(t.Context(), s); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}

// wantSubscribed checks who is subscribed to a room.
func (l *liveRooms) wantSubscribed(t *testing.T, what string, room chat.RoomID, want ...chat.UserID) {
	t.Helper()
	all, err := l.rows.Subscriptions(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	var got []chat.UserID
	for _, s := range all {
		if s.Active {
			got = append(got, s.Connection.User)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v are subscribed, want %v", what, got, want)
	}
}

// privateRoom creates a private room of maker, bob and eve, to which all of them are subscribed.
func (l *liveRooms) privateRoom(t *testing.T) chat.RoomID {
	t.Helper()
	room := chattest.CreatePrivateRoom(t, l.Services, "maker")
	for _, user := range []chat.UserID{"bob", "eve"} {
		if err := chattest.SetRole(t, l.Services, "maker", room, user, policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	l.subscribe(t, room, "maker", "bob", "eve")
	return room
}

// TestRemoveMember_EndsSubscriptionsFirst takes reading away in every way. When the answer comes, the
// subscriptions have ended. If that fails, so does the call, and a retry ends them.
func TestRemoveMember_EndsSubscriptionsFirst(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	for name, c := range map[string]struct {
		take  func(room chat.RoomID) error
		again chat.Kind // of a retry
	}{
		"a person is removed": {func(room chat.RoomID) error {
			return l.Members.RemoveMember(t.Context(), "maker", chat.MemberOf{Room: room, User: "bob"})
		}, chat.NotFound},
		"a person leaves": {func(room chat.RoomID) error {
			return l.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: room, User: "bob"})
		}, chat.NotFound},
		"a person is banned": {func(room chat.RoomID) error {
			_, _, err := l.Members.SetMember(t.Context(), "maker", chat.MemberOf{Room: room, User: "bob"}, policy.Banned)
			return err
		}, 0},
		"a person is banned for a time": {func(room chat.RoomID) error {
			r := membership.Restriction{Role: policy.Banned, Until: l.clock.Now().Add(time.Hour)}
			_, _, err := l.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: room, User: "bob"}, r)
			return err
		}, 0},
	} {
		room := l.privateRoom(t)
		l.broken = true
		if err := c.take(room); !errors.Is(err, errBroken) {
			t.Errorf("%s, and the rows stay: %v", name, err)
		}
		l.wantSubscribed(t, name+", first", room, "bob", "eve", "maker")
		l.broken = false
		chattest.WantKind(t, name+", again", c.take(room), c.again)
		l.wantSubscribed(t, name+", again", room, "eve", "maker")

		room = l.privateRoom(t)
		if err := c.take(room); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		l.wantSubscribed(t, name, room, "eve", "maker")
	}
}

// TestRemoveMember_PublicRoomKeepsSubscriptions: in a public room everyone reads but those who are
// banned.
func TestRemoveMember_PublicRoomKeepsSubscriptions(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	chattest.CreateRoom(t, l.Services, "seattle", 1)
	bob := chat.MemberOf{Room: "seattle", User: "bob"}
	for _, role := range []policy.Role{policy.Member, policy.Muted, policy.Member, policy.Moderator} {
		if err := chattest.SetRole(t, l.Services, "maker", "seattle", "bob", role); err != nil {
			t.Fatal(err)
		}
		if role == policy.Member {
			l.subscribe(t, "seattle", "bob")
		}
		l.wantSubscribed(t, role.String(), "seattle", "bob")
	}
	if err := l.Members.RemoveMember(t.Context(), "bob", bob); err != nil {
		t.Fatal(err)
	}
	l.wantSubscribed(t, "left", "seattle", "bob")
	if err := chattest.SetRole(t, l.Services, "maker", "seattle", "bob", policy.Banned); err != nil {
		t.Fatal(err)
	}
	l.wantSubscribed(t, "banned", "seattle")
}

// TestRemoveMember_StrangerEndsNobodysSubscription: neither the room nor anybody in it changes by
// the call of a person who may not know of it.
func TestRemoveMember_StrangerEndsNobodysSubscription(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	room := l.privateRoom(t)
	for _, user := range []chat.UserID{"stranger", "bob"} {
		chattest.WantKind(t, "a stranger removes "+string(user), l.Members.RemoveMember(t.Context(), "stranger", chat.MemberOf{Room: room, User: user}), chat.NotFound)
	}
	chattest.WantKind(t, "a stranger deletes the room", l.DeleteRoom(t.Context(), "stranger", room, nil), chat.NotFound)
	chattest.WantKind(t, "a member deletes the room", l.DeleteRoom(t.Context(), "bob", room, nil), chat.Forbidden)
	l.wantSubscribed(t, "as before", room, "bob", "eve", "maker")
}

func TestDeleteRoom_EndsAllSubscriptionsFirst(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	room := l.privateRoom(t)
	l.broken = true
	if err := l.DeleteRoom(t.Context(), "maker", room, nil); !errors.Is(err, errBroken) {
		t.Errorf("the rows stay: %v", err)
	}
	l.broken = false
	chattest.WantKind(t, "another member's retry", l.DeleteRoom(t.Context(), "bob", room, nil), chat.NotFound)
	l.wantSubscribed(t, "another member's retry", room, "bob", "eve", "maker")
	chattest.WantKind(t, "a retry", l.DeleteRoom(t.Context(), "maker", room, nil), chat.NotFound)
	l.wantSubscribed(t, "a retry", room)
	chattest.WantKind(t, "a room that never was", l.DeleteRoom(t.Context(), "maker", "p-06585601d0b7a2c9e4f8b6d2c1a0f3e", nil), chat.NotFound)

	other := l.privateRoom(t)
	if err := l.DeleteRoom(t.Context(), "maker", other, nil); err != nil {
		t.Error(err)
	}
	l.wantSubscribed(t, "deleted", other)
}
