package chat_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

func TestParseRoomID(t *testing.T) {
	for id, ok := range map[string]bool{
		"seattle": true, "seattle-1": true, "a": true, "0": true, "a--b": true, strings.Repeat("a", 64): true,
		"": false, strings.Repeat("a", 65): false, "Seattle": false, "-a": false, "a-": false, "-": false,
		"a#b": false, "a/b": false, "a b": false, "ä": false, "a\x00": false, "a_b": false, "a.b": false, "a~b": false,
	} {
		if _, err := chat.ParseRoomID(id); (err == nil) != ok {
			t.Errorf("room id %q: %v, want ok %v", id, err, ok)
		}
	}
}

func TestRoomID_Private(t *testing.T) {
	for id, private := range map[chat.RoomID]bool{
		"p-" + chat.RoomID(strings.Repeat("a", 20)): true,
		"p-a":        true,
		"p-ticket-1": true,
		"pa-":        false,
		"q-" + chat.RoomID(strings.Repeat("a", 20)): false,
		"p": false,
	} {
		if id.Private() != private {
			t.Errorf("%s is private: %v, want %v", id, id.Private(), private)
		}
	}
}

func TestParseUserID(t *testing.T) {
	for id, ok := range map[string]bool{
		"amsg": true, "A.b_c@d|e:f+g=h-1": true, strings.Repeat("u", 64): true,
		"": false, strings.Repeat("u", 65): false, "a#b": false, "a~b": false, "a b": false, "a/b": false, "a%b": false, "ü": false, "a\n": false,
		"me": false, ".": false, "..": false, "Me": true, "...": true, ".a": true,
	} {
		if _, err := chat.ParseUserID(id); (err == nil) != ok {
			t.Errorf("user id %q: %v, want ok %v", id, err, ok)
		}
	}
}

func TestParseMessageID(t *testing.T) {
	const good = "0165858d-fe7b-7102-8304-05060708090a"
	for id, ok := range map[string]bool{
		good + "~amsg": true, strings.ToUpper(good) + "~amsg": true,
		good: false, good + "~": false, "~amsg": false, good + "~a~b": false, good + "~a#b": false,
		"0165858d-fe7b-4102-8304-05060708090a~amsg":          false, // version 4
		"0165858d-fe7b-7102-c304-05060708090a~amsg":          false, // another variant
		"ffffffff-ffff-7102-8304-05060708090a~amsg":          false, // after the year 9999
		"0165858dfe7b7102830405060708090a~amsg":              false,
		"{0165858d-fe7b-7102-8304-05060708090a}~amsg":        false,
		"urn:uuid:0165858d-fe7b-7102-8304-05060708090a~amsg": false,
		"0165858d-fe7b-7102-8304-05060708090g~amsg":          false,
	} {
		m, err := chat.ParseMessageID(id)
		if (err == nil) != ok {
			t.Errorf("message id %q: %v, want ok %v", id, err, ok)
		}
		if ok && m.String() != strings.ToLower(id) {
			t.Errorf("message id %q is written %q", id, m)
		}
	}
}

func TestNewUUID_HasItsTimeAndVersion7(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 253402300799999).Draw(t, "ms"))
		var tail [10]byte
		copy(tail[:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "tail"))
		u := chat.NewUUID(at, tail)
		if got, err := chat.ParseUUID(u.String()); err != nil || got != u {
			t.Fatalf("%v reads as %v, %v", u, got, err)
		}
		if got := (chat.MessageID{UUID: u}).SentAt(); !got.Equal(at) {
			t.Fatalf("%v has the time %v, want %v", u, got, at)
		}
	})
}
