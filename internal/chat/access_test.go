package chat_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestRoomsAt_LeavesOutBans lists rooms for a person who is banned from one, until the ban ends.
func TestRoomsAt_LeavesOutBans(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	for _, room := range []chat.RoomID{"oslo", "seattle"} {
		chattest.CreateRoom(t, s, room, 1)
	}
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Hour)}
	if _, _, err := s.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "bob"}, ban); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		user  chat.UserID
		after time.Duration
		want  []chat.RoomID
	}{
		{"cid", 0, []chat.RoomID{"oslo", "seattle"}},
		{"bob", 0, []chat.RoomID{"oslo"}},
		{"bob", time.Hour + time.Millisecond, []chat.RoomID{"oslo", "seattle"}},
	} {
		clock.Advance(tt.after)
		page, err := s.RoomsAt(t.Context(), tt.user, nil, chat.PageRequest{Limit: 9})
		var got []chat.RoomID
		for _, r := range page.Items {
			got = append(got, r.ID)
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("the rooms for %s: %v, %v, want %v", tt.user, got, err, tt.want)
		}
	}
}

// TestPostMessage_RateLimit checks that nobody can send faster than their bucket refills.
func TestPostMessage_RateLimit(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	sent := func(user chat.UserID) int {
		for n := 0; ; n++ {
			_, _, err := s.PostMessage(t.Context(), user, "seattle", chat.MessageDraft{Text: "x"})
			if chat.KindOf(err) == chat.RateLimited {
				return n
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := sent("amsg"); n != chat.DefaultSendBurst {
		t.Errorf("a burst of %d, want %d", n, chat.DefaultSendBurst)
	}
	if n := sent("bob"); n != chat.DefaultSendBurst {
		t.Errorf("bob sent %d after amsg", n)
	}
	c.Advance(time.Second)
	if n := sent("amsg"); n != chat.DefaultSendRate {
		t.Errorf("%d after a second, want %d", n, chat.DefaultSendRate)
	}
	c.Advance(time.Hour)
	if n := sent("amsg"); n != chat.DefaultSendBurst {
		t.Errorf("%d after an hour, want %d", n, chat.DefaultSendBurst)
	}
}

func TestMayCreateRooms(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.MayCreateRooms = func(u chat.UserID) bool { return u == "ann" } })
	if _, created, err := s.PutRoom(t.Context(), "ann", "seattle", chat.RoomDraft{}); err != nil || !created {
		t.Errorf("ann: %v, %v", created, err)
	}
	_, _, err := s.PutRoom(t.Context(), "bob", "tacoma", chat.RoomDraft{})
	chattest.WantKind(t, "another public room", err, chat.Forbidden)
	_, _, err = s.PutRoom(t.Context(), "bob", "seattle", chat.RoomDraft{})
	chattest.WantKind(t, "an id that is taken", err, chat.Conflict)
	name := "x"
	const private = "p-aaaaaaaaaaaaaaaaaaaa"
	_, _, err = s.PutRoom(chat.WithService(t.Context(), "desk"), "desk", private, chat.RoomDraft{Name: &name})
	chattest.WantKind(t, "a private room of a service", err, chat.Forbidden)
	if _, created, err := s.PutRoom(chat.WithService(t.Context(), "ann"), "ann", private, chat.RoomDraft{Name: &name}); err != nil || !created {
		t.Errorf("a service that may: %v, %v", created, err)
	}
	_, _, err = s.PutRoom(chat.WithService(t.Context(), "desk"), "desk", private, chat.RoomDraft{Name: &name})
	chattest.WantKind(t, "a private room of another service", err, chat.Forbidden)
	_, _, err = s.PutRoom(t.Context(), "bob", "p-bbbbbbbbbbbbbbbbbbbb", chat.RoomDraft{Name: &name})
	chattest.WantKind(t, "a private room of a person", err, chat.NotFound)
	_, _, err = s.Private.PostRoom(t.Context(), "bob", uuid.UUID{}, chat.RoomDraft{Name: &name})
	chattest.WantKind(t, "a private room", err, chat.Forbidden)
}

func TestPageRequest_RefusesForgedCursors(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for i := range 3 {
		chattest.CreateRoom(t, s, chat.RoomID(fmt.Sprintf("room-%d", i)), 1)
		if err := chattest.SetRole(t, s, "maker", "room-0", chat.UserID(fmt.Sprintf("user-%d", i)), policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	lists := map[string]func(string) (string, error){
		"rooms": func(c string) (string, error) {
			l, err := s.RoomsAt(t.Context(), "maker", nil, chat.PageRequest{Limit: 1, Cursor: c})
			return l.Next, err
		},
		"members": func(c string) (string, error) {
			l, err := s.Members.Members(t.Context(), "maker", "room-0", chat.PageRequest{Limit: 1, Cursor: c})
			return l.Next, err
		},
	}
	valid := map[string]chat.ListPosition{
		"rooms": {Sort: "room-1", ID: "room-1"}, "members": {Sort: "user-1", ID: "user-1"},
	}
	for name, list := range lists {
		good, err := list("")
		if err != nil || good == "" {
			t.Fatalf("%s: %q, %v", name, good, err)
		}
		raw, _ := base64.RawURLEncoding.DecodeString(good)
		forge := func(sort, id string) string { // with the version and the digest of a valid cursor
			forged := slices.Clone(raw[:9])
			for _, field := range []string{sort, id} {
				forged = append(binary.AppendUvarint(forged, uint64(len(field))*4), field...)
			}
			return base64.RawURLEncoding.EncodeToString(forged)
		}
		// A possible position is accepted, so the others are refused because of their contents.
		if _, err := list(forge(valid[name].Sort, valid[name].ID)); err != nil {
			t.Errorf("%s after %+v: %v", name, valid[name], err)
		}
		for _, p := range []chat.ListPosition{{}, {ID: "user-1"}, {Sort: "A#B"}, {Sort: "x", ID: "y\x00z"}, {Sort: "\xff", ID: "\xff"}, {Sort: "x#", ID: "#"}, {Sort: "\U0010ffff", ID: "user-1"}} {
			_, err := list(forge(p.Sort, p.ID))
			chattest.WantKind(t, fmt.Sprintf("%s after %+q", name, p), err, chat.BadCursor)
		}
		for other, ask := range lists {
			if other != name {
				_, err := ask(good)
				chattest.WantKind(t, other+" after "+name, err, chat.BadCursor)
			}
		}
	}
}
