package chat_test

import (
	"testing"

	"example.com/parley/internal/chat"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a": true, ".": true, "\u200b☃": true, "👩\u200d🚀": true, "a\u0301": true, "\u0e01": true, "\U0001FAE9": true,
		"": false, " \u00a0\u3000": false, "\u200b\u200d\u2060\ufeff": false, "\u0301": false, "\ufe0f": false, "\u2800": false,
		"\u115f\u1160\u3164\uffa0": false, "\u00ad": false, "\U000E0041": false, "\u034f": false,
	} {
		if chat.Visible(text) != want {
			t.Errorf("%q is visible: %v", text, !want)
		}
	}
}
