package chat_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

func messageRanges() *rapid.Generator[chat.MessageRange] {
	return rapid.Custom(func(t *rapid.T) chat.MessageRange {
		s := chat.MessageRange{Room: chat.RoomID(rapid.StringMatching(`[a-z0-9]{1,8}`).Draw(t, "room")), Order: chat.Order(rapid.IntRange(0, 1).Draw(t, "order"))}
		s.User = chat.UserID(rapid.StringMatching(`[a-z#]{0,3}`).Draw(t, "user"))
		if rapid.Bool().Draw(t, "from?") {
			s.From = time.Unix(rapid.Int64Range(0, 1e9).Draw(t, "from"), 0)
		}
		if rapid.Bool().Draw(t, "to?") {
			s.To = time.Unix(rapid.Int64Range(0, 1e9).Draw(t, "to"), 0)
		}
		if s.To.Before(s.From) && !s.To.IsZero() {
			s.From, s.To = s.To, s.From
		}
		return s
	})
}

// cursorAt returns the cursor of a position among messages.
func cursorAt(s chat.MessageRange, p chat.Position) string {
	s.After = &p
	return s.CursorAfter(nil)
}

// resume returns the range that a cursor continues.
func resume(s chat.MessageRange, cursor string) (chat.MessageRange, error) {
	return chat.MessageQuery{Room: s.Room, User: s.User, From: s.From, To: s.To, Cursor: cursor, Limit: 1}.Range()
}

func positionIn(t *rapid.T, s chat.MessageRange) chat.Position {
	sent := time.UnixMilli(rapid.Int64Range(0, 1e13).Draw(t, "sent")).UTC()
	p := chat.Position{At: time.UnixMilli(rapid.Int64Range(0, 1e13).Draw(t, "at")).UTC()}
	p.ID = chat.MessageID{UUID: chat.NewUUID(sent, [10]byte{1}), User: "amsg"}
	if s.User != "" {
		p.ID.User, p.At = s.User, sent
	}
	return p
}

func TestMessageQuery_CursorServesItsOwnQueryOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, other := messageRanges().Draw(t, "range"), messageRanges().Draw(t, "other")
		s.User = chat.UserID(strings.ReplaceAll(string(s.User), "#", "x"))
		p := positionIn(t, s)
		cursor := cursorAt(s, p)
		got, err := resume(s, cursor)
		if err != nil || got.Order != s.Order || *got.After != p {
			t.Fatalf("%s reads as %+v, %v", cursor, got, err)
		}
		same := s.Room == other.Room && s.User == other.User && s.From.Equal(other.From) && s.To.Equal(other.To)
		if _, err := resume(other, cursor); !same && chat.KindOf(err) != chat.BadCursor {
			t.Fatalf("a cursor of %+v serves %+v", s, other)
		}
	})
}

// TestDecodeCursor_ServesItsOwnScopeOnly checks that a cursor is bound to every part of its scope,
// and to the boundaries between the parts.
func TestDecodeCursor_ServesItsOwnScopeOnly(t *testing.T) {
	type scope struct {
		chat.CursorScope
		parts string
	}
	scopes := rapid.Custom(func(t *rapid.T) scope {
		list := rapid.SampledFrom([]string{"rooms", "members"}).Draw(t, "list")
		s, parts := chat.NewCursorScope(list), []string{list}
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			switch rapid.IntRange(0, 2).Draw(t, "type") {
			case 0:
				text := rapid.StringMatching(`[a-c]{0,2}`).Draw(t, "text")
				s, parts = s.Text(text), append(parts, "text "+text)
			case 1:
				n := rapid.Int64Range(-1, 2).Draw(t, "number")
				s, parts = s.Int(n), append(parts, fmt.Sprint("number ", n))
			case 2:
				at := time.Unix(0, rapid.Int64Range(-1, 1).Draw(t, "nanos"))
				s, parts = s.Time(at), append(parts, fmt.Sprint("time ", at.UnixNano()))
			}
		}
		return scope{s, strings.Join(parts, ", ")}
	})
	rapid.Check(t, func(t *rapid.T) {
		s, other := scopes.Draw(t, "scope"), scopes.Draw(t, "other")
		p := chat.ListPosition{Sort: rapid.StringMatching(`[^\x00\x{10FFFF}]{1,60}`).Draw(t, "sort"), ID: rapid.StringMatching(`[^\x00]{0,60}`).Draw(t, "id")}
		cursor := p.Cursor(s.CursorScope)
		var got chat.ListPosition
		if err := chat.DecodeCursor(s.CursorScope, cursor, &got); err != nil || got != p {
			t.Fatalf("%+v reads as %+v, %v", p, got, err)
		}
		err := chat.DecodeCursor(other.CursorScope, cursor, &got)
		if other.parts != s.parts && (err == nil || !strings.Contains(err.Error(), "the cursor belongs to another query")) {
			t.Fatalf("a cursor of %s in the scope %s: %v", s.parts, other.parts, err)
		}
	})
}

// TestCursorScope_DistinguishesQueries checks that two scopes have the same fields only if they
// were narrowed in the same way.
func TestCursorScope_DistinguishesQueries(t *testing.T) {
	begin := chat.NewCursorScope("rooms")
	all := map[string]string{}
	for name, s := range map[string]chat.CursorScope{
		"none": begin, "an empty text": begin.Text(""), "two empty texts": begin.Text("").Text(""),
		"ab": begin.Text("ab"), "a and b": begin.Text("a").Text("b"), "b and a": begin.Text("b").Text("a"),
		"a text of 1": begin.Text("\x02"), "1": begin.Int(1), "0": begin.Int(0), "no time": begin.Time(time.Time{}),
		"the time 0": begin.Time(time.Unix(0, 0)), "a nanosecond later": begin.Time(time.Unix(0, 1)), "another list": chat.NewCursorScope("members"),
	} {
		cursor := chat.EncodeCursor(s, &instant{time.UnixMicro(1)})
		if other := all[cursor]; other != "" {
			t.Errorf("%s has the cursors of %s", name, other)
		}
		all[cursor] = name
	}
}

func textField(v string) []byte  { return chat.EncodedFields(func(f *chat.CursorCodec) { f.Text(&v) }) }
func bytesField(v []byte) []byte { return chat.EncodedFields(func(f *chat.CursorCodec) { f.Bytes(v) }) }
func intField(v int64) []byte    { return chat.EncodedFields(func(f *chat.CursorCodec) { f.Int(&v) }) }
func timeField(v time.Time) []byte {
	return chat.EncodedFields(func(f *chat.CursorCodec) { f.Time(&v) })
}

func TestDecodeCursor_RefusesOtherSpellings(t *testing.T) {
	s := chat.MessageRange{Room: "seattle"}
	id := chat.NewUUID(time.UnixMilli(1), [10]byte{})
	order, at := intField(0), timeField(time.UnixMilli(1))
	uuid, user := bytesField(id[:]), textField("amsg")
	good := cursorAt(s, chat.Position{At: time.UnixMilli(1), ID: chat.MessageID{UUID: id, User: "amsg"}})
	encoding := base64.RawURLEncoding
	whole, err := encoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	head := whole[:9] // the version, and the digest of the scope
	spell := func(parts ...[]byte) string {
		return encoding.EncodeToString(slices.Concat(head, slices.Concat(parts...)))
	}
	version := func(v byte) string {
		return encoding.EncodeToString(slices.Concat([]byte{v}, whole[1:]))
	}
	if _, err := resume(s, good); err != nil || spell(order, at, uuid, user) != good {
		t.Fatal(good, err)
	}
	odd := id
	odd[6] = 0x40
	long := binary.AppendUvarint(nil, 1<<62) // a length beyond every int
	for name, cursor := range map[string]string{
		"no base64": "!", "padded": good + "=", "cut": good[:20], "without fields": spell(), "long": strings.Repeat("A", 10_000),
		"with a line break": good[:20] + "\r" + good[20:], "ended by a newline": good + "\n",
		"of version 0": version(0), "of version 1": version(1), "of version 2": version(2), "of a later version": version(head[0] + 1),
		"of another scope":       cursorAt(chat.MessageRange{Room: "tacoma"}, chat.Position{At: time.UnixMilli(1), ID: chat.MessageID{UUID: id, User: "amsg"}}),
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
		if _, err := resume(s, cursor); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("a cursor %s: %v", name, err)
		}
	}
}

func TestListPosition_RefusesImpossibleKeys(t *testing.T) {
	s := chat.NewCursorScope("rooms")
	if err := chat.DecodeCursor(s, "", new(chat.ListPosition)); chat.KindOf(err) != chat.BadCursor {
		t.Errorf("an empty cursor: %v", err)
	}
	for _, p := range []chat.ListPosition{{ID: "a"}, {Sort: "a\x00b"}, {Sort: "a", ID: "\x00"}, {Sort: "\xff"}, {Sort: "a", ID: "\xff"}, {Sort: "a" + string(chat.LastRune)}} {
		if err := chat.DecodeCursor(s, chat.EncodeCursor(s, &p), new(chat.ListPosition)); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%+q: %v", p, err)
		}
	}
}

func TestMessageQuery_CursorIsBoundToEachField(t *testing.T) {
	at := time.UnixMilli(1).UTC()
	p := chat.Position{At: at, ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{}), User: "amsg"}}
	whole := chat.MessageRange{Room: "seattle", User: "amsg", From: at, To: at.Add(time.Hour)}
	cursor := cursorAt(whole, p)
	if _, err := resume(whole, cursor); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*chat.MessageRange){
		"room": func(s *chat.MessageRange) { s.Room = "tacoma" }, "user": func(s *chat.MessageRange) { s.User = "bob" },
		"from": func(s *chat.MessageRange) { s.From = at.Add(time.Nanosecond) }, "to": func(s *chat.MessageRange) { s.To = time.Time{} },
	} {
		other := whole
		change(&other)
		if _, err := resume(other, cursor); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("another %s: %v", name, err)
		}
	}
	other, late := p, p
	other.ID.User, late.At = "bob", at.Add(time.Second)
	for name, forged := range map[string]chat.Position{"another's message": other, "a time that is not the id's": late} {
		if _, err := resume(whole, cursorAt(whole, forged)); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEncodeCursor_LongestPositionIsDecoded checks that the longest possible positions fit in a
// cursor that is accepted.
func TestEncodeCursor_LongestPositionIsDecoded(t *testing.T) {
	s := chat.NewCursorScope("rooms")
	id := strings.Repeat("x", chat.MaxRoomID)
	place := strings.Repeat(strings.Repeat("x", chat.MaxPlaceLevel)+"#", chat.MaxPlaceLevels)
	message := chat.Position{
		At: time.Date(chat.MaxYear, 12, 31, 23, 59, 59, 999e6, time.UTC),
		ID: chat.MessageID{UUID: chat.NewUUID(time.UnixMilli(1), [10]byte{}), User: chat.UserID(id)},
	}
	cursor := cursorAt(chat.MessageRange{Order: chat.Oldest}, message)
	if got, err := resume(chat.MessageRange{}, cursor); err != nil || len(cursor) > 142 || *got.After != message {
		t.Errorf("%+v is written in %d bytes and read as %+v, %v", message, len(cursor), got, err)
	}
	for _, tt := range []struct {
		position, read chat.CursorPosition
		most           int
	}{
		{&chat.ListPosition{Sort: place + id, ID: id}, new(chat.ListPosition), 800},
		{&instant{time.Date(chat.MaxYear, 12, 31, 23, 59, 59, 999999e3, time.UTC)}, new(instant), 28},
	} {
		cursor := chat.EncodeCursor(s, tt.position)
		if err := chat.DecodeCursor(s, cursor, tt.read); err != nil || len(cursor) > tt.most || !reflect.DeepEqual(tt.read, tt.position) {
			t.Errorf("%+v is written in %d bytes and read as %+v, %v", tt.position, len(cursor), tt.read, err)
		}
	}
}

// FuzzDecodeCursor decodes arbitrary text as a cursor of each form. It is refused, or it is
// exactly the encoding of the decoded position.
func FuzzDecodeCursor(f *testing.F) {
	scope := chat.NewCursorScope("rooms").Text("")
	id := chat.MessageID{UUID: chat.NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}
	for _, p := range []chat.CursorPosition{
		&chat.ListPosition{Sort: "USA#seattle", ID: "seattle"},
		&instant{time.UnixMicro(1)},
	} {
		f.Add("", chat.EncodeCursor(scope, p))
		f.Add("", chat.EncodeCursor(scope, p)+"\r\n")
	}
	f.Add("", cursorAt(chat.MessageRange{Order: chat.Oldest}, chat.Position{At: time.UnixMilli(1), ID: id}))
	f.Add("", "AAAA")
	f.Add("amsg", "AQDh2w7plY9odQAA0000000000000000c0200000000000\r0") // of version 1, with a line break
	f.Fuzz(func(t *testing.T, part, cursor string) {
		scope := chat.NewCursorScope("rooms").Text(part)
		for _, p := range []chat.CursorPosition{new(chat.ListPosition), new(instant)} {
			err := chat.DecodeCursor(scope, cursor, p)
			if err != nil && chat.KindOf(err) != chat.BadCursor {
				t.Errorf("%q: %v", cursor, err)
			}
			if got := chat.EncodeCursor(scope, p); err == nil && got != cursor {
				t.Errorf("%q reads as %+v, which is written %q", cursor, p, got)
			}
		}
		if cursor == "" {
			return
		}
		r, err := resume(chat.MessageRange{Room: chat.RoomID(part)}, cursor)
		if err != nil && chat.KindOf(err) != chat.BadCursor || err == nil && r.CursorAfter(nil) != cursor {
			t.Errorf("%q reads as %+v, %v", cursor, r, err)
		}
	})
}

// instant is a position of one time to the microsecond, as in the logs of another package.
type instant struct{ at time.Time }

func (p *instant) CursorFields(f *chat.CursorCodec) {
	f.Time(&p.at)
	f.Check(!p.at.IsZero() && p.at.Equal(p.at.Truncate(time.Microsecond)))
}
