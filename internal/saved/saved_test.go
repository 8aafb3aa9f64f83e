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
	"example.com/parley/internal/policy"
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

// TestSaved_ShowsWhatOneMayRead saves messages of a public and a private room, and loses access to
// each.
func TestSaved_ShowsWhatOneMayRead(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 2)
	hidden := chattest.CreatePrivateRoom(t, s, "maker")
	if err := chattest.SetRole(t, s, "maker", hidden, "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	var messages []chat.Message
	for n, room := range []chat.RoomID{"seattle", hidden, "seattle", hidden, "seattle", hidden} {
		messages = append(messages, post(t, s, room, fmt.Sprint(n)))
		for range 2 {
			if err := s.Saved.Save(t.Context(), "bob", room, messages[n].ID); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(time.Second)
	}
	want := func(what, want string) {
		t.Helper()
		for limit := 1; limit <= 7; limit++ {
			if got := texts(t, s, "bob", limit); got != want {
				t.Errorf("%s, in pages of %d: %q, want %q", what, limit, got, want)
			}
		}
	}
	want("all", "5 4 3 2 1 0")
	of := chat.Revision{Room: "seattle", ID: messages[2].ID, Base: chat.AnyRevision}
	if _, err := s.DeleteMessage(t.Context(), "maker", of); err != nil {
		t.Fatal(err)
	}
	of.ID = messages[4].ID
	if _, _, err := s.EditMessage(t.Context(), "maker", of, chat.MessageEdit{Text: new("four")}); err != nil {
		t.Fatal(err)
	}
	want("after a deletion and an edit", "5 four 3 1 0")
	if err := s.Members.RemoveMember(t.Context(), "maker", chat.MemberOf{Room: hidden, User: "bob"}); err != nil {
		t.Fatal(err)
	}
	want("without the private room", "four 0")
	chattest.WantKind(t, "in the room that is hidden now", s.Saved.Save(t.Context(), "bob", hidden, messages[1].ID), chat.NotFound)
	chattest.WantKind(t, "to remove one there", s.Saved.Unsave(t.Context(), "bob", hidden, messages[1].ID), chat.NotFound)
	if err := chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Banned); err != nil {
		t.Fatal(err)
	}
	want("banned from the public room", "")
	if err := chattest.SetRole(t, s, "maker", hidden, "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	want("in the private room again", "5 3 1")
	if got := texts(t, s, "maker", 9); got != "" {
		t.Errorf("another person sees %q", got)
	}
}

func TestSave_Refuses(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	m := post(t, s, "seattle", "x")
	chattest.WantKind(t, "an unknown message", s.Saved.Save(t.Context(), "bob", "seattle", chat.MessageID{UUID: m.ID.UUID, User: "eve"}), chat.NotFound)
	chattest.WantKind(t, "an unknown room", s.Saved.Save(t.Context(), "bob", "nowhere", m.ID), chat.NotFound)
	if _, err := s.DeleteMessage(t.Context(), "maker", chat.Revision{Room: "seattle", ID: m.ID, Base: 1}); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "a deleted message", s.Saved.Save(t.Context(), "bob", "seattle", m.ID), chat.Conflict)
	_, err := s.Saved.Saved(t.Context(), "bob", chat.PageRequest{Limit: 1, Cursor: "x"})
	chattest.WantKind(t, "an invalid cursor", err, chat.BadCursor)
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
