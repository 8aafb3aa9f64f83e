package chat

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"
)

// The types of fields.
const (
	textField = iota
	bytesField
	intField
	timeField
)

// CursorCodec encodes and decodes the fields of a position, one call for each field. Its direction
// is fixed when it is created, so that one list of calls serves both.
//
// A field begins with the uvarint of its length × 4 + its type, followed by as many bytes.
type CursorCodec struct {
	writing bool
	bytes   []byte // encoded so far, or still to decode
	invalid bool
}

// newCursorWriter returns a codec that appends fields to b.
func newCursorWriter(b []byte) *CursorCodec { return &CursorCodec{bytes: b, writing: true} }

// newCursorReader returns a codec that decodes the fields in b.
func newCursorReader(b []byte) *CursorCodec { return &CursorCodec{bytes: b} }

// written returns the bytes of a writer.
func (f *CursorCodec) written() []byte { return f.bytes }

// done reports whether a reader has read all its bytes, and they were valid. Numbers may still be
// longer than a writer makes them.
func (f *CursorCodec) done() bool { return !f.invalid && len(f.bytes) == 0 }

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

// Time encodes *v, or decodes an instant from the year 1 to maxYear, or the zero time.
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

// Check makes a reader invalid if ok is false. It has no effect on a writer.
func (f *CursorCodec) Check(ok bool) { f.invalid = f.invalid || !ok }

// field appends a field when encoding, and returns the bytes of the next field when decoding.
func (f *CursorCodec) field(kind uint64, value []byte) []byte {
	if f.writing {
		f.bytes = binary.AppendUvarint(f.bytes, uint64(len(value))*4+kind)
		f.bytes = append(f.bytes, value...)
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

func intBytes(v int64) []byte { return binary.AppendVarint(nil, v) }

// timeBytes encodes an instant to the nanosecond, because bounds can be that precise. The zero time
// is empty.
func timeBytes(v time.Time) []byte {
	if v.IsZero() {
		return nil
	}
	return binary.AppendUvarint(intBytes(v.Unix()), uint64(v.Nanosecond()))
}
