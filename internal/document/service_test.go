package document_test

import (
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/test/chattest"
)

// edited posts a message in seattle and edits it.
func edited(t *testing.T, s *app.Services) chat.Message {
	t.Helper()
	m := chattest.Post(t, s, "amsg", "a")
	m, _, err := s.EditMessage(t.Context(), "amsg", chat.Revision{Room: m.Room, ID: m.ID, Base: 1}, chat.MessageEdit{Text: new("b")})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMessageVersions_CursorBelongsToItsMessage(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	one, two := edited(t, s), edited(t, s)
	q := document.VersionQuery{Room: "seattle", ID: one.ID, Page: chat.PageRequest{Limit: 1}}
	page, err := s.Versions.MessageVersions(t.Context(), "amsg", q)
	if err != nil || page.Next == "" {
		t.Fatal(page, err)
	}
	q.ID, q.Page.Cursor = two.ID, page.Next
	_, err = s.Versions.MessageVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "of another message", err, chat.BadCursor)
	q.Page.Cursor = "x"
	_, err = s.Versions.MessageVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "forged", err, chat.BadCursor)
	for _, limit := range []int{0, chat.MaxLimit + 1} {
		q.Page = chat.PageRequest{Limit: limit}
		_, err = s.Versions.MessageVersions(t.Context(), "amsg", q)
		chattest.WantKind(t, "a limit out of range", err, chat.Invalid)
	}
}
