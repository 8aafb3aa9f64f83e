package chat

import "testing"

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
		if err := CheckLine("name", tt.line, 12); (err == nil) != tt.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRoomDraft_NameIsNotBlank(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"Seattle": true, "": false, "  ": false, "\u00a0\u2003": false} {
		if err := (RoomDraft{Name: &name}).validate(false); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
