package chat_test

import (
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

// TestPosition_RefusesImpossibleVersions decodes correctly encoded positions that cannot be the
// end of a page.
func TestPosition_RefusesImpossibleVersions(t *testing.T) {
	s := chat.NewCursorScope("versions")
	for _, number := range []chat.VersionPosition{0, -1, chat.MaxVersion + 1} {
		if err := chat.DecodeCursor(s, chat.EncodeCursor(s, &number), new(chat.VersionPosition)); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%d: %v", number, err)
		}
	}
}

// TestPosition_LongestIsDecoded checks that the last position fits in a short cursor.
func TestPosition_LongestIsDecoded(t *testing.T) {
	s := chat.NewCursorScope("versions")
	last := chat.VersionPosition(chat.MaxVersion)
	cursor := last.Cursor(s)
	var read chat.VersionPosition
	if err := chat.DecodeCursor(s, cursor, &read); err != nil || len(cursor) > 20 || read != last {
		t.Errorf("%d is written in %d bytes and read as %d, %v", last, len(cursor), read, err)
	}
}

// FuzzPosition decodes arbitrary text as a cursor. It is refused, or it is exactly the encoding of
// the decoded position.
func FuzzPosition(f *testing.F) {
	scope := chat.NewCursorScope("versions")
	f.Add(chat.EncodeCursor(scope, new(chat.VersionPosition(7))))
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		var p chat.VersionPosition
		err := chat.DecodeCursor(scope, cursor, &p)
		if err != nil && chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%q: %v", cursor, err)
		}
		if got := chat.EncodeCursor(scope, &p); err == nil && got != cursor {
			t.Errorf("%q reads as %d, which is written %q", cursor, p, got)
		}
	})
}

// editedOnce posts a message in seattle and edits it.
func editedOnce(t *testing.T, s *app.Services) chat.Message {
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
	one, two := editedOnce(t, s), editedOnce(t, s)
	q := chat.VersionQuery{Room: "seattle", ID: one.ID, Page: chat.PageRequest{Limit: 1}}
	page, err := s.MessageVersions(t.Context(), "amsg", q)
	if err != nil || page.Next == "" {
		t.Fatal(page, err)
	}
	q.ID, q.Page.Cursor = two.ID, page.Next
	_, err = s.MessageVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "of another message", err, chat.BadCursor)
	q.Page.Cursor = "x"
	_, err = s.MessageVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "forged", err, chat.BadCursor)
	for _, limit := range []int{0, chat.MaxLimit + 1} {
		q.Page = chat.PageRequest{Limit: limit}
		_, err = s.MessageVersions(t.Context(), "amsg", q)
		chattest.WantKind(t, "a limit out of range", err, chat.Invalid)
	}
}
