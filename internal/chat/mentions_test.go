package chat_test

import (
	"encoding/hex"
	"example.com/parley/internal/digest"
	"slices"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
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
