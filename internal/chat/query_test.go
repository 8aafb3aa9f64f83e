package chat_test

import (
	"errors"
	"testing"
	"time"

	"example.com/parley/internal/chat"
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
