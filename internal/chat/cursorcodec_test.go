package chat

import (
	"testing"
	"time"
)

// record has a field of each type.
type record struct {
	text   string
	id     [16]byte
	number int64
	at     time.Time
}

func (r *record) fields(f *CursorCodec) {
	f.Text(&r.text)
	f.Bytes(r.id[:])
	f.Int(&r.number)
	f.Time(&r.at)
}

func write(r record) []byte {
	f := newCursorWriter([]byte{})
	r.fields(f)
	return f.written()
}

func read(b []byte) (r record, ok bool) {
	f := newCursorReader(b)
	r.fields(f)
	return r, f.done()
}

func TestCursorCodec_ReadsWhatItWrote(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]record{
		"zero": {}, "a text": {text: "Grüße"}, "a number": {number: -1 << 62},
		"an instant":  {at: time.Date(2018, 8, 29, 12, 0, 0, 1, time.UTC)},
		"the last":    {at: time.Date(maxYear, 12, 31, 23, 59, 59, 999999999, time.UTC)},
		"every field": {text: "a", id: [16]byte{1}, number: 2, at: time.Unix(3, 0).UTC()},
	} {
		if got, ok := read(write(r)); !ok || got != r {
			t.Errorf("%s: %+v is read as %+v, %v", name, r, got, ok)
		}
	}
}

func TestCursorCodec_RefusesWhatIsInvalid(t *testing.T) {
	t.Parallel()
	good := write(record{text: "a"})
	for name, b := range map[string][]byte{
		"nothing": nil, "less": good[:len(good)-1], "more": append(good, 0),
		"a zero byte": write(record{text: "\x00"}), "no UTF-8": write(record{text: "\xff"}),
		"a later year": write(record{at: time.Date(maxYear+1, 1, 1, 0, 0, 0, 0, time.UTC)}),
		"another type": append([]byte{4 + intField, 'a'}, good[2:]...),
	} {
		if r, ok := read(b); ok {
			t.Errorf("%s: is read as %+v", name, r)
		}
	}
	f := newCursorReader(nil)
	if f.Check(false); f.done() {
		t.Error("a failed check is forgotten")
	}
}

// FuzzCursorCodec checks that fields that can be read have the same values when they are written again.
func FuzzCursorCodec(f *testing.F) {
	f.Add(write(record{text: "a", id: [16]byte{1}, number: 2, at: time.Unix(3, 0)}))
	f.Add(write(record{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, ok := read(b)
		if !ok {
			return
		}
		if again, ok := read(write(r)); !ok || again != r {
			t.Errorf("%+v is read again as %+v, %v", r, again, ok)
		}
	})
}
