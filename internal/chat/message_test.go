package chat_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/digest"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// mentioning posts a message with mentions.
func mentioning(t *testing.T, s *app.Services, by chat.UserID, room chat.RoomID, m chat.Mentions) (chat.Message, error) {
	t.Helper()
	stored, _, err := s.PostMessage(t.Context(), by, room, chat.MessageDraft{Text: "@all, @bob: hello", Mentions: m})
	return stored, err
}

// TestEditMessage_ReplacesMentions edits only the mentions, keeps them with another text, and
// removes them. A sender who lost the right keeps the mention of the room, as it was made.
func TestEditMessage_ReplacesMentions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "mod", policy.Moderator); err != nil {
		t.Fatal(err)
	}
	m, err := mentioning(t, s, "mod", "seattle", chat.Mentions{Users: []chat.UserID{"bob"}, Room: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := chattest.SetRole(t, s, "maker", "seattle", "mod", policy.Member); err != nil {
		t.Fatal(err)
	}
	text, yes, no := "other", true, false
	people, nobody := []chat.UserID{"carol", "dave"}, []chat.UserID(nil)
	for i, tt := range []struct {
		edit   chat.MessageEdit
		want   chat.Mentions
		replay bool
	}{
		{chat.MessageEdit{Text: &text}, chat.Mentions{Users: []chat.UserID{"bob"}, Room: true}, false},
		{chat.MessageEdit{Mentions: &people, MentionRoom: &yes}, chat.Mentions{Users: people, Room: true}, false},
		{chat.MessageEdit{Mentions: &people}, chat.Mentions{Users: people, Room: true}, true},
		{chat.MessageEdit{MentionRoom: &no}, chat.Mentions{Users: people}, false},
		{chat.MessageEdit{Mentions: &nobody}, chat.Mentions{}, false},
	} {
		got, replay, err := s.EditMessage(t.Context(), "mod", chat.Revision{Room: "seattle", ID: m.ID, Base: chat.AnyRevision}, tt.edit)
		if err != nil || !got.Mentions.Equal(tt.want) || replay != tt.replay {
			t.Errorf("edit %d: %+v, replay %v, %v", i, got.Mentions, replay, err)
		}
		stored, err := s.Message(t.Context(), "mod", "seattle", m.ID)
		if err != nil || !stored.Mentions.Equal(tt.want) || !slices.Equal(stored.Digest, m.Digest) {
			t.Errorf("edit %d is stored as %+v, %v", i, stored.Mentions, err)
		}
	}
	_, _, err = s.EditMessage(t.Context(), "mod", chat.Revision{Room: "seattle", ID: m.ID, Base: chat.AnyRevision}, chat.MessageEdit{MentionRoom: &yes})
	chattest.WantKind(t, "mentioning the room anew", err, chat.Forbidden)
}

// TestMessage_ContentCoversMentions pins the digests of messages with mentions, and of one
// without, which must be the same as before mentions existed.
func TestMessage_ContentCoversMentions(t *testing.T) {
	for _, tt := range []struct {
		mentions chat.Mentions
		want     string
	}{
		{chat.Mentions{}, "860a423692668e9766507ea8af16ff0f"},
		{chat.Mentions{Users: []chat.UserID{"amsg"}}, "d19889cabbd46662d330ad71d37a5bde"},
		{chat.Mentions{Users: []chat.UserID{"amsg", "bob"}}, "d3bf0d5067a540677613ab08f6083b36"},
		{chat.Mentions{Room: true}, "16064721dd66a9ec68a502433fd7710d"},
	} {
		if got := hex.EncodeToString(digest.Sum([]byte("key"), chat.Message{Text: "hello", Mentions: tt.mentions}.Content())); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.mentions, got, tt.want)
		}
	}
}

func TestParseMetadata(t *testing.T) {
	longest := `{"x":"` + strings.Repeat("y", chat.MaxMetadata-len(`{"x":""}`)) + `"}`
	for given, want := range map[string]string{
		"": "", "{}": "{}", " {\n} ": "{}", `{"b":1.50, "a":[1e400,-0]}`: `{"b":1.50,"a":[1e400,-0]}`,
		`{"s":"\u0041 <\/>\t"}`: `{"s":"\u0041 <\/>\t"}`, longest: longest, " " + longest: longest,
	} {
		got, err := chat.ParseMetadata(given)
		if err != nil || got != want {
			t.Errorf("%.50q is %.50q, %v, want %.50q", given, got, err, want)
		}
	}
	for _, given := range []string{"x", "[]", "null", `"{}"`, "1", "{", "{} {}", "{'a':1}", "{\"a\":\"\xff\"}", " ", longest[:len(longest)-2] + `y"}`} {
		_, err := chat.ParseMetadata(given)
		chattest.WantKind(t, given[:min(len(given), 20)], err, chat.Invalid)
	}
}

// FuzzParseMetadata checks that parsing keeps the meaning of metadata, and that parsing it again
// changes nothing.
func FuzzParseMetadata(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"a" : [1.50, "\u0041", null]}`, "[]", "{\"a\":\"\xff\"}", `{"a":1,"a":2}`} {
		f.Add(seed)
	}
	meaning := func(text string) (v any, err error) {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		return v, d.Decode(&v)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := chat.ParseMetadata(given)
		if err != nil || got == "" {
			return
		}
		if len(got) > chat.MaxMetadata || len(got) > len(given) {
			t.Errorf("%d bytes from %d", len(got), len(given))
		}
		before, err := meaning(given)
		after, errAfter := meaning(got)
		if err != nil || errAfter != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q became %q: %v, %v", given, got, err, errAfter)
		}
		if again, err := chat.ParseMetadata(got); err != nil || again != got {
			t.Errorf("%q parsed again: %q, %v", got, again, err)
		}
	})
}

// TestPosition_RefusesImpossibleVersions decodes correctly encoded positions that cannot be the
// end of a page.
func TestPosition_RefusesImpossibleVersions(t *testing.T) {
	s := chat.NewCursorScope("versions")
	for _, number := range []chat.VersionPosition{0, -1, chat.MaxVersion + 1} {
		if err := chat.DecodeCursor(s, chat.EncodeCursor(s, &number), new(chat.VersionPosition)); chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%d: %v", number, err)
		}
	}
}

// TestPosition_LongestIsDecoded checks that the last position fits in a short cursor.
func TestPosition_LongestIsDecoded(t *testing.T) {
	s := chat.NewCursorScope("versions")
	last := chat.VersionPosition(chat.MaxVersion)
	cursor := last.Cursor(s)
	var read chat.VersionPosition
	if err := chat.DecodeCursor(s, cursor, &read); err != nil || len(cursor) > 20 || read != last {
		t.Errorf("%d is written in %d bytes and read as %d, %v", last, len(cursor), read, err)
	}
}

// FuzzPosition decodes arbitrary text as a cursor. It is refused, or it is exactly the encoding of
// the decoded position.
func FuzzPosition(f *testing.F) {
	scope := chat.NewCursorScope("versions")
	f.Add(chat.EncodeCursor(scope, new(chat.VersionPosition(7))))
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		var p chat.VersionPosition
		err := chat.DecodeCursor(scope, cursor, &p)
		if err != nil && chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%q: %v", cursor, err)
		}
		if got := chat.EncodeCursor(scope, &p); err == nil && got != cursor {
			t.Errorf("%q reads as %d, which is written %q", cursor, p, got)
		}
	})
}

// editedOnce posts a message in seattle and edits it.
func editedOnce(t *testing.T, s *app.Services) chat.Message {
	t.Helper()
	m := chattest.Post(t, s, "amsg", "a")
	m, _, err := s.EditMessage(t.Context(), "amsg", chat.Revision{Room: m.Room, ID: m.ID, Base: 1}, chat.MessageEdit{Text: new("b")})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMessageVersions_CursorBelongsToItsMessage(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	one, two := editedOnce(t, s), editedOnce(t, s)
	q := chat.VersionQuery{Room: "seattle", ID: one.ID, Page: chat.PageRequest{Limit: 1}}
	page, err := s.MessageVersions(t.Context(), "amsg", q)
	if err != nil || page.Next == "" {
		t.Fatal(page, err)
	}
	q.ID, q.Page.Cursor = two.ID, page.Next
	_, err = s.MessageVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "of another message", err, chat.BadCursor)
	q.Page.Cursor = "x"
	_, err = s.MessageVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "forged", err, chat.BadCursor)
	for _, limit := range []int{0, chat.MaxLimit + 1} {
		q.Page = chat.PageRequest{Limit: limit}
		_, err = s.MessageVersions(t.Context(), "amsg", q)
		chattest.WantKind(t, "a limit out of range", err, chat.Invalid)
	}
}
