package document

import "example.com/parley/internal/chat"

// VersionPosition is a position in a list of versions, newest first: after the version with this
// number. 0 is the beginning.
type VersionPosition int

// CursorFields implements chat.CursorPosition.
func (p *VersionPosition) CursorFields(f *chat.CursorCodec) {
	number := int64(*p)
	f.Int(&number)
	f.Check(number >= 1 && number <= chat.MaxVersion)
	*p = VersionPosition(number)
}

// From returns the number of the first version of the page, given the newest version. It is less
// than 1 at the end of the list.
func (p VersionPosition) From(newest int) int {
	if p == 0 {
		return newest
	}
	return min(newest, int(p)-1)
}

// Cursor returns the cursor of the page after p; empty after the first version.
func (p VersionPosition) Cursor(s chat.CursorScope) string {
	if p <= 1 {
		return ""
	}
	return chat.EncodeCursor(s, &p)
}
