package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"
)

// A cursor is a position in a list. It is opaque to clients and grants no access, which is checked
// for every page. A cursor is base64 for URLs, without padding, of these bytes:
//
//	version 1 | digest of the scope 8 | fields, see package fields
//
// The cursor of a page is short-lived, and a new version may refuse it. A FeedPosition is also a
// cursor, but clients store it for as long as segments are retained: three months by default, ten
// years at most. Version 4 and every later version must therefore decode positions of version 3.
const (
	// cursorVersion is the current version of this format. Versions 1 and 2 were never released.
	cursorVersion = 3
	// cursorDigest is the number of bytes of the scope's SHA-256 in a cursor. They are enough to
	// prevent accidental collisions. A forged cursor gives no more access than a query without one.
	cursorDigest = 8
	// maxCursor is the maximum length of a cursor that is decoded. The longest position, in a list
	// of rooms, is about 700 bytes long: a place of six levels and two room ids.
	maxCursor = 1024
)

var cursorEncoding = base64.RawURLEncoding.Strict()

// CursorScope identifies a query: the list, and everything that selects its entries, such as the
// room, filters and bounds. A cursor is valid only in the scope that it was created in.
type CursorScope struct{ fields []byte }

// NewCursorScope returns the scope of a list without filters. Every list has a different name.
func NewCursorScope(list string) CursorScope { return CursorScope{}.Text(list) }

// Text returns s narrowed by a text, which may be empty.
func (s CursorScope) Text(v string) CursorScope {
	return s.with(func(f *CursorCodec) { f.Text(&v) })
}

// Int returns s narrowed by a number.
func (s CursorScope) Int(v int64) CursorScope { return s.with(func(f *CursorCodec) { f.Int(&v) }) }

// Time returns s narrowed by an instant. The zero time stands for no time.
func (s CursorScope) Time(v time.Time) CursorScope {
	return s.with(func(f *CursorCodec) { f.Time(&v) })
}

func (s CursorScope) with(field func(*CursorCodec)) CursorScope {
	f := newCursorWriter(slices.Clip(s.fields))
	field(f)
	return CursorScope{f.written()}
}

func (s CursorScope) digest() []byte {
	sum := sha256.Sum256(s.fields)
	return sum[:cursorDigest]
}

// CursorPosition is a position in a list that can be encoded as a cursor.
type CursorPosition interface {
	// CursorFields passes a pointer to each field of the position to f, always in the same order.
	// It is called both to encode and to decode: f either reads the fields or sets them. Afterwards
	// the method checks their values.
	CursorFields(f *CursorCodec)
}

// UserPosition is the position of a person in a list that is ordered by user id.
type UserPosition UserID

// CursorFields implements CursorPosition.
func (p *UserPosition) CursorFields(f *CursorCodec) {
	f.Text((*string)(p))
	_, err := StoredUserID(string(*p))
	f.Check(err == nil)
}

// EncodeCursor returns the cursor for a position in a scope.
func EncodeCursor(s CursorScope, p CursorPosition) string {
	f := newCursorWriter(append([]byte{cursorVersion}, s.digest()...))
	p.CursorFields(f)
	return cursorEncoding.EncodeToString(f.written())
}

// DecodeCursor sets p to the position that EncodeCursor encoded for the same scope. It returns
// BadCursor for any other text. Each position has exactly one valid cursor, so other encodings of
// the same bytes are refused too.
func DecodeCursor(s CursorScope, cursor string, p CursorPosition) error {
	if len(cursor) > maxCursor {
		return badCursor("the cursor is too long")
	}
	b, err := cursorEncoding.DecodeString(cursor)
	if err != nil || len(b) < 1+cursorDigest || b[0] != cursorVersion {
		return errInvalidCursor()
	}
	if !bytes.Equal(b[1:1+cursorDigest], s.digest()) {
		return badCursor("the cursor belongs to another query")
	}
	f := newCursorReader(b[1+cursorDigest:])
	p.CursorFields(f)
	// Encoding the position again detects what Go's decoders accept: line breaks, and numbers that
	// are longer than necessary.
	if !f.done() || EncodeCursor(s, p) != cursor {
		return errInvalidCursor()
	}
	return nil
}

func badCursor(detail string) *Error {
	return &Error{Kind: BadCursor, Field: "cursor", Detail: detail + "; begin again without a cursor"}
}

func errInvalidCursor() *Error { return badCursor("the cursor is invalid") }

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

// FeedPosition is a client's position in a room's feed. The zero FeedPosition is the beginning.
type FeedPosition struct {
	Seq int64 // the last sequence number that the client has seen
	// Generation is the generation of the feed in which Seq was assigned. A number is not enough,
	// because a restored table assigns the same numbers to other changes.
	Generation string
}

// Text returns p as opaque text for clients, in the format of a cursor. It is bound to the room,
// because the feeds of all rooms share numbers and usually a generation.
//
// Clients store it for as long as segments are retained. Later versions must still decode it;
// otherwise every client starts over.
func (p FeedPosition) Text(room RoomID) string { return EncodeCursor(positionScope(room), &p) }

// ParseFeedPosition parses the text that FeedPosition.Text returns for the same room. Any other
// text is Invalid.
func ParseFeedPosition(room RoomID, text string) (FeedPosition, error) {
	var p FeedPosition
	if DecodeCursor(positionScope(room), text, &p) != nil {
		return FeedPosition{}, Invalidf(
			"since",
			"must be the since of an answer about this room, unchanged; leave it out to read from the beginning",
		)
	}
	return p, nil
}

// CursorFields implements CursorPosition.
func (p *FeedPosition) CursorFields(f *CursorCodec) {
	f.Int(&p.Seq)
	f.Text(&p.Generation)
	f.Check(p.Seq >= 0 && p.Seq <= MaxSeq)
}

func positionScope(room RoomID) CursorScope { return NewCursorScope("feed").Text(string(room)) }
