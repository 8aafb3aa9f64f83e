package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/privateroom"
)

var roomRequestTests = []contractTest{
	{"a request for a room creates it once", roomRequestCreatesOnce},
	{"a request that has expired is replaced", expiredRoomRequest},
	{"one of several concurrent requests with one id succeeds", concurrentRoomRequests},
}

// requestedRoom returns a room with its owner and the request for it.
func requestedRoom(id chat.RoomID, at time.Time) (privateroom.Request, chat.Room, chat.Membership) {
	room := chat.Room{ID: id, Name: "Board", Private: true, CreatedBy: "ann", CreatedAt: at, Shards: 2, DigestKey: []byte("k")}
	r := privateroom.Request{
		ID: chat.NewUUID(start, [10]byte{1}), Caller: "ann", Room: id, Digest: []byte("d" + id), At: at, Expires: at.Add(time.Hour),
	}
	return r, room, membershipOf(id, "ann", "Ann", policy.Owner)
}

func roomRequestCreatesOnce(t *testing.T, s app.Stores) {
	r, room, owner := requestedRoom(pairID, start)
	if _, found, err := s.RoomRequest(t.Context(), "ann", r.ID); found || err != nil {
		t.Errorf("before it exists: %v, %v", found, err)
	}
	if created, err := s.CreateRequestedRoom(t.Context(), r, room, owner); !created || err != nil {
		t.Fatalf("create: %v, %v", created, err)
	}
	second, another, member := requestedRoom(otherID, start.Add(time.Hour-time.Second))
	if created, err := s.CreateRequestedRoom(t.Context(), second, another, member); created || err != nil {
		t.Errorf("create another: %v, %v", created, err)
	}
	_, err := s.Room(t.Context(), otherID)
	wantNotFound(t, err)
	got, err := s.Room(t.Context(), pairID)
	if d := cmp.Diff(room, got); d != "" || err != nil {
		t.Errorf("room: %v (-want +got):\n%s", err, d)
	}
	if got, err := s.Membership(t.Context(), pairID, "ann"); got != owner || err != nil {
		t.Errorf("membership %+v, %v, want %+v", got, err, owner)
	}
	r.At = time.Time{}
	stored, found, err := s.RoomRequest(t.Context(), "ann", r.ID)
	if d := cmp.Diff(r, stored); d != "" || !found || err != nil {
		t.Errorf("request: %v, %v (-want +got):\n%s", found, err, d)
	}
	second.Caller, another.CreatedBy, member.User = "bob", "bob", "bob"
	if created, err := s.CreateRequestedRoom(t.Context(), second, another, member); !created || err != nil {
		t.Errorf("the same id of another caller: %v, %v", created, err)
	}
}

func expiredRoomRequest(t *testing.T, s app.Stores) {
	for n, at := range []time.Time{start, start.Add(time.Hour)} {
		r, room, owner := requestedRoom([]chat.RoomID{pairID, otherID}[n], at)
		if created, err := s.CreateRequestedRoom(t.Context(), r, room, owner); !created || err != nil {
			t.Fatalf("at %s: %v, %v", at, created, err)
		}
		if stored, _, err := s.RoomRequest(t.Context(), "ann", r.ID); stored.Room != room.ID || err != nil {
			t.Errorf("at %s: %+v, %v", at, stored, err)
		}
	}
}

func concurrentRoomRequests(t *testing.T, s app.Stores) {
	createsOne(t, s, "ann", func(id chat.RoomID) (bool, error) {
		r, room, owner := requestedRoom(id, start)
		return s.CreateRequestedRoom(t.Context(), r, room, owner)
	})
}
