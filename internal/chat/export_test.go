package chat

// MaxYear is the last year that a cursor can represent.
const MaxYear = maxYear

// EncodedFields returns fields as a cursor encodes them.
func EncodedFields(fields func(*CursorCodec)) []byte {
	f := newCursorWriter(nil)
	fields(f)
	return f.written()
}
