package chat_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

// postCrowd posts messages of four people at a few instants. Some were sent in the opposite order,
// and some share their UUIDs with a message of another person.
func postCrowd(t *testing.T, s *app.Services, c *chattest.Clock) (all []chat.Message) {
	t.Helper()
	for i := range 24 {
		sent := chattest.Start.Add(-time.Duration(i/4) * time.Millisecond)
		id := chat.NewUUID(sent, [10]byte{byte(i % 2)})
		user := chat.UserID(fmt.Sprint("user-", i%4))
		m, _, err := s.PostMessage(t.Context(), user, "seattle", chat.MessageDraft{UUID: id, Text: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
		if i%3 == 0 {
			c.Advance(time.Millisecond)
		}
	}
	return all
}

// TestMessages_BeforeAndAfter checks that the pages on both sides of every message are the parts
// of the complete list, for every sender and several sizes of a page.
func TestMessages_BeforeAndAfter(t *testing.T) {
	t.Parallel()
	s, c := chattest.NewWith(t, func(o *app.Options) { o.SendBurst = 1000 })
	chattest.CreateRoom(t, s, "seattle", 3)
	all := postCrowd(t, s, c)
	for _, user := range []chat.UserID{"", "user-0", "user-2", "user-3", "nobody"} {
		r := chat.MessageRange{User: user}
		var matching []chat.Message
		for _, m := range all {
			if user == "" || m.ID.User == user {
				matching = append(matching, m)
			}
		}
		slices.SortFunc(matching, func(a, b chat.Message) int { return r.PositionOf(a).Compare(r.PositionOf(b)) })
		for _, m := range all {
			var older, newer []string
			at := r.PositionOf(m)
			for _, other := range matching {
				switch c := r.PositionOf(other).Compare(at); {
				case c < 0:
					older = append([]string{other.Text}, older...)
				case c > 0:
					newer = append(newer, other.Text)
				}
			}
			for _, limit := range []int{1, 3, chat.MaxLimit} {
				q := chat.MessageQuery{Room: "seattle", User: user, Limit: limit}
				q.Before = &m.ID
				if got := follow(t, s, q); !slices.Equal(got, older) {
					t.Errorf("before %s of %s, user %q, by %d: %v, want %v", m.Text, m.ID.User, user, limit, got, older)
				}
				q.Before, q.After = nil, &m.ID
				if got := follow(t, s, q); !slices.Equal(got, newer) {
					t.Errorf("after %s of %s, user %q, by %d: %v, want %v", m.Text, m.ID.User, user, limit, got, newer)
				}
			}
		}
	}
}

func TestMessages_BesideAnUnknownOrDeletedMessage(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.CreateRoom(t, s, "tacoma", 1)
	one, two := chattest.Post(t, s, "amsg", "one"), chattest.Post(t, s, "bob", "two")
	unknown := chat.MessageID{UUID: one.ID.UUID, User: "nobody"}
	for name, q := range map[string]chat.MessageQuery{
		"before an unknown message":         {Room: "seattle", Before: &unknown},
		"after an unknown message":          {Room: "seattle", After: &unknown},
		"after an unknown message, by user": {Room: "seattle", User: "amsg", After: &unknown},
		"before a message of another room":  {Room: "tacoma", Before: &one.ID},
	} {
		q.Limit = 1
		_, err := s.Messages(t.Context(), "amsg", q)
		chattest.WantKind(t, name, err, chat.NotFound)
	}
	if _, err := s.DeleteMessage(t.Context(), "amsg", at(one, 1)); err != nil {
		t.Fatal(err)
	}
	if got := follow(t, s, chat.MessageQuery{Room: "seattle", After: &one.ID, Limit: 1}); !slices.Equal(got, []string{two.Text}) {
		t.Errorf("after a deleted message: %v", got)
	}
}
