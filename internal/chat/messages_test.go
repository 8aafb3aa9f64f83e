package chat_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func TestMessageQuery_RefusesContradictions(t *testing.T) {
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	id := &chat.MessageID{UUID: chat.NewUUID(now, [10]byte{}), User: "amsg"}
	order := chat.Oldest
	for name, tt := range map[string]struct {
		q     chat.MessageQuery
		field string
	}{
		"at and from":       {chat.MessageQuery{At: "2018", From: now, Limit: 1}, "at"},
		"at and to":         {chat.MessageQuery{At: "2018", To: now, Limit: 1}, "at"},
		"around and user":   {chat.MessageQuery{Around: id, User: "amsg", Limit: 1}, "around"},
		"around and at":     {chat.MessageQuery{Around: id, At: "2018", Limit: 1}, "around"},
		"around and from":   {chat.MessageQuery{Around: id, From: now, Limit: 1}, "around"},
		"around and to":     {chat.MessageQuery{Around: id, To: now, Limit: 1}, "around"},
		"around and order":  {chat.MessageQuery{Around: id, Order: &order, Limit: 1}, "around"},
		"around and cursor": {chat.MessageQuery{Around: id, Cursor: "x", Limit: 1}, "around"},
		"around and before": {chat.MessageQuery{Around: id, Before: id, Limit: 1}, "around"},
		"around and after":  {chat.MessageQuery{Around: id, After: id, Limit: 1}, "around"},
		"before and after":  {chat.MessageQuery{Before: id, After: id, Limit: 1}, "before"},
		"before and at":     {chat.MessageQuery{Before: id, At: "2018", Limit: 1}, "before"},
		"before and from":   {chat.MessageQuery{Before: id, From: now, Limit: 1}, "before"},
		"before and order":  {chat.MessageQuery{Before: id, Order: &order, Limit: 1}, "before"},
		"before and cursor": {chat.MessageQuery{Before: id, Cursor: "x", Limit: 1}, "before"},
		"after and at":      {chat.MessageQuery{After: id, At: "2018", Limit: 1}, "after"},
		"after and to":      {chat.MessageQuery{After: id, To: now, Limit: 1}, "after"},
		"after and order":   {chat.MessageQuery{After: id, Order: &order, Limit: 1}, "after"},
		"after and cursor":  {chat.MessageQuery{After: id, Cursor: "x", Limit: 1}, "after"},
		"to before from":    {chat.MessageQuery{From: now, To: now.Add(-1), Limit: 1}, "to"},
		"no limit":          {chat.MessageQuery{}, "limit"},
		"limit over 200":    {chat.MessageQuery{Limit: 201}, "limit"},
		"from too late":     {chat.MessageQuery{From: now.AddDate(9000, 0, 0), Limit: 1}, "from"},
		"to too early":      {chat.MessageQuery{To: now.AddDate(-3000, 0, 0), Limit: 1}, "to"},
	} {
		_, err := tt.q.Range()
		var e *chat.Error
		if !errors.As(err, &e) || e.Kind != chat.Invalid || e.Field != tt.field {
			t.Errorf("%s: %v, want %s to be refused", name, err, tt.field)
		}
	}
}

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

// uncheckedStore returns the messages that it reads while a check fails.
type uncheckedStore struct{ app.Stores }

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
