package chat_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// writes are the writes to the room seattle in which the message m is amsg's.
func writes(t *testing.T, s *app.Services, m chat.Message) map[string]func() error {
	ctx := t.Context()
	topic := "new"
	return map[string]func() error{
		"post": func() error {
			_, _, err := s.PostMessage(ctx, "amsg", "seattle", chat.MessageDraft{Text: "x"})
			return err
		},
		"edit": func() error {
			_, _, err := s.EditMessage(ctx, "amsg", chat.Revision{Room: "seattle", ID: m.ID, Base: 1}, chat.MessageEdit{Text: new("y")})
			return err
		},
		"delete": func() error {
			_, err := s.DeleteMessage(ctx, "maker", chat.Revision{Room: "seattle", ID: m.ID, Base: chat.AnyRevision})
			return err
		},
		"join": func() error { return chattest.SetRole(t, s, "bob", "seattle", "bob", policy.Member) },
		"add":  func() error { return chattest.SetRole(t, s, "maker", "seattle", "carl", policy.Member) },
		"mute": func() error { return chattest.SetRole(t, s, "maker", "seattle", "amsg", policy.Muted) },
		"remove": func() error {
			return s.Members.RemoveMember(ctx, "maker", chat.MemberOf{Room: "seattle", User: "amsg"})
		},
		"settings": func() error {
			_, err := s.PatchRoom(ctx, "maker", "seattle", chat.RoomDraft{Topic: &topic})
			return err
		},
		"document": func() error {
			_, _, err := s.Documents.PutDocument(ctx, "maker", "seattle", "rules", document.Draft{Title: &topic})
			return err
		},
		"part": func() error {
			_, _, err := s.Documents.SavePart(ctx, "maker", document.PartDraft{Room: "seattle", Document: "rules", Part: "one", Base: 1, Text: "y"})
			return err
		},
	}
}

// archivedRoom returns services with the room seattle, which has the members amsg and dave, a
// document and the returned message of amsg. The room is then archived.
func archivedRoom(t *testing.T, archived bool) (*app.Services, *chattest.Clock, chat.Message) {
	t.Helper()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for _, user := range []chat.UserID{"amsg", "dave"} {
		if err := chattest.SetRole(t, s, user, "seattle", user, policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	m := chattest.Post(t, s, "amsg", "first")
	if _, _, err := s.Documents.SavePart(t.Context(), "maker", document.PartDraft{Room: "seattle", Document: "rules", Part: "one", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a retry changes nothing
		if room, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: &archived}); err != nil || room.Archived != archived {
			t.Fatalf("archived %v: %+v, %v", archived, room, err)
		}
	}
	return s, clock, m
}

func TestPutRoom_ArchivedRefusesWrites(t *testing.T) {
	t.Parallel()
	s, _, m := archivedRoom(t, true)
	for name, write := range writes(t, s, m) {
		if err := write(); chat.KindOf(err) != chat.Forbidden || !strings.Contains(err.Error(), "archived") {
			t.Errorf("%s: %v, want Forbidden because the room is archived", name, err)
		}
	}
	a, err := s.Room(t.Context(), "bob", "seattle")
	if err != nil || !a.Room.Archived || a.Room.Topic != "" {
		t.Errorf("the room is %+v, %v", a.Room, err)
	}
	stored, err := s.Message(t.Context(), "bob", "seattle", m.ID)
	if err != nil || stored.Text != "first" || stored.Revision != 1 {
		t.Errorf("the message is %+v, %v", stored, err)
	}
	if _, err := s.Inbox.MarkRead(t.Context(), "dave", "seattle", 0); err != nil {
		t.Errorf("mark as read: %v", err)
	}
	if err := s.Members.RemoveMember(t.Context(), "dave", chat.MemberOf{Room: "seattle", User: "dave"}); err != nil {
		t.Errorf("leave: %v", err)
	}
	_, _, err = s.PutRoom(t.Context(), "amsg", "seattle", chat.RoomDraft{Archived: new(false)})
	chattest.WantKind(t, "a member unarchives", err, chat.Forbidden)
	topic := "open again"
	a.Room, _, err = s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(false), Topic: &topic})
	if err != nil || a.Room.Archived || a.Room.Topic != topic {
		t.Errorf("unarchived: %+v, %v", a.Room, err)
	}
	chattest.Post(t, s, "amsg", "second")
}

// TestPutRoom_NotArchivedTakesWrites checks that the writes of the test above fail for no other
// reason.
func TestPutRoom_NotArchivedTakesWrites(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"post", "edit", "delete", "join", "add", "mute", "remove", "settings", "document", "part"} {
		s, _, m := archivedRoom(t, false)
		if err := writes(t, s, m)[name](); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPutRoom_ArchivedReachesOtherProcesses posts through a process that has the room cached.
func TestPutRoom_ArchivedReachesOtherProcesses(t *testing.T) {
	t.Parallel()
	var store app.Options
	s, clock := chattest.NewWith(t, func(o *app.Options) { store = *o })
	other := app.New(store)
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.Post(t, other, "amsg", "cached")
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(chat.RoomCacheAge - time.Millisecond)
	chattest.Post(t, other, "amsg", "within the age of the cache")
	clock.Advance(time.Millisecond)
	_, _, err := other.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{Text: "x"})
	chattest.WantKind(t, "after the age of the cache", err, chat.Forbidden)
}
