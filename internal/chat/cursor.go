package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A cursor is a position in a list. It is opaque to clients and grants no access, which is checked
// for every page. A cursor is base64 for URLs, without padding, of these bytes:
//
//	version 1 | digest of the scope 8 | field …
//
// A field begins with the uvarint of its length × 4 + its type, followed by as many bytes.
//
// The cursor of a page is short-lived, and a new version may refuse it. A FeedPosition is a cursor
// too, and clients store it for as long as segments are retained: three months by default, ten
// years at most. Version 4 and every later version must therefore decode positions of version 3.
const (
	// cursorVersion is the current version of this format. Versions 1 and 2 were never released.
	cursorVersion = 3
	// cursorDigest is the number of bytes of the scope's SHA-256 in a cursor. They are enough to
	// prevent accidental collisions. A forged cursor gives no more access than a query without one.
	cursorDigest = 8
	// maxCursor is the maximum length of a cursor that is decoded. The longest position, in a list
	// of rooms, takes about 700 bytes: a place of six levels and two room ids.
	maxCursor = 1024
)

var cursorEncoding = base64.RawURLEncoding.Strict()

// The types of fields.
const (
	textField = iota
	bytesField
	intField
	timeField
)

// CursorScope identifies a query: the list, and everything that selects its entries, such as the
// room, filters and bounds. A cursor is valid only in the scope that it was created in.
type CursorScope struct{ fields []byte }

// NewCursorScope returns the scope of a list without filters. Every list has a different name.
func NewCursorScope(list string) CursorScope { return CursorScope{}.Text(list) }

// Text returns s narrowed by a text, which may be empty.
func (s CursorScope) Text(v string) CursorScope { return s.with(textField, []byte(v)) }

// Int returns s narrowed by a number.
func (s CursorScope) Int(v int64) CursorScope { return s.with(intField, intBytes(v)) }

// Time returns s narrowed by an instant. The zero time means that there is none.
func (s CursorScope) Time(v time.Time) CursorScope { return s.with(timeField, timeBytes(v)) }

func (s CursorScope) with(kind uint64, value []byte) CursorScope {
	return CursorScope{appendField(slices.Clip(s.fields), kind, value)}
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

// EncodeCursor returns the cursor for a position within a scope.
func EncodeCursor(s CursorScope, p CursorPosition) string {
	f := &CursorCodec{bytes: append([]byte{cursorVersion}, s.digest()...), writing: true}
	p.CursorFields(f)
	return cursorEncoding.EncodeToString(f.bytes)
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
	f := &CursorCodec{bytes: b[1+cursorDigest:]}
	p.CursorFields(f)
	// Encoding the position again detects what Go's decoders accept: line breaks, and numbers that
	// are longer than necessary.
	if f.invalid || len(f.bytes) > 0 || EncodeCursor(s, p) != cursor {
		return errInvalidCursor()
	}
	return nil
}

// CursorCodec encodes or decodes the fields of a position, one call for each field. Its direction
// is fixed when it is created, by EncodeCursor or DecodeCursor.
type CursorCodec struct {
	writing bool
	bytes   []byte // encoded so far, or still to decode
	invalid bool
}

// Text encodes *v, or decodes a text: valid UTF-8 without a zero byte.
func (f *CursorCodec) Text(v *string) {
	if b := f.field(textField, []byte(*v)); !f.writing {
		*v = string(b)
		f.Check(utf8.ValidString(*v) && !strings.Contains(*v, "\x00"))
	}
}

// Bytes encodes v, or decodes exactly len(v) bytes into it.
func (f *CursorCodec) Bytes(v []byte) {
	if b := f.field(bytesField, v); !f.writing {
		f.Check(copy(v, b) == len(v))
	}
}

// Int encodes *v, or decodes a number.
func (f *CursorCodec) Int(v *int64) {
	if b := f.field(intField, intBytes(*v)); !f.writing {
		var n int
		*v, n = binary.Varint(b)
		f.Check(n == len(b) && n > 0)
	}
}

// Time encodes *v, or decodes an instant within the years that keys can hold, or the zero time.
func (f *CursorCodec) Time(v *time.Time) {
	b := f.field(timeField, timeBytes(*v))
	if f.writing {
		return
	}
	if *v = (time.Time{}); len(b) == 0 {
		return
	}
	seconds, n := binary.Varint(b)
	nanos, m := binary.Uvarint(b[max(0, n):])
	*v = time.Unix(seconds, int64(nanos)).UTC()
	f.Check(n > 0 && m > 0 && nanos < uint64(time.Second) && v.Year() >= 1 && v.Year() <= maxYear)
}

// Check marks the cursor as invalid if ok is false. It has no effect when encoding.
func (f *CursorCodec) Check(ok bool) { f.invalid = f.invalid || !ok }

// field appends a field when encoding, and returns the bytes of the next field when decoding.
func (f *CursorCodec) field(kind uint64, value []byte) []byte {
	if f.writing {
		f.bytes = appendField(f.bytes, kind, value)
		return nil
	}
	head, n := binary.Uvarint(f.bytes)
	length := head / 4
	if n <= 0 || head%4 != kind || length > uint64(len(f.bytes)-n) {
		f.invalid, f.bytes = true, nil
		return nil
	}
	read := f.bytes[n : n+int(length)]
	f.bytes = f.bytes[n+int(length):]
	return read
}

func appendField(b []byte, kind uint64, value []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(value))*4+kind), value...)
}

func intBytes(v int64) []byte { return binary.AppendVarint(nil, v) }

// timeBytes encodes an instant to the nanosecond, because bounds can be that precise. The zero time
// is empty.
func timeBytes(v time.Time) []byte {
	if v.IsZero() {
		return nil
	}
	return binary.AppendUvarint(intBytes(v.Unix()), uint64(v.Nanosecond()))
}

func badCursor(detail string) *Error {
	return &Error{Kind: BadCursor, Field: "cursor", Detail: detail + "; begin again without a cursor"}
}

func errInvalidCursor() *Error { return badCursor("the cursor is invalid") }
