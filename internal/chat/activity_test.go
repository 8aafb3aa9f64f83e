package chat_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/local/engine/enginetest"
)

var page50 = chat.PageOf{Limit: 50}

func report(t *testing.T, s *chat.Service, user chat.UserID, events ...chat.EventDraft) []chat.LogEntry {
	t.Helper()
	entries, err := s.Report(t.Context(), user, "phone", events)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func eventsOf(t *testing.T, s *chat.Service, user chat.UserID, device chat.DeviceID) []chat.LogEntry {
	t.Helper()
	page, err := s.Events(t.Context(), user, device, chat.LogQuestion{PageOf: page50})
	if err != nil {
		t.Fatal(err)
	}
	return page.Entries
}

func TestARetriedBatchKeepsEachEventOnce(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	id := chat.NewUUID(start, [10]byte{1})
	batch := []chat.EventDraft{
		{At: start, Type: "error", Detail: "lost"}, {At: start, Type: "error", Detail: "lost"}, // twice in one instant
		{At: start, Type: "connection"},
		{UUID: id, Type: "connection"}, // at the id's time, the same instant
		{UUID: chat.NewUUID(start, [10]byte{2}), At: start.Add(-time.Second + 1500*time.Nanosecond), Type: "delivery"},
	}
	first := report(t, s, "ada", batch...)
	if diff := cmp.Diff(first, report(t, s, "ada", batch...)); diff != "" {
		t.Errorf("the retry answers otherwise: %s", diff)
	}
	alone := report(t, s, "ada", batch[3])
	if diff := cmp.Diff(first[3:4], alone); diff != "" {
		t.Errorf("one event sent alone: %s", diff)
	}
	all := eventsOf(t, s, "ada", "phone")
	if len(all) != len(batch) {
		t.Fatalf("%d entries, want %d: %+v", len(all), len(batch), all)
	}
	if at := all[len(all)-1].At; !at.Equal(start.Add(-time.Second + time.Microsecond)) {
		t.Errorf("the oldest is at %v", at)
	}
	for n, e := range all[:4] {
		if want := start.Add(time.Duration(3-n) * time.Microsecond); !e.At.Equal(want) {
			t.Errorf("entry %d is at %v, want %v", n, e.At, want)
		}
	}
}

func TestALogIsItsReportersOwn(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	makeRoom(t, s, "phone", 1)
	report(t, s, "ada", chat.EventDraft{At: start, Type: "error"})
	report(t, s, "r", chat.EventDraft{At: start, Type: "forged"}) // r#phone would be the room's audit
	for user, device := range map[chat.UserID]chat.DeviceID{"bob": "phone", "ad": "aphone"} {
		if got := eventsOf(t, s, user, device); len(got) != 0 {
			t.Errorf("%s reads %+v", user, got)
		}
	}
	audit, err := s.Audit(t.Context(), "maker", "phone", chat.LogQuestion{PageOf: page50})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range audit.Entries {
		if line.Type == "forged" {
			t.Error("a person called r has written into a room's audit")
		}
	}
}

func TestEventsThatBreakARuleAreRefusedWhole(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	good := chat.EventDraft{At: start, Type: "error"}
	for _, c := range []struct {
		name  string
		event chat.EventDraft
		kind  chat.Kind
		field string
	}{
		{"no time and no id", chat.EventDraft{Type: "error"}, chat.Invalid, "events[1].at"},
		{"no type", chat.EventDraft{At: start}, chat.Invalid, "events[1].type"},
		{"a type with a space", chat.EventDraft{At: start, Type: "an error"}, chat.Invalid, "events[1].type"},
		{"a type one byte too long", chat.EventDraft{At: start, Type: strings.Repeat("x", chat.MaxEventType+1)}, chat.Invalid, "events[1].type"},
		{"a detail one byte too long", chat.EventDraft{At: start, Type: "x", Detail: strings.Repeat("x", chat.MaxEventDetail+1)}, chat.Invalid, "events[1].detail"},
		{"a detail that is no UTF-8", chat.EventDraft{At: start, Type: "x", Detail: "\xff"}, chat.Invalid, "events[1].detail"},
		{"too far ahead", chat.EventDraft{At: start.Add(chat.MaxAhead + time.Microsecond), Type: "x"}, chat.ClockSkew, "events[1].at"},
		{"as old as entries get", chat.EventDraft{At: start.Add(-chat.DefaultLogLife), Type: "x"}, chat.Invalid, "events[1].at"},
	} {
		_, err := s.Report(t.Context(), "ada", "phone", []chat.EventDraft{good, c.event})
		wantKind(t, c.name, err, c.kind)
		if err != nil && !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %v does not name %s", c.name, err, c.field)
		}
	}
	_, err := s.Report(t.Context(), "ada", "phone", make([]chat.EventDraft, chat.MaxEvents+1))
	wantKind(t, "a batch of one too many", err, chat.Invalid)
	_, err = s.Report(t.Context(), "ada", "phone", nil)
	wantKind(t, "an empty batch", err, chat.Invalid)
	if got := eventsOf(t, s, "ada", "phone"); len(got) != 0 {
		t.Errorf("something was kept: %+v", got)
	}
	report(t, s, "ada", chat.EventDraft{
		At: start.Add(chat.MaxAhead), Type: strings.Repeat("x", chat.MaxEventType), Detail: strings.Repeat("x", chat.MaxEventDetail),
	}, chat.EventDraft{At: start.Add(-chat.DefaultLogLife + time.Microsecond), Type: "x"})
}

func TestAnIDUsedForAnotherEventIsAConflict(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	id := chat.NewUUID(start, [10]byte{1})
	report(t, s, "ada", chat.EventDraft{UUID: id, Type: "error"})
	_, err := s.Report(t.Context(), "ada", "phone", []chat.EventDraft{{UUID: id, Type: "delivery"}})
	wantKind(t, "another type", err, chat.Conflict)
}

func TestEventsExpire(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	report(t, s, "ada", chat.EventDraft{At: start, Type: "error"})
	c.advance(chat.DefaultLogLife)
	if got := eventsOf(t, s, "ada", "phone"); len(got) != 1 {
		t.Errorf("%d entries in the last second, want 1", len(got))
	}
	c.advance(time.Second)
	if got := eventsOf(t, s, "ada", "phone"); len(got) != 0 {
		t.Errorf("an expired event is served: %+v", got)
	}
}

func TestALogPagesByCursorWithinItsBounds(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	for n := range 9 {
		report(t, s, "ada", chat.EventDraft{At: start.Add(time.Duration(n-9) * time.Second), Type: fmt.Sprint("n", n)})
	}
	q := chat.LogQuestion{After: start.Add(-9 * time.Second), Before: start.Add(-time.Second), PageOf: chat.PageOf{Limit: 3}}
	var got []string
	for {
		page, err := s.Events(t.Context(), "ada", "phone", q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
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
	for name, other := range map[string]chat.LogQuestion{
		"without its bounds": {PageOf: q.PageOf}, "with another bound": {After: start.Add(-time.Hour), Before: q.Before, PageOf: q.PageOf},
	} {
		_, err := s.Events(t.Context(), "ada", "phone", other)
		wantKind(t, "a cursor "+name, err, chat.BadCursor)
	}
	_, err := s.Events(t.Context(), "bob", "phone", q)
	wantKind(t, "a cursor of another's log", err, chat.BadCursor)
	_, err = s.Events(t.Context(), "ada", "phone", chat.LogQuestion{After: start, Before: start, PageOf: page50})
	wantKind(t, "bounds that hold nothing", err, chat.Invalid)
}

func TestEachEventCountsAsAMessage(t *testing.T) {
	t.Parallel()
	s, c := newService(t)
	makeRoom(t, s, "seattle", 1)
	batch := func(n int) (events []chat.EventDraft) {
		for i := range n {
			events = append(events, chat.EventDraft{At: start.Add(-time.Duration(i) * time.Second), Type: "error"})
		}
		return events
	}
	const whole = chat.DefaultSendBurst / chat.MaxEvents
	for range whole {
		report(t, s, "ada", batch(chat.MaxEvents)...) // a retry counts too
	}
	_, err := s.Report(t.Context(), "ada", "phone", batch(1))
	wantKind(t, "an event when the bucket is empty", err, chat.RateLimited)
	var e *chat.Error
	if !errors.As(err, &e) || e.RetryAfter != time.Second/chat.DefaultSendRate {
		t.Errorf("it may be sent again after %v", e.RetryAfter)
	}
	_, _, err = s.Send(t.Context(), "ada", "seattle", chat.Draft{Text: "x"})
	wantKind(t, "a message when the bucket is empty", err, chat.RateLimited)
	if _, err = s.Report(t.Context(), "bob", "phone", batch(1)); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	c.advance(e.RetryAfter)
	report(t, s, "ada", batch(chat.MaxEvents)...) // paid for afterwards
	_, err = s.Report(t.Context(), "ada", "phone", batch(1))
	if !errors.As(err, &e) || e.RetryAfter != chat.MaxEvents*time.Second/chat.DefaultSendRate {
		t.Errorf("after a batch that was not all there: %v", err)
	}
	bad := chat.EventDraft{At: start}
	_, err = s.Report(t.Context(), "carl", "phone", []chat.EventDraft{bad})
	wantKind(t, "an event that breaks a rule", err, chat.Invalid)
}

// TestExpiredEntriesAreNotRead counts what DynamoDB touched: of 250 entries of about 1 KB that
// have expired and still stand, none.
func TestExpiredEntriesAreNotRead(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient(enginetest.Start(t))
	if err := dynamo.CreateLogTable(t.Context(), client, "log"); err != nil {
		t.Fatal(err)
	}
	var units float64
	c := &clock{}
	c.ns.Store(start.UnixNano())
	s := chat.NewService(chat.Options{
		Clock: c.now, Random: rand.Reader, LogLife: time.Hour, SendBurst: 1e6,
		Logs: dynamo.NewLog(client, dynamo.Options{Table: "log", Observe: func(_ context.Context, u dynamo.Usage) { units += u.Units }}),
	})
	var old []chat.EventDraft
	for n := range chat.MaxEvents {
		at := start.Add(-time.Duration(n) * time.Second)
		old = append(old, chat.EventDraft{At: at, Type: "error", Detail: strings.Repeat("x", 900)})
	}
	for range 10 {
		report(t, s, "ada", old...)
		c.advance(25 * time.Second)
		for n := range old {
			old[n].At = old[n].At.Add(25 * time.Second)
		}
	}
	c.advance(2 * time.Hour)
	for n, ago := range []time.Duration{0, 59*time.Minute + 58*time.Second + 500*time.Millisecond, time.Hour - time.Microsecond} {
		report(t, s, "ada", chat.EventDraft{At: c.now().Add(-ago), Type: fmt.Sprint("n", n)})
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 3}, {time.Second - 1, 3}, {1, 2}, {time.Second - 1, 2}, {1, 1}, {time.Hour - time.Second - 1, 1}, {1, 0}} {
		c.advance(step.after)
		units = 0
		if got := eventsOf(t, s, "ada", "phone"); len(got) != step.want || units > 0.5 {
			t.Errorf("after %v more: %d entries for %v units, want %d for half a unit", step.after, len(got), units, step.want)
		}
	}
}
