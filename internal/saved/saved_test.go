package saved_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// texts returns the texts of the messages that a user has saved, in pages of limit.
func texts(t *testing.T, s *app.Services, user chat.UserID, limit int) string {
	t.Helper()
	var all []string
	page := chat.PageRequest{Limit: limit}
	for {
		got, err := s.Saved.Saved(t.Context(), user, page)
		if err != nil || len(got.Items) > limit {
			t.Fatalf("%d messages, %v", len(got.Items), err)
		}
		for _, e := range got.Items {
			all = append(all, e.Current.Text)
		}
		if page.Cursor = got.Next; got.Next == "" {
			return strings.Join(all, " ")
		}
	}
}

func post(t *testing.T, s *app.Services, room chat.RoomID, text string) chat.Message {
	t.Helper()
	m, _, err := s.PostMessage(t.Context(), "maker", room, chat.MessageDraft{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSave_KeepsItsPlace lists the messages of two rooms, two of which are saved at a time. One is
// saved again later, which does not move it. A person whose id is the beginning of another's has a
// list of their own.
func TestSave_KeepsItsPlace(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	rooms := []chat.RoomID{"seattle", "sea"}
	for _, room := range rooms {
		chattest.CreateRoom(t, s, room, 1)
	}
	var messages []chat.Message
	save := func(user chat.UserID, m chat.Message) {
		t.Helper()
		if err := s.Saved.Save(t.Context(), user, m.Room, m.ID); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 7 {
		m := post(t, s, rooms[n%2], fmt.Sprint(n))
		messages = append(messages, m)
		save("bob", m)
		if n%2 == 1 {
			clock.Advance(time.Second)
		}
	}
	save("bo", messages[4])
	save("bob", messages[2])
	want := func(user chat.UserID, pairs ...string) {
		t.Helper()
		for limit := 1; limit <= 8; limit++ {
			got := strings.Fields(texts(t, s, user, limit))
			for _, pair := range pairs {
				same := got[:min(len(got), len(pair))]
				got = got[len(same):]
				if slices.Sort(same); strings.Join(same, "") != pair {
					t.Errorf("%s, in pages of %d: %v, want %s", user, limit, same, pair)
				}
			}
			if len(got) != 0 {
				t.Errorf("%s, in pages of %d: %v too", user, limit, got)
			}
		}
	}
	want("bob", "6", "45", "23", "01")
	for range 2 {
		if err := s.Saved.Unsave(t.Context(), "bob", messages[2].Room, messages[2].ID); err != nil {
			t.Fatal(err)
		}
	}
	want("bob", "6", "45", "3", "01")
	want("bo", "4")
	want("nobody")
}
