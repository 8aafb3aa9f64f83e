package chat_test

import (
	"context"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

// uncheckedStore returns the messages that it reads while a check fails.
type uncheckedStore struct{ app.Store }

func (s uncheckedStore) MessagesWhileChecking(ctx context.Context, r chat.MessageRange, check func() (bool, error)) ([]chat.Message, bool, error) {
	if _, err := check(); err == nil {
		return s.Messages(ctx, r)
	}
	return []chat.Message{{Room: r.Room, Text: "secret"}}, true, nil
}

// TestMessages_DeniedWhateverTheStoreReturns checks that access does not depend on the store,
// which reads the page before access is known.
func TestMessages_DeniedWhateverTheStoreReturns(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.Store = uncheckedStore{o.Store} })
	room := chattest.CreatePrivateRoom(t, s, "ann")
	page, err := s.Messages(t.Context(), "eve", chat.MessageQuery{Room: room, Limit: 9})
	chattest.WantKind(t, "a stranger's page", err, chat.NotFound)
	if len(page.Items) > 0 || page.Next != "" || page.Since != (chat.FeedPosition{}) {
		t.Errorf("a stranger gets %+v", page)
	}
	if _, err := s.Messages(t.Context(), "ann", chat.MessageQuery{Room: room, Limit: 9}); err != nil {
		t.Error(err)
	}
}
