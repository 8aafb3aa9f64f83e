package chat

import (
	"strings"
)

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// Next is the cursor of the next page; empty at the end.
	Next string
}

// PageRequest selects a page of a list.
type PageRequest struct {
	Limit  int    // the most items in the page, 1 to MaxLimit
	Cursor string // Next of the page before; empty for the first page
}

// Read checks the request and sets p to the position behind which the page begins. For the first page
// it leaves p as it is.
//
// Invalid for a limit out of range, BadCursor for a cursor of another scope.
func (r PageRequest) Read(s CursorScope, p CursorPosition) error {
	if r.Limit < 1 || r.Limit > MaxLimit {
		return Invalidf("limit", "must be 1 to %d", MaxLimit)
	}
	if r.Cursor == "" {
		return nil
	}
	return DecodeCursor(s, r.Cursor, p)
}

// After returns the position behind which the page begins, which is the zero ListPosition for the
// first page. valid reports whether the list can hold the position: anyone can make up a cursor, so a
// position must not reach the store unchecked.
func (r PageRequest) After(s CursorScope, valid func(ListPosition) bool) (ListPosition, error) {
	var p ListPosition
	if err := r.Read(s, &p); err != nil {
		return ListPosition{}, err
	}
	if p != (ListPosition{}) && !valid(p) {
		return ListPosition{}, errInvalidCursor()
	}
	return p, nil
}

// ListPosition is a position in a list of rooms, people, members, documents or parts: behind the
// entry of this sort key and, where sort keys repeat, of this id. The zero value is the beginning of a
// list that is asked for, and the end of one that is returned.
type ListPosition struct {
	Sort string
	ID   string
}

// CursorFields implements CursorPosition.
func (p *ListPosition) CursorFields(f *CursorFields) {
	f.Text(&p.Sort)
	f.Text(&p.ID)
	f.Check(p.Sort != "" && !strings.ContainsRune(p.Sort, LastRune))
}

// Cursor returns the cursor of the page behind p; empty at the end of the list.
func (p ListPosition) Cursor(s CursorScope) string {
	if p == (ListPosition{}) {
		return ""
	}
	return EncodeCursor(s, &p)
}

// VersionPosition is a position in a list of versions, newest first: behind the version of this
// number. 0 is the beginning.
type VersionPosition int

// CursorFields implements CursorPosition.
func (p *VersionPosition) CursorFields(f *CursorFields) {
	number := int64(*p)
	f.Int(&number)
	f.Check(number >= 1 && number <= MaxVersion)
	*p = VersionPosition(number)
}

// From returns the first version of the page, given the newest that there is; less than 1 behind the
// first version.
func (p VersionPosition) From(newest int) int {
	if p == 0 {
		return newest
	}
	return min(newest, int(p)-1)
}

// Cursor returns the cursor of the page behind p; empty behind the first version.
func (p VersionPosition) Cursor(s CursorScope) string {
	if p <= 1 {
		return ""
	}
	return EncodeCursor(s, &p)
}
