package storetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

func roomIsCreatedOnce(t *testing.T, s app.Stores) {
	want := newRoom(t, s, "seattle", 4)
	other := want
	other.Name, other.CreatedBy = "Other", "other"
	created, err := s.CreateRoom(t.Context(), other, chat.OwnerOf(other, "other"))
	if err != nil || created {
		t.Errorf("creating a room with an existing id: created %v, %v", created, err)
	}
	got, err := s.Room(t.Context(), "seattle")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("room (-want +got):\n%s", d)
	}
}

func concurrentRoomCreations(t *testing.T, s app.Stores) {
	var succeeded atomic.Int32
	race(8, func(i int) {
		room := chat.Room{ID: "seattle", Name: "n", CreatedBy: "m", CreatedAt: start, Shards: i + 1, DigestKey: []byte("k")}
		created, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "m"))
		switch {
		case chat.KindOf(err) == chat.Unavailable: // concurrent transactions may be rejected
		case err != nil:
			t.Error(err)
		case created:
			succeeded.Add(1)
		}
	})
	if succeeded.Load() != 1 {
		t.Errorf("%d creations succeeded, want 1", succeeded.Load())
	}
}

func missingRoom(t *testing.T, s app.Stores) {
	_, err := s.Room(t.Context(), "nowhere")
	wantNotFound(t, err)
	if ok, err := s.UpdateRoom(t.Context(), chat.Room{ID: "nowhere"}, chat.Room{ID: "nowhere", Name: "n"}); ok || err != nil {
		t.Errorf("update of a missing room: %v, %v", ok, err)
	}
	_, err = s.Room(t.Context(), "nowhere")
	wantNotFound(t, err)
}

func roomUpdate(t *testing.T, s app.Stores) {
	before := newRoom(t, s, "seattle", 3)
	want := before
	want.Name, want.Topic, want.Place, want.Posting, want.SlowMode, want.Archived, want.Metadata = "Renamed", "", []string{"USA"}, policy.Moderators, 0, false, ""
	want.Silent = false
	want.NoReceipts, want.RoomMentions, want.Pinning = false, policy.GrantModerators, policy.GrantModerators
	changesEveryField(t, before, want, "ID", "CreatedBy", "CreatedAt", "Shards", "ShardsPinned", "Private", "Direct", "Revision", "DigestKey", "Deleted", "Service", "Channel")
	listedArchived(t, s, true)
	change := want
	change.CreatedBy, change.Shards, change.Private = "thief", 60, false
	if ok, err := s.UpdateRoom(t.Context(), before, change); !ok || err != nil {
		t.Fatalf("update: %v, %v", ok, err)
	}
	want.Revision = 1
	got, err := s.Room(t.Context(), "seattle")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("room (-want +got):\n%s", d)
	}
	listedArchived(t, s, false)
	if ok, err := s.UpdateRoom(t.Context(), before, change); ok || err != nil {
		t.Errorf("update of an outdated room: %v, %v", ok, err)
	}
	archived := want
	archived.Archived = true
	if ok, err := s.UpdateRoom(t.Context(), want, archived); !ok || err != nil {
		t.Errorf("archive: %v, %v", ok, err)
	}
	listedArchived(t, s, true)
}

// listedArchived checks whether the list of rooms shows its only room as archived.
func listedArchived(t *testing.T, s app.Stores, want bool) {
	t.Helper()
	rooms, _, err := s.RoomsAt(t.Context(), []string{"USA"}, chat.ListPosition{}, 10)
	if err != nil || len(rooms) != 1 || rooms[0].Archived != want {
		t.Errorf("listed as %+v, %v, want archived %v", rooms, err, want)
	}
}

func roomDeletion(t *testing.T, s app.Stores) {
	room := newRoom(t, s, "seattle", 3)
	owner, err := s.Membership(t.Context(), "seattle", "maker")
	if err != nil {
		t.Fatal(err)
	}
	stale, lesser := room, owner
	stale.Revision, lesser.Role = 7, policy.Member
	for name, d := range map[string]chat.RoomDeletion{
		"an outdated room": {Room: stale, By: owner, At: start}, "an outdated owner": {Room: room, By: lesser, At: start},
		"a missing room": {Room: chat.Room{ID: "nowhere"}, By: owner, At: start},
	} {
		if ok, err := s.DeleteRoom(t.Context(), d); ok || err != nil {
			t.Errorf("deletion of %s: %v, %v", name, ok, err)
		}
	}
	if head, err := s.FeedHead(t.Context(), "seattle"); err != nil || head.Closed {
		t.Errorf("the feed before the deletion: %+v, %v", head, err)
	}
	if ok, err := s.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: owner, At: start}); !ok || err != nil {
		t.Fatalf("deletion: %v, %v", ok, err)
	}
	_, err = s.Room(t.Context(), "seattle")
	wantNotFound(t, err)
	if created, err := s.CreateRoom(t.Context(), room, owner); created || err != nil {
		t.Errorf("creation of a deleted room: %v, %v", created, err)
	}
	for _, before := range []int{0, 1} {
		room.Revision = before
		if ok, err := s.UpdateRoom(t.Context(), room, chat.Room{ID: "seattle", Name: "n"}); ok || err != nil {
			t.Errorf("update of a deleted room at revision %d: %v, %v", before, ok, err)
		}
		if ok, err := s.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: owner, At: start}); ok || err != nil {
			t.Errorf("second deletion at revision %d: %v, %v", before, ok, err)
		}
	}
	if rooms, _, err := s.RoomsAt(t.Context(), nil, chat.ListPosition{}, 10); err != nil || len(rooms) > 0 {
		t.Errorf("the directory has %+v, %v", rooms, err)
	}
	for _, read := range []func(context.Context, chat.RoomID) (feed.Head, error){s.FeedHead, s.CurrentFeedHead} {
		if head, err := read(t.Context(), "seattle"); err != nil || !head.Closed || head.Last != 0 {
			t.Errorf("the feed: %+v, %v", head, err)
		}
	}
}

func roomsAreFoundByPlace(t *testing.T, s app.Stores) {
	places := map[chat.RoomID][]string{
		"seattle": {"USA", "WA", "Seattle"}, "tacoma": {"USA", "WA", "Tacoma"}, "usa": {"USA"}, "portland": {"USA", "OR", "Portland"},
		"berlin": {"Germany", "Berlin"}, "us": {"US"}, "nowhere": nil,
	}
	for id, place := range places {
		room := chat.Room{ID: id, Name: "n", CreatedBy: "m", CreatedAt: start, Shards: 1, Place: place, DigestKey: []byte("k")}
		if ok, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "m")); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	hidden := chat.Room{ID: "p-aaaaaaaaaaaaaaaaaaaa", Name: "n", CreatedBy: "m", CreatedAt: start, Shards: 1, Private: true, DigestKey: []byte("k")}
	if ok, err := s.CreateRoom(t.Context(), hidden, chat.OwnerOf(hidden, "m")); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if got, err := s.Room(t.Context(), hidden.ID); err != nil || !got.Private {
		t.Errorf("private room: %+v, %v", got, err)
	}
	for _, tt := range []struct {
		place []string
		want  string
	}{
		{nil, "[berlin us portland seattle tacoma usa nowhere]"},
		{[]string{"USA"}, "[portland seattle tacoma usa]"},
		{[]string{"USA", "WA"}, "[seattle tacoma]"},
		{[]string{"USA", "WA", "Seattle"}, "[seattle]"},
		{[]string{"US"}, "[us]"},
		{[]string{"U"}, "[]"},
		{[]string{"USA", "W"}, "[]"},
	} {
		for limit := 1; limit <= 8; limit++ {
			var got []chat.RoomID
			after := chat.ListPosition{}
			for {
				rooms, next, err := s.RoomsAt(t.Context(), tt.place, after, limit)
				if err != nil || len(rooms) > limit {
					t.Fatalf("%d rooms at %v: %v", len(rooms), tt.place, err)
				}
				for _, r := range rooms {
					got = append(got, r.ID)
				}
				if after = next; next == (chat.ListPosition{}) {
					break
				}
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("rooms at %v in pages of %d: %v, want %s", tt.place, limit, got, tt.want)
			}
		}
	}
}
