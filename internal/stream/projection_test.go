package stream_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// ledger is a projection that records its work, and then calls the function then.
type ledger struct {
	then func(calls int) error

	mu  sync.Mutex
	all []feed.RoomChanges
}

func (l *ledger) Project(_ context.Context, w feed.RoomChanges) error {
	l.mu.Lock()
	l.all = append(l.all, w)
	n := len(l.all)
	l.mu.Unlock()
	if l.then != nil {
		return l.then(n)
	}
	return nil
}

// numbers returns the changes that the projection was given of a room, by number.
func (l *ledger) numbers(t *testing.T, room chat.RoomID) map[int64]feed.Change {
	t.Helper()
	given := map[int64]feed.Change{}
	for _, w := range l.all {
		last := int64(0)
		for _, e := range w.Entries {
			if w.Room == room {
				given[e.Seq] = e.Identity()
			}
			if e.Seq <= last {
				t.Errorf("%s: entry %d follows %d", w.Room, e.Seq, last)
			}
			if last = e.Seq; e.Type.OfMessage() && (e.Item.Message == nil || e.Created.IsZero()) {
				t.Errorf("%s: entry %d has no message or no time: %+v", w.Room, e.Seq, e)
			}
		}
	}
	return given
}

// wantGiven checks that a projection was given every entry of every feed, under its number.
func (p *play) wantGiven(l *ledger) {
	p.t.Helper()
	for room := range p.scenario.rooms() {
		all, given := p.feedOf(room), l.numbers(p.t, room)
		if len(given) != len(all) {
			p.t.Errorf("%s: the projection was given %d of %d entries", room, len(given), len(all))
		}
		for seq, c := range given {
			if seq < 1 || seq > int64(len(all)) || all[seq-1].Identity() != c {
				p.t.Errorf("%s: entry %d is %+v, which the feed does not hold there", room, seq, c)
			}
		}
	}
}

// TestProjection_IsGivenEveryEntryAgain delivers the stream to a projection, and again to another one, whose
// process finds all entries in the feeds.
func TestProjection_IsGivenEveryEntryAgain(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	for range 3 {
		l := &ledger{}
		p.projections = []stream.Projection{l}
		p.deliverBy(p.process(), slices.Concat(s.records, s.records[:5]))
		p.wantGiven(l)
	}
	l := &ledger{}
	p = s.play(t)
	p.projections = []stream.Projection{l}
	half := p.process()
	p.deliverBy(half, s.records[:len(s.records)/2])
	p.deliverBy(half, s.records)
	p.wantGiven(l)
	p.wantComplete()
}

// TestProjection_FailureRetriesTheRoom fails at each call. The records of the room are delivered again,
// consumers receive each entry once, and a second projection is performed all the same.
func TestProjection_FailureRetriesTheRoom(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for at := 1; at <= 3; at++ {
		in := &inbox{}
		second := &ledger{}
		l := &ledger{then: func(calls int) error {
			if calls == at {
				return &chat.Error{Kind: chat.Unavailable}
			}
			return nil
		}}
		p := s.playWith(t, in)
		p.projections = []stream.Projection{l, second}
		resp, err := p.process().Handle(t.Context(), events.DynamoDBEvent{Records: s.records})
		if err != nil || len(resp.BatchItemFailures) != 1 {
			t.Fatalf("call %d failed: %+v, %v", at, resp, err)
		}
		room, first := l.all[at-1].Room, firstFailed(t, s.records, resp)
		if rec := stream.Read(s.records[first]); !rec.InFeed || rec.Room != room {
			t.Errorf("the projection of %s failed, and the records of %s are retried", room, rec.Room)
		}
		p.wantReceived(in, p.all())
		before := len(l.numbers(t, room))
		p.deliverBy(p.process(), s.records[first:])
		if n := len(l.all[len(l.all)-1].Entries); n == 0 || before != s.entries[room] {
			t.Errorf("the retry gave %d entries of %d", n, before)
		}
		p.wantReceived(in, p.all())
		p.wantGiven(second)
		if len(p.failures.all) != 0 {
			t.Errorf("failures: %+v", p.failures.all)
		}
	}
}

// TestProjection_LastingFailureBlocksNothing has a projection that can never succeed. Its records become
// failures; with an unavailable queue they are retried.
func TestProjection_LastingFailureBlocksNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for what, then := range map[string]func(int) error{
		"an unreadable item": func(int) error { return fmt.Errorf("a tally: %w", chat.ErrUnreadable) },
		"a panic":            func(int) error { panic("contents") },
	} {
		t.Run(what, func(t *testing.T) {
			p := s.play(t)
			p.projections = []stream.Projection{&ledger{then: then}}
			p.failures.fail = errors.New("the queue is unavailable")
			resp, err := p.process().Handle(t.Context(), events.DynamoDBEvent{Records: s.records})
			if err != nil || len(resp.BatchItemFailures) != len(s.rooms()) {
				t.Fatalf("without a queue: %+v, %v", resp, err)
			}
			p.failures.fail = nil
			p.deliverBy(p.process(), s.records)
			p.wantComplete()
			changes := 0
			for _, all := range s.want {
				changes += len(all)
			}
			if n := len(p.failures.all); n != changes {
				t.Errorf("%d failures of %d changes", n, changes)
			}
			for _, f := range p.failures.all {
				if f.Room == "" || f.Sequence == "" || f.Reason == "" || f.Reason == "contents" {
					t.Errorf("failure %+v", f)
				}
			}
		})
	}
}

// TestProjection_IsGivenRows mixes rows that enter no feed into a batch. They neither enter the
// feed nor stop it, with or without changes in the batch, and an unreadable row becomes a
// failure.
func TestProjection_IsGivenRows(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	m := w.post("seattle", "amsg", 1)
	records := w.stream.Next(t)
	l := &ledger{}
	unreadable := errors.New("no row")
	h := stream.NewHandler(stream.Options{
		Read: func(r events.DynamoDBEventRecord) stream.Record {
			if r.EventName != "row" && r.EventName != "spoiled" {
				return stream.Read(r)
			}
			rec := stream.Record{Room: "seattle", Row: &feed.RowChange{Message: m.ID, Emoji: "👍"}, Sequence: r.Change.SequenceNumber}
			if r.EventName == "spoiled" {
				rec.Err = unreadable
			}
			return rec
		},
		Store: w.store, Failures: w.failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Projections: []stream.Projection{l},
	})
	row := events.DynamoDBEventRecord{EventName: "row"}
	row.Change.SequenceNumber = "0"
	spoiled := events.DynamoDBEventRecord{EventName: "spoiled"}
	w.deliver(h, append(batch{row, spoiled}, records...))
	if len(l.all) != 1 || len(l.all[0].Rows) != 1 || len(l.all[0].Entries) != 3 || len(w.feedOf("seattle")) != 3 {
		t.Errorf("together: %+v", l.all)
	}
	w.deliver(h, batch{row, row})
	if len(l.all) != 2 || len(l.all[1].Rows) != 2 || len(l.all[1].Entries) != 0 || l.all[1].Rows[0].Message != m.ID {
		t.Errorf("alone: %+v", l.all)
	}
	if len(w.failures.all) != 1 || w.failures.all[0].Reason != unreadable.Error() {
		t.Errorf("failures %+v", w.failures.all)
	}
	l.then = func(int) error { return &chat.Error{Kind: chat.Unavailable} }
	resp, err := h.Handle(t.Context(), events.DynamoDBEvent{Records: append(batch{row}, records...)})
	if err != nil || len(resp.BatchItemFailures) != 1 || resp.BatchItemFailures[0].ItemIdentifier != "0" {
		t.Errorf("after a failure: %+v, %v", resp, err)
	}
}

// TestProjection_DeletedRoomHasNone delivers the changes of a room after its deletion.
func TestProjection_DeletedRoomHasNone(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	room := w.room("seattle", 1)
	w.post("seattle", "amsg", 1)
	records := w.stream.Next(t)
	w.deleteRoom(room)
	l := &ledger{}
	w.projections = []stream.Projection{l}
	w.deliver(w.handler(), records)
	if len(l.all) != 0 {
		t.Errorf("a projection was given %+v", l.all)
	}
}
