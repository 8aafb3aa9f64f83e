package activity_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

var page50 = chat.PageRequest{Limit: 50}

func report(t *testing.T, s *app.Services, user chat.UserID, events ...activity.EventDraft) []activity.LogEntry {
	t.Helper()
	entries, err := s.Activity.AppendEvents(t.Context(), user, "phone", events)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func eventsOf(t *testing.T, s *app.Services, user chat.UserID, device activity.DeviceID) []activity.LogEntry {
	t.Helper()
	page, err := s.Activity.Events(t.Context(), user, device, activity.LogQuery{PageRequest: page50})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

func TestAppendEvents_RetryStoresEachEventOnce(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	id := chat.NewUUID(chattest.Start, [10]byte{1})
	batch := []activity.EventDraft{
		{At: chattest.Start, Type: "error", Detail: "lost"}, {At: chattest.Start, Type: "error", Detail: "lost"}, // twice at the same time
		{At: chattest.Start, Type: "connection"},
		{UUID: id, Type: "connection"}, // at the time of the id, which is the same
		{UUID: chat.NewUUID(chattest.Start, [10]byte{2}), At: chattest.Start.Add(-time.Second + 1500*time.Nanosecond), Type: "delivery"},
	}
	first := report(t, s, "ada", batch...)
	if diff := cmp.Diff(first, report(t, s, "ada", batch...)); diff != "" {
		t.Errorf("the retry has another answer: %s", diff)
	}
	single := report(t, s, "ada", batch[3])
	if diff := cmp.Diff(first[3:4], single); diff != "" {
		t.Errorf("one event in a batch of its own: %s", diff)
	}
	all := eventsOf(t, s, "ada", "phone")
	if len(all) != len(batch) {
		t.Fatalf("%d entries, want %d: %+v", len(all), len(batch), all)
	}
	if at := all[len(all)-1].At; !at.Equal(chattest.Start.Add(-time.Second + time.Microsecond)) {
		t.Errorf("the oldest is at %v", at)
	}
	for n, e := range all[:4] {
		if want := chattest.Start.Add(time.Duration(3-n) * time.Microsecond); !e.At.Equal(want) {
			t.Errorf("entry %d is at %v, want %v", n, e.At, want)
		}
	}
}

func TestEvents_BelongToTheirReporter(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "phone", 1)
	report(t, s, "ada", activity.EventDraft{At: chattest.Start, Type: "error"})
	report(t, s, "r", activity.EventDraft{At: chattest.Start, Type: "forged"}) // r#phone is the key of the room's audit log
	for user, device := range map[chat.UserID]activity.DeviceID{"bob": "phone", "ad": "aphone"} {
		if got := eventsOf(t, s, user, device); len(got) != 0 {
			t.Errorf("%s reads %+v", user, got)
		}
	}
	audit, err := s.Activity.AuditLog(t.Context(), "maker", "phone", activity.LogQuery{PageRequest: page50})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range audit.Items {
		if line.Type == "forged" {
			t.Error("a person called r has written to a room's audit log")
		}
	}
}

// TestAppendEvents_RefusesInvalidBatches checks that an invalid event refuses the whole batch.
func TestAppendEvents_RefusesInvalidBatches(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	good := activity.EventDraft{At: chattest.Start, Type: "error"}
	for _, c := range []struct {
		name  string
		event activity.EventDraft
		kind  chat.Kind
		field string
	}{
		{"no time and no id", activity.EventDraft{Type: "error"}, chat.Invalid, "events[1].at"},
		{"no type", activity.EventDraft{At: chattest.Start}, chat.Invalid, "events[1].type"},
		{"a type with a space", activity.EventDraft{At: chattest.Start, Type: "an error"}, chat.Invalid, "events[1].type"},
		{"a type one byte too long", activity.EventDraft{At: chattest.Start, Type: strings.Repeat("x", activity.MaxEventType+1)}, chat.Invalid, "events[1].type"},
		{"a detail one byte too long", activity.EventDraft{At: chattest.Start, Type: "x", Detail: strings.Repeat("x", activity.MaxEventDetail+1)}, chat.Invalid, "events[1].detail"},
		{"a detail that is no UTF-8", activity.EventDraft{At: chattest.Start, Type: "x", Detail: "\xff"}, chat.Invalid, "events[1].detail"},
		{"too far ahead", activity.EventDraft{At: chattest.Start.Add(chat.MaxAhead + time.Microsecond), Type: "x"}, chat.ClockSkew, "events[1].at"},
		{"an id too far ahead", activity.EventDraft{UUID: chat.NewUUID(chattest.Start.Add(time.Minute), [10]byte{}), Type: "x"}, chat.ClockSkew, "events[1].id"},
		{"an id too old", activity.EventDraft{UUID: chat.NewUUID(chattest.Start.Add(-activity.DefaultRetention-time.Second), [10]byte{}), Type: "x"}, chat.Invalid, "events[1].id"},
		{"already expired", activity.EventDraft{At: chattest.Start.Add(-activity.DefaultRetention), Type: "x"}, chat.Invalid, "events[1].at"},
	} {
		_, err := s.Activity.AppendEvents(t.Context(), "ada", "phone", []activity.EventDraft{good, c.event})
		chattest.WantKind(t, c.name, err, c.kind)
		if err != nil && !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %v does not name %s", c.name, err, c.field)
		}
	}
	_, err := s.Activity.AppendEvents(t.Context(), "ada", "phone", make([]activity.EventDraft, activity.MaxEvents+1))
	chattest.WantKind(t, "a batch of one too many", err, chat.Invalid)
	_, err = s.Activity.AppendEvents(t.Context(), "ada", "phone", nil)
	chattest.WantKind(t, "an empty batch", err, chat.Invalid)
	if got := eventsOf(t, s, "ada", "phone"); len(got) != 0 {
		t.Errorf("something was stored: %+v", got)
	}
	report(t, s, "ada", activity.EventDraft{
		At: chattest.Start.Add(chat.MaxAhead), Type: strings.Repeat("x", activity.MaxEventType), Detail: strings.Repeat("x", activity.MaxEventDetail),
	}, activity.EventDraft{At: chattest.Start.Add(-activity.DefaultRetention + time.Microsecond), Type: "x"})
}

func TestAppendEvents_IDOfAnotherEventIsAConflict(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	id := chat.NewUUID(chattest.Start, [10]byte{1})
	report(t, s, "ada", activity.EventDraft{UUID: id, Type: "error"})
	_, err := s.Activity.AppendEvents(t.Context(), "ada", "phone", []activity.EventDraft{{UUID: id, Type: "delivery"}})
	chattest.WantKind(t, "another type", err, chat.Conflict)
}

func TestEvents_Expire(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	report(t, s, "ada", activity.EventDraft{At: chattest.Start, Type: "error"})
	c.Advance(activity.DefaultRetention)
	if got := eventsOf(t, s, "ada", "phone"); len(got) != 1 {
		t.Errorf("%d entries in the last second, want 1", len(got))
	}
	c.Advance(time.Second)
	if got := eventsOf(t, s, "ada", "phone"); len(got) != 0 {
		t.Errorf("an expired event is served: %+v", got)
	}
}

func TestLogQuery_PagesWithinItsBounds(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for n := range 9 {
		report(t, s, "ada", activity.EventDraft{At: chattest.Start.Add(time.Duration(n-9) * time.Second), Type: fmt.Sprint("n", n)})
	}
	q := activity.LogQuery{After: chattest.Start.Add(-9 * time.Second), Before: chattest.Start.Add(-time.Second), PageRequest: chat.PageRequest{Limit: 3}}
	var got []string
	for {
		page, err := s.Activity.Events(t.Context(), "ada", "phone", q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			got = append(got, e.Type)
		}
		if page.Next == "" {
			break
		}
		q.Cursor = page.Next
	}
	if fmt.Sprint(got) != "[n7 n6 n5 n4 n3 n2 n1]" {
		t.Errorf("read %v", got)
	}
	for name, other := range map[string]activity.LogQuery{
		"without its bounds": {PageRequest: q.PageRequest}, "with another bound": {After: chattest.Start.Add(-time.Hour), Before: q.Before, PageRequest: q.PageRequest},
	} {
		_, err := s.Activity.Events(t.Context(), "ada", "phone", other)
		chattest.WantKind(t, "a cursor "+name, err, chat.BadCursor)
	}
	_, err := s.Activity.Events(t.Context(), "bob", "phone", q)
	chattest.WantKind(t, "a cursor of another's log", err, chat.BadCursor)
	_, err = s.Activity.Events(t.Context(), "ada", "phone", activity.LogQuery{After: chattest.Start, Before: chattest.Start, PageRequest: page50})
	chattest.WantKind(t, "bounds without an entry", err, chat.Invalid)
}
