package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

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
