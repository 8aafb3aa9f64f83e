package chat_test

import (
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func TestCheckLine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line string
		good bool
	}{
		"letters":               {"Grüße ☃", true},
		"nothing":               {"", true},
		"a joined emoji":        {"👩\u200d🚀", true},
		"a line feed":           {"a\nb", false},
		"a line separator":      {"a\u2028b", false},
		"a paragraph separator": {"a\u2029b", false},
		"text turned around":    {"a\u202eb", false},
		"an isolate":            {"a\u2066b", false},
		"a direction mark":      {"a\u200fb", false},
		"no UTF-8":              {"a\xff", false},
		"a byte too much":       {"1234567890123", false},
	} {
		if err := chat.CheckLine("name", tt.line, 12); (err == nil) != tt.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPutRoom_NameIsNotBlank(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for name, want := range map[string]bool{"Seattle": true, "": false, "  ": false, "\u00a0\u2003": false} {
		if _, _, err := s.PutRoom(t.Context(), "amsg", "seattle", chat.RoomDraft{Name: &name}); (err == nil) != want || err != nil && chat.KindOf(err) != chat.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}
