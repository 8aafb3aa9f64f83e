package chat_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestPostMessage_Retry checks that a retry posts nothing and returns the message.
func TestPostMessage_Retry(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	draft := chat.MessageDraft{UUID: chat.NewUUID(chattest.Start, [10]byte{1}), Text: "hello"}
	first, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", draft)
	if err != nil || replay || !first.SentAt().Equal(chattest.Start) || !first.ReceivedAt.Equal(chattest.Start) {
		t.Fatalf("first: %+v, replay %v, %v", first, replay, err)
	}
	c.Advance(time.Hour)
	again, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", draft)
	if err != nil || !replay || !again.ReceivedAt.Equal(first.ReceivedAt) {
		t.Errorf("retry: %+v, replay %v, %v", again, replay, err)
	}
	c.Advance(30 * 24 * time.Hour)
	if _, replay, err := s.PostMessage(t.Context(), "amsg", "seattle", draft); err != nil || !replay {
		t.Errorf("a retry after a month: replay %v, %v", replay, err)
	}
	_, _, err = s.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{UUID: draft.UUID, Text: "other"})
	chattest.WantKind(t, "the same id for another text, later", err, chat.Conflict)
	l, err := s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "seattle", Limit: 10})
	if err != nil || len(l.Items) != 1 {
		t.Errorf("the room has %d messages, %v", len(l.Items), err)
	}
}

func TestPostMessage_IDBelongsToOneTextAndSender(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	draft := chat.MessageDraft{UUID: chat.NewUUID(chattest.Start, [10]byte{1}), Text: "hello"}
	for _, user := range []chat.UserID{"amsg", "bob"} {
		if _, replay, err := s.PostMessage(t.Context(), user, "seattle", draft); err != nil || replay {
			t.Errorf("%s: replay %v, %v", user, replay, err)
		}
	}
	_, _, err := s.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{UUID: draft.UUID, Text: "hello!"})
	chattest.WantKind(t, "the same id for another text", err, chat.Conflict)
}

// TestPostMessage_ClockSkew checks that a message whose time is too far from the server's is
// refused.
func TestPostMessage_ClockSkew(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for _, tt := range []struct {
		offset time.Duration
		ok     bool
	}{
		{chat.MaxAhead, true}, {chat.MaxAhead + time.Millisecond, false},
		{-chat.MaxAge, true}, {-chat.MaxAge - time.Millisecond, false}, {365 * 24 * time.Hour, false}, {-365 * 24 * time.Hour, false},
	} {
		_, _, err := s.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{UUID: chat.NewUUID(chattest.Start.Add(tt.offset), [10]byte{}), Text: "x"})
		if tt.ok && err != nil || !tt.ok && chat.KindOf(err) != chat.ClockSkew {
			t.Errorf("sent at %v from now: %v, want ok %v", tt.offset, err, tt.ok)
		}
		var e *chat.Error
		if !tt.ok && (!errors.As(err, &e) || !e.ServerTime.Equal(chattest.Start)) {
			t.Errorf("sent at %v from now: the error does not contain the server's time", tt.offset)
		}
	}
}

// TestPostMessage_InvalidText checks that an invalid text is refused and nothing is stored.
func TestPostMessage_InvalidText(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for name, text := range map[string]string{
		"empty": "", "one byte too long": strings.Repeat("x", chat.MaxText+1), "too long in bytes": strings.Repeat("é", chat.MaxText/2+1), "not UTF-8": "a\xff",
	} {
		_, _, err := s.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{Text: text})
		chattest.WantKind(t, name, err, chat.Invalid)
	}
	if l, err := s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "seattle", Limit: 1}); err != nil || len(l.Items) != 0 {
		t.Errorf("%d messages are stored, %v", len(l.Items), err)
	}
	chattest.Post(t, s, "amsg", strings.Repeat("x", chat.MaxText))
}

func TestService_UnknownRoomIsNotFound(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	_, _, err := s.PostMessage(t.Context(), "amsg", "nowhere", chat.MessageDraft{Text: "x"})
	chattest.WantKind(t, "send", err, chat.NotFound)
	_, err = s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "nowhere", Limit: 1})
	chattest.WantKind(t, "list", err, chat.NotFound)
	_, err = s.Room(t.Context(), "amsg", "nowhere")
	chattest.WantKind(t, "room", err, chat.NotFound)
	chattest.CreateRoom(t, s, "nowhere", 1)
	if _, _, err = s.PostMessage(t.Context(), "amsg", "nowhere", chat.MessageDraft{Text: "x"}); err != nil {
		t.Errorf("a new room: %v", err)
	}
}

func TestPutRoom_BelongsToItsCreator(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	text := func(s string) *string { return &s }
	number := func(n int) *int { return &n }
	room, created, err := s.PutRoom(t.Context(), "amsg", "seattle", chat.RoomDraft{Topic: text("rain"), Shards: number(3)})
	if err != nil || !created || room.Name != "seattle" || room.Shards != 3 || room.Topic != "rain" {
		t.Fatalf("created %+v, created %v, %v", room, created, err)
	}
	room, err = s.PatchRoom(t.Context(), "amsg", "seattle", chat.RoomDraft{Name: text("Seattle")})
	if err != nil || room.Name != "Seattle" || room.Topic != "rain" || !room.ShardsPinned {
		t.Errorf("patched %+v, %v", room, err)
	}
	room, created, err = s.PutRoom(t.Context(), "amsg", "seattle", chat.RoomDraft{Name: text("Seattle")})
	if err != nil || created || room.Name != "Seattle" || room.Topic != "" || !room.ShardsPinned {
		t.Errorf("replaced %+v, created %v, %v", room, created, err)
	}
	for caller, want := range map[chat.UserID]chat.Kind{"bob": chat.Forbidden, "amsg": chat.NotFound} {
		id := map[chat.UserID]chat.RoomID{"bob": "seattle", "amsg": "atlantis"}[caller]
		_, err := s.PatchRoom(t.Context(), caller, id, chat.RoomDraft{})
		chattest.WantKind(t, string(caller)+" patches "+string(id), err, want)
	}
	if got, err := s.Room(t.Context(), "bob", "seattle"); err != nil || got.Room.Name != "Seattle" {
		t.Errorf("read %+v, %v", got, err)
	}
	_, _, err = s.PutRoom(t.Context(), "bob", "seattle", chat.RoomDraft{})
	chattest.WantKind(t, "another creator", err, chat.Conflict)
	_, _, err = s.PutRoom(t.Context(), "amsg", "p-"+chat.RoomID(strings.Repeat("x", 20)), chat.RoomDraft{})
	chattest.WantKind(t, "the form of private rooms", err, chat.NotFound)
	for name, draft := range map[string]chat.RoomDraft{
		"empty name": {Name: text("")}, "long name": {Name: text(strings.Repeat("n", chat.MaxName+1))}, "name of two lines": {Name: text("a\nb")},
		"long topic": {Topic: text(strings.Repeat("t", chat.MaxTopic+1))}, "fewer shards than none": {Shards: number(-1)}, "too many shards": {Shards: number(65)},
	} {
		_, _, err := s.PutRoom(t.Context(), "amsg", "new", draft)
		chattest.WantKind(t, name, err, chat.Invalid)
	}
	_, err = s.Room(t.Context(), "amsg", "new")
	chattest.WantKind(t, "a refused room", err, chat.NotFound)
}

// follow returns the texts of all pages of a query.
func follow(t *testing.T, s *app.Services, q chat.MessageQuery) (texts []string) {
	t.Helper()
	for {
		l, err := s.Messages(t.Context(), "amsg", q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		for _, m := range l.Items {
			texts = append(texts, m.Text)
		}
		if l.Next == "" {
			return texts
		}
		q.Cursor, q.Around, q.Before, q.After = l.Next, nil, nil, nil
	}
}

// TestPutRoom_OfSomebodyElse lets the room's people know that they may not change it. Everyone
// else learns only that the id is taken.
func TestPutRoom_OfSomebodyElse(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{"moderator": policy.Moderator, "member": policy.Member, "muted": policy.Muted, "banned": policy.Banned} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	for user, want := range map[chat.UserID]chat.Kind{
		"moderator": chat.Forbidden, "member": chat.Forbidden, "muted": chat.Forbidden, "banned": chat.Conflict, "stranger": chat.Conflict,
	} {
		_, _, err := s.PutRoom(t.Context(), user, "seattle", chat.RoomDraft{})
		chattest.WantKind(t, string(user), err, want)
	}
	if err := s.Members.RemoveMember(t.Context(), "member", chat.MemberOf{Room: "seattle", User: "member"}); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.PutRoom(t.Context(), "member", "seattle", chat.RoomDraft{})
	chattest.WantKind(t, "a member who left", err, chat.Conflict)
}

// TestMessages_PagesOfEverySize checks that pages of every size have all messages, in order.
func TestMessages_PagesOfEverySize(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 4)
	var newest []string
	for i := range 23 {
		newest = append(newest, chattest.Post(t, s, chat.UserID(fmt.Sprintf("user-%d", i%7)), fmt.Sprint(i)).Text)
		if i%3 == 0 {
			c.Advance(time.Millisecond)
		}
	}
	// Ids order messages of the same instant, so compare with a single page.
	whole := follow(t, s, chat.MessageQuery{Room: "seattle", Limit: 200})
	sorted := slices.Clone(whole)
	slices.Sort(sorted)
	slices.Sort(newest)
	if !slices.Equal(sorted, newest) {
		t.Fatalf("got %v", whole)
	}
	oldest := chat.Oldest
	reversed := slices.Clone(whole)
	slices.Reverse(reversed)
	for limit := 1; limit <= 24; limit++ {
		if got := follow(t, s, chat.MessageQuery{Room: "seattle", Limit: limit}); !slices.Equal(got, whole) {
			t.Errorf("pages of %d: %v, want %v", limit, got, whole)
		}
		if got := follow(t, s, chat.MessageQuery{Room: "seattle", Limit: limit, Order: &oldest}); !slices.Equal(got, reversed) {
			t.Errorf("pages of %d, oldest first: %v, want %v", limit, got, reversed)
		}
	}
}

// TestMessages_Around checks that a query around a message returns its neighbors.
func TestMessages_Around(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 3)
	var all []chat.Message
	for i := range 9 {
		all = append(all, chattest.Post(t, s, chat.UserID(fmt.Sprintf("user-%d", i%4)), fmt.Sprint(i)))
		c.Advance(time.Second)
	}
	for center := range all {
		for limit := 1; limit <= 12; limit++ {
			q := chat.MessageQuery{Room: "seattle", Around: &all[center].ID, Limit: limit}
			l, err := s.Messages(t.Context(), "amsg", q)
			if err != nil {
				t.Fatal(err)
			}
			newer := (limit - 1) / 2
			first, last := min(center+newer, 8), max(center-(limit-1-newer), 0)
			var want, got []string
			for i := first; i >= last; i-- {
				want = append(want, fmt.Sprint(i))
			}
			for _, m := range l.Items {
				got = append(got, m.Text)
			}
			if !slices.Equal(got, want) || (l.Next == "") != (last == 0) || (l.Prev == "") != (first == 8) {
				t.Errorf("%d around %d: %v next %v prev %v, want %v", limit, center, got, l.Next != "", l.Prev != "", want)
			}
			if l.Prev != "" {
				up := follow(t, s, chat.MessageQuery{Room: "seattle", Cursor: l.Prev, Limit: 2})
				if len(up) != 8-first || up[0] != fmt.Sprint(first+1) {
					t.Errorf("prev of %d around %d gives %v", limit, center, up)
				}
			}
			if l.Next != "" {
				down := follow(t, s, chat.MessageQuery{Room: "seattle", Cursor: l.Next, Limit: 2})
				if len(down) != last || down[0] != fmt.Sprint(last-1) {
					t.Errorf("next of %d around %d gives %v", limit, center, down)
				}
			}
		}
	}
	missing := chat.MessageID{UUID: all[0].ID.UUID, User: "nobody"}
	_, err := s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "seattle", Around: &missing, Limit: 1})
	chattest.WantKind(t, "around a message that does not exist", err, chat.NotFound)
}

func TestMessages_CursorOfAnotherQuery(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.CreateRoom(t, s, "tacoma", 1)
	chattest.Post(t, s, "amsg", "1")
	chattest.Post(t, s, "amsg", "2")
	l, err := s.Messages(t.Context(), "amsg", chat.MessageQuery{Room: "seattle", Limit: 1})
	if err != nil || l.Next == "" {
		t.Fatalf("next %q, %v", l.Next, err)
	}
	oldest := chat.Oldest
	for name, q := range map[string]chat.MessageQuery{
		"another room":  {Room: "tacoma"},
		"another user":  {Room: "seattle", User: "amsg"},
		"another range": {Room: "seattle", At: "2018"},
		"another order": {Room: "seattle", Order: &oldest},
	} {
		q.Cursor, q.Limit = l.Next, 1
		_, err := s.Messages(t.Context(), "amsg", q)
		chattest.WantKind(t, name, err, chat.BadCursor)
	}
}
