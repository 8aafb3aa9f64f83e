package stream_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// failingCalls is an HTTP client that fails the calls of one operation for one feed.
type failingCalls struct {
	failingFeed
	operation string
}

func (o *failingCalls) Do(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+o.operation) {
		return o.failingFeed.Do(r)
	}
	return o.next.Do(r)
}

func (o *failingCalls) options(d *dynamodb.Options) { o.next, d.HTTPClient = d.HTTPClient, o }

// TestConsumer_ReceivesNoRoomThatFailed fails each call of an append for one room.
func TestConsumer_ReceivesNoRoomThatFailed(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for _, tt := range []struct {
		operation string
		later     int // entries that are received when the batch is retried
	}{
		{"GetItem", s.entries["seattle"]},
		{"Query", s.entries["seattle"]},
		{"PutItem", s.entries["seattle"]},
		{"UpdateItem", 0}, // the segment was stored, but readers do not see it yet
	} {
		t.Run(tt.operation, func(t *testing.T) {
			in := &inbox{}
			p := s.playWith(t, in)
			resp, err := p.process((&failingCalls{failingFeed{feed: "feed#seattle"}, tt.operation}).options).
				Handle(t.Context(), events.DynamoDBEvent{Records: s.records})
			if err != nil || len(resp.BatchItemFailures) != 1 || in.calls() != 1 {
				t.Fatalf("%+v, %v, %d calls", resp, err, in.calls())
			}
			if n := len(in.received("seattle")); n > 0 {
				t.Errorf("%d entries of the failed room were received", n)
			}
			if n := len(in.received("portland")); n != s.entries["portland"] {
				t.Errorf("%d entries of another room were received, want %d", n, s.entries["portland"])
			}
			p.deliverBy(p.process(), s.records[firstFailed(t, s.records, resp):])
			want := p.all()
			want["seattle"] = tt.later
			p.wantReceived(in, want)
			p.wantComplete()
		})
	}
}

// TestConsumer_ReceivesNothingTwiceAfterACrash ends a process at each of its requests. The next
// process appends the rest and delivers no entry again, but names the last entry that may not have
// been delivered. The projection is given everything in the end.
func TestConsumer_ReceivesNothingTwiceAfterACrash(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	calm := &crash{at: 1 << 30}
	p := s.play(t)
	p.deliverBy(p.process(calm.options), s.records)
	missing := 0
	for at := range calm.count.Load() {
		for _, after := range []bool{false, true} {
			in, l := &inbox{}, &ledger{}
			p := s.playWith(t, in)
			p.projections = []stream.Projection{l}
			p.deliverAll(s.records, func(again int) *stream.Handler {
				if again > 0 {
					return p.process()
				}
				return p.process((&crash{at: at + 1, after: after}).options)
			})
			p.wantComplete()
			p.wantGiven(l)
			p.wantReceived(in, nil)
			for room := range s.rooms() {
				received := map[int64]bool{}
				for _, e := range in.received(room) {
					received[e.Seq] = true
				}
				last := int64(len(p.feedOf(room)))
				for seq := in.reached[room] + 1; seq <= last; seq++ {
					if !received[seq] {
						t.Errorf("%s: entry %d was neither delivered nor named", room, seq)
					}
				}
				missing += int(last) - len(received)
			}
			if t.Failed() {
				t.Fatalf("request %d failed, took effect: %v", at+1, after)
			}
		}
	}
	if missing == 0 {
		t.Error("no process ended between an append and its delivery")
	}
}

// TestConsumer_FailureHasNoEffect runs a consumer that fails in every way concurrently with one
// that does not. The batch counts as done, the feed is complete, and nothing is delivered again.
func TestConsumer_FailureHasNoEffect(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for name, tt := range map[string]struct {
		fail   func(rooms []feed.Appended) error
		logged string
	}{
		"an error":                {func([]feed.Appended) error { return errors.New("the audience is away") }, `"the audience is away"`},
		"a panic":                 {func(r []feed.Appended) error { panic(firstText(r)) }, `"panic":"a value of type string"`},
		"a panic of an error":     {func(r []feed.Appended) error { panic(errors.New(firstText(r))) }, `"panic":"a value of type *errors.errorString"`},
		"a panic of the runtime":  {func(r []feed.Appended) error { _ = r[len(r)]; return nil }, "index out of range"},
		"an end of its goroutine": {func([]feed.Appended) error { runtime.Goexit(); return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bad := &inbox{then: func(_ context.Context, rooms []feed.Appended) error { return tt.fail(rooms) }}
			good := &inbox{}
			p := s.play(t)
			var log bytes.Buffer
			o := stream.Options{
				Store:    dynamo.New(dynamo.LocalClient(p.endpoint), dynamo.Options{Table: p.table, Clock: time.Now}),
				Failures: p.failures, Clock: time.Now, Consumers: []stream.Consumer{bad, good},
				Log: slog.New(slog.NewJSONHandler(&log, nil)),
			}
			h := stream.NewHandler(o)
			p.deliver(h, s.records)
			p.deliver(h, s.records)
			p.deliver(stream.NewHandler(o), s.records)
			for _, in := range []*inbox{bad, good} {
				if p.wantReceived(in, p.all()); in.calls() != 1 {
					t.Errorf("consumer was called %d times", in.calls())
				}
			}
			p.wantComplete()
			wantLogged(t, log.String(), tt.logged)
		})
	}
}

// wantLogged checks that a log names the consumer and the failure, and holds no contents.
func wantLogged(t *testing.T, log, failure string) {
	t.Helper()
	if failure != "" && (!strings.Contains(log, failure) || !strings.Contains(log, `"consumer":"*stream_test.inbox"`)) {
		t.Errorf("the log does not contain %s: %s", failure, log)
	}
	for _, text := range []string{"amsg 1", "bob 2", "other"} {
		if strings.Contains(log, text) {
			t.Errorf("the log contains %q: %s", text, log)
		}
	}
}

// firstText returns the text of the first message.
func firstText(rooms []feed.Appended) string {
	for _, r := range rooms {
		for _, e := range r.Entries {
			if e.Item.Message != nil {
				return e.Item.Message.Text
			}
		}
	}
	return ""
}

// TestConsumer_MayAppendToTheSameRoom has a consumer deliver more records of its room to its own
// handler in another goroutine, and wait for it. A lock that was still held would deadlock.
func TestConsumer_MayAppendToTheSameRoom(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	in := &inbox{}
	p := s.playWith(t, in)
	h := p.process()
	third := len(s.records) / 3
	finished := make(chan struct{})
	in.then = func(ctx context.Context, _ []feed.Appended) error {
		if in.calls() > 1 {
			return nil
		}
		for _, part := range [][]events.DynamoDBEventRecord{s.records[third : 2*third], s.records[2*third:]} {
			done := make(chan struct{})
			go func() {
				defer close(done)
				p.deliverBy(h, part)
			}()
			select {
			case <-done:
			case <-ctx.Done():
				t.Error("the room is still locked")
				return ctx.Err()
			}
		}
		close(finished)
		return nil
	}
	p.deliverBy(h, s.records[:third])
	<-finished
	p.wantReceived(in, p.all())
	p.wantComplete()
}

// TestConsumer_HasTimeUntilTheAnswer has a room that hangs, and a consumer that does not return.
// The other rooms are still delivered in time, and the batch is answered. A retry appends the rest.
func TestConsumer_HasTimeUntilTheAnswer(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	var left time.Duration
	in := &inbox{then: func(ctx context.Context, _ []feed.Appended) error {
		if deadline, ok := ctx.Deadline(); ok {
			left = time.Until(deadline)
		}
		time.Sleep(time.Minute)
		return nil
	}}
	p := s.playWith(t, in)
	resp := p.deliverHanging("feed#seattle")
	if left != time.Second {
		t.Errorf("the consumer had a timeout of %v, want a second", left)
	}
	for _, room := range []chat.RoomID{"seattle-1", "portland"} {
		if n := len(in.received(room)); n != s.entries[room] {
			t.Errorf("%d entries of %s were received", n, room)
		}
		p.wantRoom(room, s.want[room])
	}
	in.then = nil
	p.deliverBy(p.process(), s.records[firstFailed(t, s.records, resp):])
	p.wantComplete()
}

// TestConsumer_HasATimeoutWithoutADeadline is the case of the local server, whose batches have no
// deadline.
func TestConsumer_HasATimeoutWithoutADeadline(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	var bounded bool
	in := &inbox{then: func(ctx context.Context, _ []feed.Appended) error {
		_, bounded = ctx.Deadline()
		return nil
	}}
	p := s.playWith(t, in)
	p.deliverBy(p.process(), slices.Clone(s.records))
	if !bounded {
		t.Error("the consumer has no deadline")
	}
}
