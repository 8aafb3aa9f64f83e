package chat_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

const streamLabel = "2018-08-29T12:00:00.000"

func TestFeedPosition_TextIsValidInItsRoomOnly(t *testing.T) {
	t.Parallel()
	for _, p := range []chat.FeedPosition{
		{}, {Seq: 1}, {Generation: streamLabel}, {Seq: 41, Generation: streamLabel},
		{Seq: chat.MaxSeq, Generation: strings.Repeat("g", 64)},
	} {
		text := p.Text("seattle")
		if got, err := chat.ParseFeedPosition("seattle", text); got != p || err != nil {
			t.Errorf("%+v is read as %+v, %v", p, got, err)
		}
		for _, room := range []chat.RoomID{"seattle-1", "seattl", "portland"} {
			_, err := chat.ParseFeedPosition(room, text)
			chattest.WantKind(t, "the position of another room", err, chat.Invalid)
		}
	}
}

// storedPositions are texts as version 3 of cursors encoded them, and their positions. Clients
// store them for months. Never change one: a new version of cursors adds its own.
var storedPositions = map[string]chat.FeedPosition{
	"AxZPuEFeRPfFBgAA": {},
	"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA":          {Seq: 41, Generation: streamLabel},
	"AxZPuEFeRPfFIv7_______8fXDIwMTgtMDgtMjlUMTI6MDA6MDAuMDAw": {Seq: chat.MaxSeq, Generation: streamLabel},
}

func TestParseFeedPosition_ReadsStoredTexts(t *testing.T) {
	t.Parallel()
	for text, want := range storedPositions {
		if got, err := chat.ParseFeedPosition("seattle", text); got != want || err != nil {
			t.Errorf("%s is read as %+v, %v, want %+v; clients that stored it would start over", text, got, err, want)
		}
	}
}

// TestParseFeedPosition_RefusesOtherTexts uses texts that a client might make up, and other
// spellings of a valid text.
func TestParseFeedPosition_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	text := chat.FeedPosition{Seq: 41, Generation: streamLabel}.Text("seattle")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	edited := func(change func(b []byte) []byte) string {
		return base64.RawURLEncoding.EncodeToString(change([]byte(string(raw))))
	}
	for name, text := range map[string]string{
		"nothing": "", "a number": "41", "zero": "0", "a negative number": "-1", "a word": "head",
		"a number of a position's length": strings.Repeat("1", len(text)),
		"a stream's label":                streamLabel,
		"a line break":                    text[:8] + "\n" + text[8:],
		"a padded text":                   text + "=",
		"a longer text":                   text + "A",
		"a text that is cut":              text[:len(text)-4],
		"the beginning of a text":         edited(func(b []byte) []byte { return b[:12] }),
		"the digest only":                 edited(func(b []byte) []byte { return b[:9] }),
		"a later version":                 edited(func(b []byte) []byte { b[0]++; return b }),
		"another digest":                  edited(func(b []byte) []byte { b[1]++; return b }),
		"a number out of range":           chat.FeedPosition{Seq: chat.MaxSeq + 1}.Text("seattle"),
		"a negative number as a text":     chat.FeedPosition{Seq: -1}.Text("seattle"),
		"a generation that is no text":    chat.FeedPosition{Generation: "\xff"}.Text("seattle"),
		"a cursor of another list":        chat.EncodeCursor(chat.NewCursorScope("members").Text("seattle"), &chat.FeedPosition{}),
	} {
		got, err := chat.ParseFeedPosition("seattle", text)
		var e *chat.Error
		if !errors.As(err, &e) || e.Kind != chat.Invalid || e.Field != "since" || got != (chat.FeedPosition{}) {
			t.Errorf("%s (%q) is read as %+v, %v", name, text, got, err)
		}
	}
}

// FuzzFeedPosition checks that every position has exactly one accepted text.
func FuzzFeedPosition(f *testing.F) {
	f.Add("seattle", chat.FeedPosition{Seq: 41, Generation: streamLabel}.Text("seattle"), int64(41), streamLabel)
	f.Add("s", chat.FeedPosition{}.Text("s"), int64(0), "")
	f.Add("seattle", "41", int64(chat.MaxSeq), "g")
	f.Fuzz(func(t *testing.T, room, text string, seq int64, generation string) {
		id, err := chat.ParseRoomID(room)
		if err != nil {
			return
		}
		if p, err := chat.ParseFeedPosition(id, text); err == nil && p.Text(id) != text {
			t.Errorf("%q and %q are one position, %+v", text, p.Text(id), p)
		}
		if seq < 0 || seq > chat.MaxSeq || len(generation) > 64 || !utf8.ValidString(generation) || strings.Contains(generation, "\x00") {
			return
		}
		p := chat.FeedPosition{Seq: seq, Generation: generation}
		if got, err := chat.ParseFeedPosition(id, p.Text(id)); got != p || err != nil {
			t.Errorf("%+v is read back as %+v, %v", p, got, err)
		}
	})
}
