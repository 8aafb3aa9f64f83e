package chat

import (
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/fields"
)

func messageRanges() *rapid.Generator[MessageRange] {
	return rapid.Custom(func(t *rapid.T) MessageRange {
		s := MessageRange{Room: RoomID(rapid.StringMatching(`[a-z0-9]{1,8}`).Draw(t, "room")), Order: Order(rapid.IntRange(0, 1).Draw(t, "order"))}
		s.User = UserID(rapid.StringMatching(`[a-z#]{0,3}`).Draw(t, "user"))
		if rapid.Bool().Draw(t, "from?") {
			s.From = time.Unix(rapid.Int64Range(0, 1e9).Draw(t, "from"), 0)
		}
		if rapid.Bool().Draw(t, "to?") {
			s.To = time.Unix(rapid.Int64Range(0, 1e9).Draw(t, "to"), 0)
		}
		return s
	})
}

func positionIn(t *rapid.T, s MessageRange) Position {
	sent := time.UnixMilli(rapid.Int64Range(0, 1e13).Draw(t, "sent")).UTC()
	p := Position{At: time.UnixMilli(rapid.Int64Range(0, 1e13).Draw(t, "at")).UTC()}
	p.ID = MessageID{UUID: NewUUID(sent, [10]byte{1}), User: "amsg"}
	if s.User != "" {
		p.ID.User, p.At = s.User, sent
	}
	return p
}

func TestMessageQuery_CursorServesItsOwnQueryOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, other := messageRanges().Draw(t, "range"), messageRanges().Draw(t, "other")
		s.User = UserID(strings.ReplaceAll(string(s.User), "#", "x"))
		p := positionIn(t, s)
		q := MessageQuery{Cursor: EncodeCursor(s.cursorScope(), &messagePosition{s.Order, p})}
		got, err := q.resume(s)
		if err != nil || got.Order != s.Order || *got.After != p {
			t.Fatalf("%s reads as %+v, %v", q.Cursor, got, err)
		}
		same := s.Room == other.Room && s.User == other.User && s.From.Equal(other.From) && s.To.Equal(other.To)
		if _, err := q.resume(other); !same && KindOf(err) != BadCursor {
			t.Fatalf("a cursor of %+v serves %+v", s, other)
		}
	})
}

// TestDecodeCursor_ServesItsOwnScopeOnly checks that a cursor is bound to every part of its scope,
// and to the boundaries between the parts.
func TestDecodeCursor_ServesItsOwnScopeOnly(t *testing.T) {
	scopes := rapid.Custom(func(t *rapid.T) CursorScope {
		s := NewCursorScope(rapid.SampledFrom([]string{"rooms", "members"}).Draw(t, "list"))
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			switch rapid.IntRange(0, 2).Draw(t, "type") {
			case 0:
				s = s.Text(rapid.StringMatching(`[a-c]{0,2}`).Draw(t, "text"))
			case 1:
				s = s.Int(rapid.Int64Range(-1, 2).Draw(t, "number"))
			case 2:
				s = s.Time(time.Unix(0, rapid.Int64Range(-1, 1).Draw(t, "nanos")))
			}
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		s, other := scopes.Draw(t, "scope"), scopes.Draw(t, "other")
		p := ListPosition{Sort: rapid.StringMatching(`[^\x00\x{10FFFF}]{1,60}`).Draw(t, "sort"), ID: rapid.StringMatching(`[^\x00]{0,60}`).Draw(t, "id")}
		cursor := p.Cursor(s)
		var got ListPosition
		if err := DecodeCursor(s, cursor, &got); err != nil || got != p {
			t.Fatalf("%+v reads as %+v, %v", p, got, err)
		}
		err := DecodeCursor(other, cursor, &got)
		if string(other.fields) != string(s.fields) && (err == nil || err.Error() != badCursor("the cursor belongs to another query").Error()) {
			t.Fatalf("a cursor of %q in the scope %q: %v", s.fields, other.fields, err)
		}
	})
}

// TestCursorScope_DistinguishesQueries checks that two scopes have the same fields only if they
// were narrowed in the same way.
func TestCursorScope_DistinguishesQueries(t *testing.T) {
	begin := NewCursorScope("rooms")
	all := map[string]string{}
	for name, s := range map[string]CursorScope{
		"none": begin, "an empty text": begin.Text(""), "two empty texts": begin.Text("").Text(""),
		"ab": begin.Text("ab"), "a and b": begin.Text("a").Text("b"), "b and a": begin.Text("b").Text("a"),
		"a text of 1": begin.Text("\x02"), "1": begin.Int(1), "0": begin.Int(0), "no time": begin.Time(time.Time{}),
		"the time 0": begin.Time(time.Unix(0, 0)), "a nanosecond later": begin.Time(time.Unix(0, 1)), "another list": NewCursorScope("members"),
	} {
		if other := all[string(s.digest())]; other != "" {
			t.Errorf("%s has the digest of %s", name, other)
		}
		all[string(s.digest())] = name
	}
}

// encoded returns a field as it is encoded.
func encoded(field func(*CursorCodec)) []byte {
	f := fields.NewWriter(nil)
	field(f)
	return f.Written()
}

func textField(v string) []byte    { return encoded(func(f *CursorCodec) { f.Text(&v) }) }
func bytesField(v []byte) []byte   { return encoded(func(f *CursorCodec) { f.Bytes(v) }) }
func intField(v int64) []byte      { return encoded(func(f *CursorCodec) { f.Int(&v) }) }
func timeField(v time.Time) []byte { return encoded(func(f *CursorCodec) { f.Time(&v) }) }

func TestDecodeCursor_RefusesOtherSpellings(t *testing.T) {
	s := MessageRange{Room: "seattle"}.cursorScope()
	id := NewUUID(time.UnixMilli(1), [10]byte{})
	order, at := intField(0), timeField(time.UnixMilli(1))
	uuid, user := bytesField(id[:]), textField("amsg")
	spell := func(parts ...[]byte) string {
		return cursorEncoding.EncodeToString(slices.Concat([]byte{cursorVersion}, s.digest(), slices.Concat(parts...)))
	}
	version := func(v byte) string {
		return cursorEncoding.EncodeToString(slices.Concat([]byte{v}, s.digest(), order, at, uuid, user))
	}
	good := spell(order, at, uuid, user)
	if err := DecodeCursor(s, good, new(messagePosition)); err != nil {
		t.Fatal(err)
	}
	odd := id
	odd[6] = 0x40
	long := binary.AppendUvarint(nil, 1<<62) // a length beyond every int
	for name, cursor := range map[string]string{
		"empty": "", "no base64": "!", "padded": good + "=", "cut": good[:20], "without fields": spell(), "long": strings.Repeat("A", 10_000),
		"with a line break": good[:20] + "\r" + good[20:], "ended by a newline": good + "\n",
		"of version 0": version(0), "of version 1": version(1), "of version 2": version(2), "of a later version": version(cursorVersion + 1),
		"of another scope":       EncodeCursor(s.Text(""), &messagePosition{Position: Position{At: time.UnixMilli(1), ID: MessageID{id, "amsg"}}}),
		"of another order":       spell(intField(2), at, uuid, user),
		"of an order before all": spell(intField(-1), at, uuid, user),
		"of a long order":        spell([]byte{2*4 + 2, 0x80, 0}, at, uuid, user),
		"of no order":            spell([]byte{2}, at, uuid, user),
		"with a long head":       spell([]byte{order[0] | 0x80, 0, order[1]}, at, uuid, user),
		"of a time far ahead":    spell(order, timeField(time.Unix(1<<60, 0)), uuid, user),
		"of a time before time":  spell(order, timeField(time.Unix(-1<<60, 0)), uuid, user),
		"of a microsecond":       spell(order, timeField(time.UnixMicro(1)), uuid, user),
		"of half a time":         spell(order, []byte{1*4 + 3, 2}, uuid, user),
		"of no version 7":        spell(order, at, bytesField(odd[:]), user),
		"of a short UUID":        spell(order, at, bytesField(id[:15]), user),
		"of a long UUID":         spell(order, at, bytesField(append(id[:], 0)), user),
		"of no user":             spell(order, at, uuid),
		"of an empty user":       spell(order, at, uuid, textField("")),
		"of an odd user":         spell(order, at, uuid, textField("am#g")),
		"of a user in bytes":     spell(order, at, uuid, bytesField([]byte("amsg"))),
		"of fields in disorder":  spell(at, order, uuid, user),
		"with more":              spell(order, at, uuid, user, user),
		"with half a field more": spell(order, at, uuid, user, []byte{8}),
		"of a huge length":       spell(long), "of an endless length": spell([]byte{0x80}),
	} {
		if err := DecodeCursor(s, cursor, new(messagePosition)); KindOf(err) != BadCursor {
			t.Errorf("a cursor %s: %v", name, err)
		}
	}
}

func TestListPosition_RefusesImpossibleKeys(t *testing.T) {
	s := NewCursorScope("rooms")
	for _, p := range []ListPosition{{ID: "a"}, {Sort: "a\x00b"}, {Sort: "a", ID: "\x00"}, {Sort: "\xff"}, {Sort: "a", ID: "\xff"}, {Sort: "a" + string(LastRune)}} {
		if err := DecodeCursor(s, EncodeCursor(s, &p), new(ListPosition)); KindOf(err) != BadCursor {
			t.Errorf("%+q: %v", p, err)
		}
	}
}

func TestMessageQuery_CursorIsBoundToEachField(t *testing.T) {
	at := time.UnixMilli(1).UTC()
	p := messagePosition{Newest, Position{At: at, ID: MessageID{NewUUID(at, [10]byte{}), "amsg"}}}
	whole := MessageRange{Room: "seattle", User: "amsg", From: at, To: at.Add(time.Hour)}
	q := MessageQuery{Cursor: EncodeCursor(whole.cursorScope(), &p)}
	if _, err := q.resume(whole); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*MessageRange){
		"room": func(s *MessageRange) { s.Room = "tacoma" }, "user": func(s *MessageRange) { s.User = "bob" },
		"from": func(s *MessageRange) { s.From = at.Add(time.Nanosecond) }, "to": func(s *MessageRange) { s.To = time.Time{} },
	} {
		other := whole
		change(&other)
		if _, err := q.resume(other); KindOf(err) != BadCursor {
			t.Errorf("another %s: %v", name, err)
		}
	}
	other, late := p, p
	other.ID.User, late.At = "bob", at.Add(time.Second)
	for name, forged := range map[string]messagePosition{"another's message": other, "a time that is not the id's": late} {
		q := MessageQuery{Cursor: EncodeCursor(whole.cursorScope(), &forged)}
		if _, err := q.resume(whole); KindOf(err) != BadCursor {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEncodeCursor_LongestPositionIsDecoded checks that the longest possible positions fit in a
// cursor that is accepted.
func TestEncodeCursor_LongestPositionIsDecoded(t *testing.T) {
	s := NewCursorScope("rooms")
	id := strings.Repeat("x", MaxRoomID)
	place := strings.Repeat(strings.Repeat("x", MaxPlaceLevel)+"#", MaxPlaceLevels)
	message := messagePosition{Oldest, Position{
		At: time.Date(maxYear, 12, 31, 23, 59, 59, 999e6, time.UTC), ID: MessageID{NewUUID(time.UnixMilli(1), [10]byte{}), UserID(id)},
	}}
	for _, tt := range []struct {
		position, read CursorPosition
		most           int
	}{
		{&ListPosition{Sort: place + id, ID: id}, new(ListPosition), 800},
		{&message, new(messagePosition), 142},
		{&instant{time.Date(maxYear, 12, 31, 23, 59, 59, 999999e3, time.UTC)}, new(instant), 28},
	} {
		cursor := EncodeCursor(s, tt.position)
		if err := DecodeCursor(s, cursor, tt.read); err != nil || len(cursor) > tt.most || !reflect.DeepEqual(tt.read, tt.position) {
			t.Errorf("%+v is written in %d bytes and read as %+v, %v", tt.position, len(cursor), tt.read, err)
		}
	}
}

// FuzzDecodeCursor decodes any text as a cursor of each form. It is refused, or it is exactly the
// encoding of the decoded position.
func FuzzDecodeCursor(f *testing.F) {
	scope := NewCursorScope("rooms").Text("")
	id := MessageID{UUID: NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}
	for _, p := range []CursorPosition{
		&ListPosition{Sort: "USA#seattle", ID: "seattle"},
		&instant{time.UnixMicro(1)}, &messagePosition{Oldest, Position{At: time.UnixMilli(1), ID: id}},
	} {
		f.Add("", EncodeCursor(scope, p))
		f.Add("", EncodeCursor(scope, p)+"\r\n")
	}
	f.Add("", "AAAA")
	f.Add("amsg", "AQDh2w7plY9odQAA0000000000000000c0200000000000\r0") // of version 1, with a line break
	f.Fuzz(func(t *testing.T, part, cursor string) {
		scope := NewCursorScope("rooms").Text(part)
		for _, p := range []CursorPosition{new(ListPosition), new(instant), new(messagePosition)} {
			err := DecodeCursor(scope, cursor, p)
			if err != nil && KindOf(err) != BadCursor {
				t.Errorf("%q: %v", cursor, err)
			}
			if got := EncodeCursor(scope, p); err == nil && got != cursor {
				t.Errorf("%q reads as %+v, which is written %q", cursor, p, got)
			}
		}
	})
}

// instant is a position of one time to the microsecond, as the logs of another package have.
type instant struct{ at time.Time }

func (p *instant) CursorFields(f *CursorCodec) {
	f.Time(&p.at)
	f.Check(!p.at.IsZero() && p.at.Equal(p.at.Truncate(time.Microsecond)))
}
