package chat

import (
	"errors"
	"testing"
	"time"
)

func TestMessageQuery_RefusesContradictions(t *testing.T) {
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	id := &MessageID{UUID: NewUUID(now, [10]byte{}), User: "amsg"}
	order := Oldest
	for name, tt := range map[string]struct {
		q     MessageQuery
		field string
	}{
		"at and from":       {MessageQuery{At: "2018", From: now, Limit: 1}, "at"},
		"at and to":         {MessageQuery{At: "2018", To: now, Limit: 1}, "at"},
		"around and user":   {MessageQuery{Around: id, User: "amsg", Limit: 1}, "around"},
		"around and at":     {MessageQuery{Around: id, At: "2018", Limit: 1}, "around"},
		"around and from":   {MessageQuery{Around: id, From: now, Limit: 1}, "around"},
		"around and to":     {MessageQuery{Around: id, To: now, Limit: 1}, "around"},
		"around and order":  {MessageQuery{Around: id, Order: &order, Limit: 1}, "around"},
		"around and cursor": {MessageQuery{Around: id, Cursor: "x", Limit: 1}, "around"},
		"around and before": {MessageQuery{Around: id, Before: id, Limit: 1}, "around"},
		"around and after":  {MessageQuery{Around: id, After: id, Limit: 1}, "around"},
		"before and after":  {MessageQuery{Before: id, After: id, Limit: 1}, "before"},
		"before and at":     {MessageQuery{Before: id, At: "2018", Limit: 1}, "before"},
		"before and from":   {MessageQuery{Before: id, From: now, Limit: 1}, "before"},
		"before and order":  {MessageQuery{Before: id, Order: &order, Limit: 1}, "before"},
		"before and cursor": {MessageQuery{Before: id, Cursor: "x", Limit: 1}, "before"},
		"after and at":      {MessageQuery{After: id, At: "2018", Limit: 1}, "after"},
		"after and to":      {MessageQuery{After: id, To: now, Limit: 1}, "after"},
		"after and order":   {MessageQuery{After: id, Order: &order, Limit: 1}, "after"},
		"after and cursor":  {MessageQuery{After: id, Cursor: "x", Limit: 1}, "after"},
		"to before from":    {MessageQuery{From: now, To: now.Add(-1), Limit: 1}, "to"},
		"no limit":          {MessageQuery{}, "limit"},
		"limit over 200":    {MessageQuery{Limit: 201}, "limit"},
		"from too late":     {MessageQuery{From: now.AddDate(9000, 0, 0), Limit: 1}, "from"},
		"to too early":      {MessageQuery{To: now.AddDate(-3000, 0, 0), Limit: 1}, "to"},
	} {
		_, err := tt.q.messageRange()
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Field != tt.field {
			t.Errorf("%s: %v, want %s to be refused", name, err, tt.field)
		}
	}
}
