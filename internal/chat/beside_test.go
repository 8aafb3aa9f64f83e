package chat_test

import (
	"slices"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func TestMessages_BesideAnUnknownOrDeletedMessage(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.CreateRoom(t, s, "tacoma", 1)
	one, two := chattest.Post(t, s, "amsg", "one"), chattest.Post(t, s, "bob", "two")
	unknown := chat.MessageID{UUID: one.ID.UUID, User: "nobody"}
	for name, q := range map[string]chat.MessageQuery{
		"before an unknown message":         {Room: "seattle", Before: &unknown},
		"after an unknown message":          {Room: "seattle", After: &unknown},
		"after an unknown message, by user": {Room: "seattle", User: "amsg", After: &unknown},
		"before a message of another room":  {Room: "tacoma", Before: &one.ID},
	} {
		q.Limit = 1
		_, err := s.Messages(t.Context(), "amsg", q)
		chattest.WantKind(t, name, err, chat.NotFound)
	}
	if _, err := s.DeleteMessage(t.Context(), "amsg", at(one, 1)); err != nil {
		t.Fatal(err)
	}
	if got := follow(t, s, chat.MessageQuery{Room: "seattle", After: &one.ID, Limit: 1}); !slices.Equal(got, []string{two.Text}) {
		t.Errorf("after a deleted message: %v", got)
	}
}
