package chat_test

import (
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/test/chattest"
)

// TestPutRoom_ChangesItsShards lets an owner set the number of shards, and let it follow the rate.
func TestPutRoom_ChangesItsShards(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name   string
		given  *int
		want   int
		pinned bool
	}{
		{"a new room has one shard, which is not pinned", nil, 1, false},
		{"an owner may say so", new(0), 1, false},
		{"or pin it", new(1), 1, true},
		{"more", new(4), 4, true},
		{"the same", new(4), 4, true},
		{"another setting keeps them", nil, 4, true},
		{"fewer", new(2), 2, true},
		{"the number is kept where it is left to the rate", new(0), 2, false},
	} {
		room, err := s.PatchRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Topic: &step.name, Shards: step.given})
		if err != nil || room.Shards != step.want || room.ShardsPinned != step.pinned {
			t.Errorf("%s: %d shards, pinned %v, %v; want %d, %v", step.name, room.Shards, room.ShardsPinned, err, step.want, step.pinned)
		}
		read, err := s.Room(t.Context(), "maker", "seattle")
		if err != nil || read.Room.Shards != step.want || read.Room.ShardsPinned != step.pinned || read.Room.Topic != step.name {
			t.Errorf("%s: the room is read as %+v, %v", step.name, read.Room, err)
		}
		clock.Advance(growth.Delay)
	}
	if read, err := s.Room(t.Context(), "bob", "seattle"); err != nil || read.Room.Shards != 0 || read.Room.ShardsPinned {
		t.Errorf("a stranger reads %+v, %v", read.Room, err)
	}
}

// TestPutRoom_ShardsAreAudited changes only the shards, which adds one entry, and then nothing.
func TestPutRoom_ShardsAreAudited(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	for _, n := range []int{3, 3, 0, 0} {
		clock.Advance(time.Second)
		if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Shards: &n}); err != nil {
			t.Fatal(err)
		}
	}
	page, err := s.Activity.AuditLog(t.Context(), "maker", "seattle", activity.LogQuery{PageRequest: chat.PageRequest{Limit: 10}})
	changes := 0
	for _, e := range page.Items {
		if e.Type == "room.changed" && e.Detail == "shards" && e.By == "maker" {
			changes++
		}
	}
	if err != nil || changes != 2 {
		t.Errorf("%d changes are audited in %+v, %v; want 2", changes, page.Items, err)
	}
}

// TestPutRoom_ShardsOfAnArchivedRoomStay checks that shards are a setting like all others.
func TestPutRoom_ShardsOfAnArchivedRoomStay(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	_, err := s.PatchRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Shards: new(3)})
	chattest.WantKind(t, "an archived room", err, chat.Forbidden)
	room, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Shards: new(3), Archived: new(false)})
	if err != nil || room.Shards != 3 || room.Archived {
		t.Errorf("unarchived: %+v, %v", room, err)
	}
	_, _, err = s.PutRoom(t.Context(), "bob", "seattle", chat.RoomDraft{Shards: new(4)})
	chattest.WantKind(t, "a stranger", err, chat.Conflict)
	if read, err := s.Room(t.Context(), "maker", "seattle"); err != nil || read.Room.Shards != 3 {
		t.Errorf("after refusals: %+v, %v", read.Room, err)
	}
}

// TestPutRoom_MessagesOutlastAChangeOfShards retries and reads messages from before and after each
// change.
func TestPutRoom_MessagesOutlastAChangeOfShards(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	var drafts []chat.MessageDraft
	for round, n := range []int{8, 3, 64, 1} {
		for i := range 12 {
			clock.Advance(2 * time.Second) // beyond the start of the new shards
			d := chat.MessageDraft{UUID: chat.NewUUID(clock.Now(), [10]byte{byte(round), byte(i)}), Text: "hello"}
			if _, replay, err := s.PostMessage(t.Context(), author(len(drafts)), "seattle", d); err != nil || replay {
				t.Fatalf("message %d of round %d: replay %v, %v", i, round, replay, err)
			}
			drafts = append(drafts, d)
		}
		if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Shards: &n}); err != nil {
			t.Fatal(err)
		}
		for i, d := range drafts {
			if _, replay, err := s.PostMessage(t.Context(), author(i), "seattle", d); err != nil || !replay {
				t.Errorf("round %d, a retry of message %d: replay %v, %v", round, i, replay, err)
			}
		}
		if got := follow(t, s, chat.MessageQuery{Room: "seattle", Limit: 7}); len(got) != len(drafts) {
			t.Errorf("round %d: the room has %d messages, want %d", round, len(got), len(drafts))
		}
	}
}

func author(i int) chat.UserID {
	return chat.UserID([]string{"ann", "bob", "carl", "dora", "eve"}[i%5])
}
