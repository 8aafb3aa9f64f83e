package chat

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestATimePrefixIsAHalfOpenRange(t *testing.T) {
	for prefix, want := range map[string][2]string{
		"2018":                {"2018-01-01T00:00:00Z", "2019-01-01T00:00:00Z"},
		"9999":                {"9999-01-01T00:00:00Z", ""},
		"2018-12":             {"2018-12-01T00:00:00Z", "2019-01-01T00:00:00Z"},
		"2016-02":             {"2016-02-01T00:00:00Z", "2016-03-01T00:00:00Z"},
		"2018-01-31":          {"2018-01-31T00:00:00Z", "2018-02-01T00:00:00Z"},
		"2018-08-29:23":       {"2018-08-29T23:00:00Z", "2018-08-30T00:00:00Z"},
		"2018-08-29:12:59":    {"2018-08-29T12:59:00Z", "2018-08-29T13:00:00Z"},
		"2018-08-29:12:59:59": {"2018-08-29T12:59:59Z", "2018-08-29T13:00:00Z"},
	} {
		from, to, err := parsePrefix(prefix)
		if err != nil {
			t.Errorf("%s: %v", prefix, err)
			continue
		}
		if from.Format(time.RFC3339) != want[0] || want[1] != "" && to.Format(time.RFC3339) != want[1] || want[1] == "" && to.Year() != 10000 {
			t.Errorf("%s is %v to %v, want %v", prefix, from, to, want)
		}
	}
}

func TestWhatIsNoTimePrefixIsRefused(t *testing.T) {
	for _, prefix := range []string{
		"1", "20", "201", "20180", "2018-", "2018-8", "2018-00", "2018-13", "2018-02-30", "2017-02-29", "2018-04-31", "2018-08-29:", "2018-08-29:1",
		"2018-08-29:24", "2018-08-29T12", "2018-08-29:12:60", "2018-08-29:12:00:60", "2018-08-29:12:00:00.1", "0000", "2018#08", "abcd", "-201", "２０", " 2018", "2018-08-29 12",
	} {
		if from, to, err := parsePrefix(prefix); KindOf(err) != Invalid {
			t.Errorf("%q is %v to %v, %v", prefix, from, to, err)
		}
	}
}

func TestParametersThatContradictEachOtherAreRefused(t *testing.T) {
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	id := &MessageID{UUID: NewUUID(now, [10]byte{}), User: "amsg"}
	order := Oldest
	for name, tt := range map[string]struct {
		q     Question
		field string
	}{
		"at and from":       {Question{At: "2018", From: now, Limit: 1}, "at"},
		"at and to":         {Question{At: "2018", To: now, Limit: 1}, "at"},
		"around and user":   {Question{Around: id, User: "amsg", Limit: 1}, "around"},
		"around and at":     {Question{Around: id, At: "2018", Limit: 1}, "around"},
		"around and from":   {Question{Around: id, From: now, Limit: 1}, "around"},
		"around and to":     {Question{Around: id, To: now, Limit: 1}, "around"},
		"around and order":  {Question{Around: id, Order: &order, Limit: 1}, "around"},
		"around and cursor": {Question{Around: id, Cursor: "x", Limit: 1}, "around"},
		"to before from":    {Question{From: now, To: now.Add(-1), Limit: 1}, "to"},
		"no limit":          {Question{}, "limit"},
		"limit over 200":    {Question{Limit: 201}, "limit"},
		"from too late":     {Question{From: now.AddDate(9000, 0, 0), Limit: 1}, "from"},
		"to too early":      {Question{To: now.AddDate(-3000, 0, 0), Limit: 1}, "to"},
	} {
		_, err := tt.q.span()
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Field != tt.field {
			t.Errorf("%s: %v, want %s to be refused", name, err, tt.field)
		}
	}
}

func spans() *rapid.Generator[Span] {
	return rapid.Custom(func(t *rapid.T) Span {
		s := Span{Room: RoomID(rapid.StringMatching(`[a-z0-9]{1,8}`).Draw(t, "room")), Order: Order(rapid.IntRange(0, 1).Draw(t, "order"))}
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

func positionIn(t *rapid.T, s Span) Position {
	sent := time.UnixMilli(rapid.Int64Range(0, 1e13).Draw(t, "sent")).UTC()
	p := Position{At: time.UnixMilli(rapid.Int64Range(0, 1e13).Draw(t, "at")).UTC()}
	p.ID = MessageID{UUID: NewUUID(sent, [10]byte{1}), User: "amsg"}
	if s.User != "" {
		p.ID.User, p.At = s.User, sent
	}
	return p
}

func TestACursorServesItsOwnQuestionAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, other := spans().Draw(t, "span"), spans().Draw(t, "other")
		s.User = UserID(strings.ReplaceAll(string(s.User), "#", "x"))
		p := positionIn(t, s)
		cursor := encodeCursor(s, p)
		order, got, err := decodeCursor(cursor, s)
		if err != nil || order != s.Order || got != p {
			t.Fatalf("%s reads as %v %v, %v", cursor, order, got, err)
		}
		same := s.Room == other.Room && s.User == other.User && s.From.Equal(other.From) && s.To.Equal(other.To)
		if _, _, err := decodeCursor(cursor, other); !same && KindOf(err) != BadCursor {
			t.Fatalf("a cursor of %+v serves %+v", s, other)
		}
		if len(cursor) > maxCursor {
			t.Fatalf("a cursor of %d bytes, the most is %d", len(cursor), maxCursor)
		}
	})
}

func TestAbsurdCursorsAreRefused(t *testing.T) {
	s := Span{Room: "seattle"}
	good := encodeCursor(s, Position{At: time.UnixMilli(1), ID: MessageID{UUID: NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}})
	raw, _ := base64.RawURLEncoding.DecodeString(good)
	change := func(i int, b byte) string {
		c := append([]byte{}, raw...)
		c[i] = b
		return base64.RawURLEncoding.EncodeToString(c)
	}
	for name, cursor := range map[string]string{
		"no base64":            "!",
		"padded":               good + "=",
		"cut":                  good[:20],
		"with a line break":    good[:20] + "\r" + good[20:],
		"ended by a newline":   good + "\n",
		"long":                 strings.Repeat("A", 10_000),
		"of another version":   change(0, 9),
		"of another direction": change(1, 7),
		"of another question":  change(2, raw[2]+1),
		"far in time":          change(10, 0x7f),
		"before time":          change(10, 0xff),
		"of no version 7":      change(24, 0x40),
		"of no user":           base64.RawURLEncoding.EncodeToString(raw[:cursorHead]),
		"of an odd user":       change(len(raw)-1, '#'),
	} {
		if _, _, err := decodeCursor(cursor, s); KindOf(err) != BadCursor {
			t.Errorf("a cursor %s: %v", name, err)
		}
	}
}

func FuzzDecodeCursor(f *testing.F) {
	s := Span{Room: "seattle"}
	f.Add(encodeCursor(s, Position{At: time.UnixMilli(1), ID: MessageID{UUID: NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}}), "")
	f.Add("", "amsg")
	f.Add("AQDh2w7plY9odQAA0000000000000000c0200000000000\r0", "")
	f.Fuzz(func(t *testing.T, cursor, user string) {
		s := Span{Room: "seattle", User: UserID(user)}
		order, p, err := decodeCursor(cursor, s)
		if err != nil {
			if KindOf(err) != BadCursor {
				t.Errorf("%q: %v", cursor, err)
			}
			return
		}
		s.Order = order
		if got := encodeCursor(s, p); got != cursor {
			t.Errorf("%q reads as %v, which is written %q", cursor, p, got)
		}
	})
}

func TestAListCursorServesItsOwnQuestionAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		question, other := rapid.String().Draw(t, "question"), rapid.String().Draw(t, "other")
		m := Mark{Sort: rapid.StringMatching(`[^\x00\x{10FFFF}]{1,60}`).Draw(t, "sort"), ID: rapid.StringMatching(`[^\x00]{0,60}`).Draw(t, "id")}
		cursor := encodeMark(question, m)
		if got, err := decodeMark(question, cursor); err != nil || got != m {
			t.Fatalf("%+v reads as %+v, %v", m, got, err)
		}
		if _, err := decodeMark(other, cursor); other != question && KindOf(err) != BadCursor {
			t.Fatalf("a cursor of %q serves %q", question, other)
		}
	})
}

func FuzzDecodeMark(f *testing.F) {
	f.Add("rooms", encodeMark("rooms", Mark{Sort: "USA#seattle", ID: "seattle"}))
	f.Add("rooms", "AAAA")
	f.Add("rooms", encodeMark("rooms", Mark{Sort: "USA#seattle", ID: "seattle"})+"\r\n")
	f.Fuzz(func(t *testing.T, question, cursor string) {
		m, err := decodeMark(question, cursor)
		if err != nil {
			if KindOf(err) != BadCursor {
				t.Errorf("%q: %v", cursor, err)
			}
			return
		}
		if m != (Mark{}) && encodeMark(question, m) != cursor {
			t.Errorf("%q reads as %+v, which is written %q", cursor, m, encodeMark(question, m))
		}
	})
}
