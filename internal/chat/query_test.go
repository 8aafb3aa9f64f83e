package chat

import (
	"errors"
	"testing"
	"time"
)

func TestParsePrefix_IsAHalfOpenRange(t *testing.T) {
	for prefix, want := range map[string][2]string{
		"2018":                {"2018-01-01T00:00:00Z", "2019-01-01T00:00:00Z"},
		"9999":                {"9999-01-01T00:00:00Z", ""},
		"2018-12":             {"2018-12-01T00:00:00Z", "2019-01-01T00:00:00Z"},
		"2016-02":             {"2016-02-01T00:00:00Z", "2016-03-01T00:00:00Z"},
		"2018-01-31":          {"2018-01-31T00:00:00Z", "2018-02-01T00:00:00Z"},
		"2018-08-29:23":       {"2018-08-29T23:00:00Z", "2018-08-30T00:00:00Z"},
		"2018-08-29:12:59":    {"2018-08-29T12:59:00Z", "2018-08-29T13:00:00Z"},
		"2018-08-29:12:59:59": {"2018-08-29T12:59:59Z", "2018-08-29T13:00:00Z"},
	} {
		from, to, err := parsePrefix(prefix)
		if err != nil {
			t.Errorf("%s: %v", prefix, err)
			continue
		}
		if from.Format(time.RFC3339) != want[0] || want[1] != "" && to.Format(time.RFC3339) != want[1] || want[1] == "" && to.Year() != 10000 {
			t.Errorf("%s is %v to %v, want %v", prefix, from, to, want)
		}
	}
}

func TestParsePrefix_RefusesOtherTexts(t *testing.T) {
	for _, prefix := range []string{
		"1", "20", "201", "20180", "2018-", "2018-8", "2018-00", "2018-13", "2018-02-30", "2017-02-29", "2018-04-31", "2018-08-29:", "2018-08-29:1",
		"2018-08-29:24", "2018-08-29T12", "2018-08-29:12:60", "2018-08-29:12:00:60", "2018-08-29:12:00:00.1", "0000", "2018#08", "abcd", "-201", "２０", " 2018", "2018-08-29 12",
	} {
		if from, to, err := parsePrefix(prefix); KindOf(err) != Invalid {
			t.Errorf("%q is %v to %v, %v", prefix, from, to, err)
		}
	}
}

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
