package chat_test

import (
	"strings"
	"testing"

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
