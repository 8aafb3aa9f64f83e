package chat_test

import (
	"encoding/hex"
	"example.com/parley/internal/digest"
	"fmt"
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

// TestPostMessage_MentionsArePartOfTheContent retries a message with the same and with different
// mentions.
func TestPostMessage_MentionsArePartOfTheContent(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	draft := chat.MessageDraft{UUID: chat.NewUUID(clock.Now(), [10]byte{9: 1}), Text: "hello", Mentions: chat.Mentions{Users: []chat.UserID{"bob", "eve"}, Room: true}}
	first, _, err := s.PostMessage(t.Context(), "maker", "seattle", draft)
	if err != nil || !first.Mentions.Equal(draft.Mentions) {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, replay, err := s.PostMessage(t.Context(), "maker", "seattle", draft); err != nil || !replay || !again.Mentions.Equal(draft.Mentions) {
		t.Errorf("a retry: %+v, %v, %v", again, replay, err)
	}
	for _, other := range []chat.Mentions{{}, {Room: true}, {Users: draft.Mentions.Users}, {Users: []chat.UserID{"bob"}, Room: true}, {Users: []chat.UserID{"bob", "eve", "x"}, Room: true}} {
		draft.Mentions = other
		_, _, err := s.PostMessage(t.Context(), "maker", "seattle", draft)
		chattest.WantKind(t, fmt.Sprintf("%+v", other), err, chat.Conflict)
	}
}

func TestPostMessage_InvalidMentions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	var many []chat.UserID
	for n := range chat.MaxMentions + 1 {
		many = append(many, chat.UserID(fmt.Sprintf("u%02d", n)))
	}
	if m, err := mentioning(t, s, "maker", "seattle", chat.Mentions{Users: many[1:]}); err != nil || len(m.Mentions.Users) != chat.MaxMentions {
		t.Errorf("%d people: %v", chat.MaxMentions, err)
	}
	m := chattest.Post(t, s, "maker", "hello")
	for _, users := range [][]chat.UserID{many, {"b", "a"}, {"a", "a"}} {
		_, err := mentioning(t, s, "maker", "seattle", chat.Mentions{Users: users})
		chattest.WantKind(t, fmt.Sprint(users), err, chat.Invalid)
		_, _, err = s.EditMessage(t.Context(), "maker", chat.Revision{Room: "seattle", ID: m.ID, Base: 1}, chat.MessageEdit{Mentions: &users})
		chattest.WantKind(t, fmt.Sprint("an edit, ", users), err, chat.Invalid)
	}
}

// TestPostMessage_RoomIsMentionedByRight mentions the room as people of every role, under both
// settings. Nothing is stored for people without the right.
func TestPostMessage_RoomIsMentionedByRight(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	roles := map[chat.UserID]policy.Role{"maker": policy.Owner, "mod": policy.Moderator, "bob": policy.Member, "visitor": policy.Stranger}
	for user, role := range roles {
		if role == policy.Moderator || role == policy.Member {
			if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, grant := range []policy.Grant{policy.GrantModerators, policy.GrantMembers, policy.GrantModerators} {
		if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{RoomMentions: &grant}); err != nil {
			t.Fatal(err)
		}
		for user, role := range roles {
			may := role >= policy.Moderator || role == policy.Member && grant == policy.GrantMembers
			m, err := mentioning(t, s, user, "seattle", chat.Mentions{Room: true})
			plain := chattest.Post(t, s, user, "hello")
			yes := true
			edited, _, editErr := s.EditMessage(t.Context(), user, chat.Revision{Room: "seattle", ID: plain.ID, Base: 1}, chat.MessageEdit{MentionRoom: &yes})
			if may {
				if err != nil || editErr != nil || !m.Mentions.Room || !edited.Mentions.Room {
					t.Errorf("%s, %v: %v, %v", user, grant, err, editErr)
				}
				continue
			}
			chattest.WantKind(t, fmt.Sprint(user, grant), err, chat.Forbidden)
			chattest.WantKind(t, fmt.Sprint("an edit by ", user, grant), editErr, chat.Forbidden)
			if now, err := s.Message(t.Context(), user, "seattle", plain.ID); err != nil || now.Revision != 1 || now.Mentions.Room {
				t.Errorf("after the refusal: %+v, %v", now, err)
			}
		}
	}
	room, _, err := s.Direct.PostRoom(t.Context(), "amsg", []string{"bob"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = mentioning(t, s, "amsg", room.ID, chat.Mentions{Users: []chat.UserID{"bob"}, Room: true})
	chattest.WantKind(t, "in a direct room", err, chat.Forbidden)
	if _, err := mentioning(t, s, "amsg", room.ID, chat.Mentions{Users: []chat.UserID{"bob"}}); err != nil {
		t.Errorf("a person in a direct room: %v", err)
	}
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
