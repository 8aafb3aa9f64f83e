package storetest

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

var directTests = []contractTest{
	{"a direct room is created once for the same people", directRoomIsCreatedOnce},
	{"one of several concurrent creations of a direct room succeeds", concurrentDirectRooms},
	{"a direct room knows who has left", directRoomKnowsWhoLeft},
}

// directRoom returns a direct room with its members.
func directRoom(id chat.RoomID, people ...chat.UserID) (chat.Room, []chat.Membership) {
	room := chat.Room{
		ID: id, Private: true, Direct: people, CreatedBy: people[0], CreatedAt: start, Shards: 1, DigestKey: []byte("k"),
	}
	var members []chat.Membership
	for _, user := range people {
		members = append(members, membershipOf(id, user, "Name of "+string(user), policy.Member))
	}
	return room, members
}

const (
	pairID  = chat.RoomID("p-aaaaaaaaaaaaaaaaaaaa")
	otherID = chat.RoomID("p-bbbbbbbbbbbbbbbbbbbb")
)

func directRoomIsCreatedOnce(t *testing.T, s app.Stores) {
	for id, people := range map[chat.RoomID][]chat.UserID{pairID: {"amsg", "bob"}, otherID: {"al", "amsg", "bob"}} {
		if _, found, err := s.DirectRoom(t.Context(), people); found || err != nil {
			t.Errorf("before it exists: %v, %v", found, err)
		}
		want, members := directRoom(id, people...)
		if created, err := s.CreateDirectRoom(t.Context(), want, members); !created || err != nil {
			t.Fatalf("create: %v, %v", created, err)
		}
		second, more := directRoom("p-cccccccccccccccccccc", people...)
		if created, err := s.CreateDirectRoom(t.Context(), second, more); created || err != nil {
			t.Errorf("create another for the same people: %v, %v", created, err)
		}
		_, err := s.Room(t.Context(), second.ID)
		wantNotFound(t, err)
		got, err := s.Room(t.Context(), id)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("room: %v (-want +got):\n%s", err, d)
		}
		record, found, err := s.DirectRoom(t.Context(), people)
		want.Shards, want.DigestKey = 0, nil
		if d := cmp.Diff(direct.Record{Room: want}, record); d != "" || !found || err != nil {
			t.Errorf("record: %v, %v (-want +got):\n%s", found, err, d)
		}
		for _, m := range members {
			if got, err := s.Membership(t.Context(), id, m.User); got != m || err != nil {
				t.Errorf("membership %+v, %v, want %+v", got, err, m)
			}
		}
		listed, _, err := s.Members(t.Context(), id, chat.ListPosition{}, 10)
		if d := cmp.Diff(members, listed); d != "" || err != nil {
			t.Errorf("members: %v (-want +got):\n%s", err, d)
		}
	}
	if rooms, _, err := s.RoomsAt(t.Context(), nil, chat.ListPosition{}, 10); len(rooms) > 0 || err != nil {
		t.Errorf("the directory lists %+v, %v", rooms, err)
	}
}

func concurrentDirectRooms(t *testing.T, s app.Stores) {
	createsOne(t, s, "bob", func(id chat.RoomID) (bool, error) {
		room, members := directRoom(id, "amsg", "bob")
		return s.CreateDirectRoom(t.Context(), room, members)
	})
}

// createsOne calls create concurrently with different ids, of which one must become a room of the
// user.
func createsOne(t *testing.T, s app.Stores, user chat.UserID, create func(chat.RoomID) (bool, error)) {
	t.Helper()
	var succeeded atomic.Int32
	race(8, func(i int) {
		created, err := create(chat.RoomID("p-aaaaaaaaaaaaaaaaaaa" + string(rune('a'+i))))
		if err != nil && chat.KindOf(err) != chat.Unavailable {
			t.Error(err)
		}
		if created {
			succeeded.Add(1)
		}
	})
	rooms, _, err := inbox.NewStore(s.Table()).OwnRooms(t.Context(), user, nil)
	if succeeded.Load() != 1 || len(rooms) != 1 || err != nil {
		t.Errorf("%d creations succeeded, and %s is in %d rooms, %v", succeeded.Load(), user, len(rooms), err)
	}
}

// directRoomKnowsWhoLeft lets two people leave a direct room and come back.
func directRoomKnowsWhoLeft(t *testing.T, s app.Stores) {
	room, members := directRoom(pairID, "amsg", "bob", "cy")
	if created, err := s.CreateDirectRoom(t.Context(), room, members); !created || err != nil {
		t.Fatal(created, err)
	}
	for _, m := range members[1:] {
		if ok, err := s.ChangeMembership(t.Context(), membership.Change{Before: m, Direct: room}); !ok || err != nil {
			t.Fatalf("leave: %v, %v", ok, err)
		}
	}
	record, _, err := s.DirectRoom(t.Context(), room.Direct)
	if err != nil || !slices.Equal(record.Away, []chat.UserID{"bob", "cy"}) || record.Room.ID != pairID {
		t.Fatalf("after two left: %+v, %v", record, err)
	}
	var back []direct.Return
	for _, m := range members[1:] {
		m.JoinedAt = m.JoinedAt.Add(time.Hour)
		back = append(back, direct.Return{After: m})
	}
	stale := record
	stale.Revision--
	wrong := slices.Clone(back)
	wrong[1].Before = members[2]
	for what, ok := range map[string]func() (bool, error){
		"an outdated record":     func() (bool, error) { return s.RejoinDirectRoom(t.Context(), stale, back) },
		"an outdated membership": func() (bool, error) { return s.RejoinDirectRoom(t.Context(), record, wrong) },
	} {
		if ok, err := ok(); ok || err != nil {
			t.Errorf("%s: %v, %v", what, ok, err)
		}
	}
	if got, err := s.Membership(t.Context(), pairID, "bob"); got != (chat.Membership{}) || err != nil {
		t.Errorf("a change that failed left %+v, %v", got, err)
	}
	if ok, err := s.RejoinDirectRoom(t.Context(), record, back); !ok || err != nil {
		t.Fatalf("rejoin: %v, %v", ok, err)
	}
	record, _, err = s.DirectRoom(t.Context(), room.Direct)
	listed, _, listErr := s.Members(t.Context(), pairID, chat.ListPosition{}, 10)
	if err != nil || listErr != nil || record.Away != nil || len(listed) != 3 || listed[2] != back[1].After {
		t.Errorf("after they came back: %+v, %v, members %+v, %v", record, err, listed, listErr)
	}
}
