package activity_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/tabletest"
)

func TestAppendEvents_EachCountsAsAMessage(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	batch := func(n int) (events []activity.EventDraft) {
		for i := range n {
			events = append(events, activity.EventDraft{At: chattest.Start.Add(-time.Duration(i) * time.Second), Type: "error"})
		}
		return events
	}
	const whole = chat.DefaultSendBurst / activity.MaxEvents
	for range whole {
		report(t, s, "ada", batch(activity.MaxEvents)...) // a retry counts as well
	}
	_, err := s.Activity.AppendEvents(t.Context(), "ada", "phone", batch(1))
	chattest.WantKind(t, "an event when the bucket is empty", err, chat.RateLimited)
	var e *chat.Error
	if !errors.As(err, &e) || e.RetryAfter != time.Second/chat.DefaultSendRate {
		t.Errorf("it may be sent again after %v", e.RetryAfter)
	}
	_, _, err = s.PostMessage(t.Context(), "ada", "seattle", chat.MessageDraft{Text: "x"})
	chattest.WantKind(t, "a message when the bucket is empty", err, chat.RateLimited)
	if _, err = s.Activity.AppendEvents(t.Context(), "bob", "phone", batch(1)); err != nil {
		t.Errorf("another person: %v", err)
	}
	c.Advance(e.RetryAfter)
	report(t, s, "ada", batch(activity.MaxEvents)...) // allowed by a single token; the next one waits longer
	_, err = s.Activity.AppendEvents(t.Context(), "ada", "phone", batch(1))
	if !errors.As(err, &e) || e.RetryAfter != activity.MaxEvents*time.Second/chat.DefaultSendRate {
		t.Errorf("after a batch that exceeded the bucket: %v", err)
	}
	bad := activity.EventDraft{At: chattest.Start}
	_, err = s.Activity.AppendEvents(t.Context(), "carl", "phone", []activity.EventDraft{bad})
	chattest.WantKind(t, "an event that breaks a rule", err, chat.Invalid)
}

// TestLogRange_ExpiredEntriesAreNotRead measures the read units of DynamoDB. They must not include
// any of 250 entries of about 1 KB that have expired and are still stored.
func TestLogRange_ExpiredEntriesAreNotRead(t *testing.T) {
	t.Parallel()
	client := tabletest.StartLog(t, "log")
	var units float64
	c := chattest.NewClock()
	s := app.New(app.Options{
		Store: dynamo.New(client, dynamo.Options{Table: "log", Clock: c.Now}), // is not called
		Clock: c.Now, Random: rand.Reader, LogRetention: time.Hour, SendBurst: 1e6,
		Logs: activity.NewStore(dynamo.NewLogTable(client, "log", func(_ context.Context, u dynamo.Usage) { units += u.Units })),
	})
	var old []activity.EventDraft
	for n := range activity.MaxEvents {
		at := chattest.Start.Add(-time.Duration(n) * time.Second)
		old = append(old, activity.EventDraft{At: at, Type: "error", Detail: strings.Repeat("x", 900)})
	}
	for range 10 {
		report(t, s, "ada", old...)
		c.Advance(25 * time.Second)
		for n := range old {
			old[n].At = old[n].At.Add(25 * time.Second)
		}
	}
	c.Advance(2 * time.Hour)
	for n, ago := range []time.Duration{0, 59*time.Minute + 58*time.Second + 500*time.Millisecond, time.Hour - time.Microsecond} {
		report(t, s, "ada", activity.EventDraft{At: c.Now().Add(-ago), Type: fmt.Sprint("n", n)})
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 3}, {time.Second - 1, 3}, {1, 2}, {time.Second - 1, 2}, {1, 1}, {time.Hour - time.Second - 1, 1}, {1, 0}} {
		c.Advance(step.after)
		units = 0
		if got := eventsOf(t, s, "ada", "phone"); len(got) != step.want || units > 0.5 {
			t.Errorf("after %v more: %d entries for %v units, want %d for half a unit", step.after, len(got), units, step.want)
		}
	}
}
