package document_test

import (
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
)

// TestPosition_RefusesImpossibleVersions decodes correctly encoded positions that cannot be the
// end of a page.
func TestPosition_RefusesImpossibleVersions(t *testing.T) {
	s := chat.NewCursorScope("versions")
	for _, number := range []document.VersionPosition{0, -1, chat.MaxVersion + 1} {
		if err := chat.DecodeCursor(s, chat.EncodeCursor(s, &number), new(document.VersionPosition)); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%d: %v", number, err)
		}
	}
}

// TestPosition_LongestIsDecoded checks that the last position fits in a short cursor.
func TestPosition_LongestIsDecoded(t *testing.T) {
	s := chat.NewCursorScope("versions")
	last := document.VersionPosition(chat.MaxVersion)
	cursor := last.Cursor(s)
	var read document.VersionPosition
	if err := chat.DecodeCursor(s, cursor, &read); err != nil || len(cursor) > 20 || read != last {
		t.Errorf("%d is written in %d bytes and read as %d, %v", last, len(cursor), read, err)
	}
}

// FuzzPosition decodes arbitrary text as a cursor. It is refused, or it is exactly the encoding of
// the decoded position.
func FuzzPosition(f *testing.F) {
	scope := chat.NewCursorScope("versions")
	f.Add(chat.EncodeCursor(scope, new(document.VersionPosition(7))))
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		var p document.VersionPosition
		err := chat.DecodeCursor(scope, cursor, &p)
		if err != nil && chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%q: %v", cursor, err)
		}
		if got := chat.EncodeCursor(scope, &p); err == nil && got != cursor {
			t.Errorf("%q reads as %d, which is written %q", cursor, p, got)
		}
	})
}
