package chat

import "strings"

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// Next is the cursor of the next page; empty at the end.
	Next string
}

// PageRequest requests a page of a list.
type PageRequest struct {
	Limit  int    // the maximum number of items, 1 to MaxLimit
	Cursor string // Next of the previous page; empty for the first page
}

// Read checks the request and sets p to the position after which the page begins. For the first
// page it does not change p.
//
// The error is Invalid for a limit out of range, and BadCursor for a cursor of another scope.
func (r PageRequest) Read(s CursorScope, p CursorPosition) error {
	if r.Limit < 1 || r.Limit > MaxLimit {
		return Invalidf("limit", "must be 1 to %d", MaxLimit)
	}
	if r.Cursor == "" {
		return nil
	}
	return DecodeCursor(s, r.Cursor, p)
}

// After is Read for a list whose positions are ListPositions. It returns the position after which
// the page begins: the zero ListPosition for the first page. valid reports whether the list can
// contain a position. Anyone can forge a cursor, so a position must not reach the store unchecked.
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

// ListPosition is a position in a list of rooms, people, members, documents or parts. It follows
// the entry with this sort key and, if sort keys repeat, with this id. As a start the zero value
// is the beginning of the list; as a result it is the end.
type ListPosition struct {
	Sort string
	ID   string
}

// CursorFields implements CursorPosition.
func (p *ListPosition) CursorFields(f *CursorCodec) {
	f.Text(&p.Sort)
	f.Text(&p.ID)
	f.Check(p.Sort != "" && !strings.ContainsRune(p.Sort, LastRune))
}

// Cursor returns the cursor of the page after p; empty at the end of the list.
func (p ListPosition) Cursor(s CursorScope) string {
	if p == (ListPosition{}) {
		return ""
	}
	return EncodeCursor(s, &p)
}
