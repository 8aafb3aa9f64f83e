// Package feed turns the table's stream into the feeds of rooms: stream record → change →
// segment. It is what the feed function runs, and what runs beside a local server.
//
// A room's feed is a chain of segments under one unbroken sequence. Whoever appends takes the number after
// the newest segment's last, by a conditional put: of two at once one is refused, and
// looks again. So the stream may come twice, from the start again, in pieces, or to several
// consumers at once: what stands in the feed already is left out (see tail.go).
package feed

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/sync/errgroup"

	"parley/internal/chat"
	"parley/internal/table"
)

const (
	// roomsAtOnce bounds the rooms of one batch that are appended to side by side.
	roomsAtOnce = 16
	// answerTime is kept back of a function's time to answer in: whoever runs out of time without an answer
	// is given the whole batch again, in halves, also what is done with.
	answerTime = 2 * time.Second
)

// Failure is a record that could not be entered as what it is. It holds no contents.
type Failure struct {
	Room     chat.RoomID `json:"room,omitempty"` // empty when even that is not known
	Key      string      `json:"key,omitempty"`  // the item's sort key
	Sequence string      `json:"sequence"`       // the record's number in the stream
	EventID  string      `json:"event"`
	Reason   string      `json:"reason"`
}

// Failures keeps what somebody must look at.
type Failures interface {
	// Keep returns when the failure is safely kept.
	Keep(ctx context.Context, f Failure) error
}

// Options are the settings of a Handler. All but Life, Remember and Jitter are
// required; an Appender does without Failures and Log.
type Options struct {
	Store    Store
	Failures Failures
	Clock    func() time.Time
	// Life is how long segments are kept; zero is the default.
	Life time.Duration
	// Remember is how many changes of one room are remembered; zero is what suits a function. A repair,
	// which looks for every change, remembers all.
	Remember int
	// Jitter gives a random number in [0, 1) to wait by; nil is the runtime's own.
	Jitter func() float64
	Log    *slog.Logger
}

// Handler takes batches of the stream.
type Handler struct {
	appender *Appender
	failures Failures
	log      *slog.Logger
}

// NewHandler makes a handler. It is safe for concurrent use.
func NewHandler(o Options) *Handler {
	return &Handler{appender: NewAppender(o), failures: o.Failures, log: o.Log}
}

// Handle appends the changes of a batch to the feeds of their rooms. It answers with the
// records from which the batch is to come again: those of rooms whose feed could not be
// written for now. Other rooms of the batch do not wait for them; what is behind the batch in the same shard of the
// stream does, until they are written.
func (h *Handler) Handle(ctx context.Context, batch events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime))
		defer cancel()
	}
	rooms := map[chat.RoomID][]record{}
	var order []chat.RoomID
	again := &retries{}
	for _, r := range batch.Records {
		rec, ok := readRecord(r)
		if !ok {
			continue
		}
		if rooms[rec.room] == nil {
			order = append(order, rec.room)
		}
		rooms[rec.room] = append(rooms[rec.room], rec)
	}
	var group errgroup.Group
	group.SetLimit(roomsAtOnce)
	for _, room := range order {
		group.Go(func() error {
			if records := h.told(ctx, rooms[room], again); room != "" && !h.append(ctx, room, records) {
				again.add(records[0])
			}
			return nil
		})
	}
	_ = group.Wait()
	busiest, changes := busiest(rooms)
	h.log.InfoContext(ctx, "batch", "records", len(batch.Records), "rooms", len(order), "again", len(again.sequences),
		LogBusiest, busiest, LogBusiestChanges, changes)
	return again.response(), nil
}

// The fields of a batch's line that name the room with the most changes in it, and count them. The
// dashboard's query for the busiest rooms sums them up: one field for each batch costs nothing, where
// a line for each room would be most of the log.
const (
	LogBusiest        = "busiest"
	LogBusiestChanges = "busiestChanges"
)

// busiest returns the room with the most records of a batch, and how many these are. Of rooms with
// as many it is the first by its id, so that the same batch gives the same line.
func busiest(rooms map[chat.RoomID][]record) (busiest chat.RoomID, records int) {
	for room, of := range rooms {
		if room != "" && (len(of) > records || len(of) == records && room < busiest) {
			busiest, records = room, len(of)
		}
	}
	return busiest, records
}

// told keeps the failures among a room's records, and returns the records but for those that could not be kept:
// they are not entered before somebody is told of them.
func (h *Handler) told(ctx context.Context, records []record, again *retries) []record {
	var told []record
	for _, r := range records {
		if r.failure != nil && h.keep(ctx, *r.failure) != nil {
			again.add(r)
			continue
		}
		told = append(told, r)
	}
	return told
}

// append appends to one room's feed, and reports whether these records are done with. A feed that
// cannot be read will not be readable next time: its records are kept as failures,
// for whoever mends it, and do not block the stream.
func (h *Handler) append(ctx context.Context, room chat.RoomID, records []record) bool {
	if len(records) == 0 {
		return true
	}
	changes := make([]Change, len(records))
	for i, r := range records {
		changes[i] = r.change
	}
	_, err := h.appender.Append(ctx, room, records[len(records)-1].generation, changes)
	if err == nil {
		return true
	}
	h.log.ErrorContext(ctx, "append failed", "room", room, "changes", len(records), "error", err)
	if !errors.Is(err, table.ErrUnreadable) {
		return false
	}
	for _, r := range records {
		if h.keep(ctx, r.failed(err)) != nil {
			return false
		}
	}
	return true
}

func (h *Handler) keep(ctx context.Context, f Failure) error {
	err := h.failures.Keep(ctx, f)
	h.log.ErrorContext(ctx, "record failed", "room", f.Room, "key", f.Key, "sequence", f.Sequence, "reason", f.Reason, "error", err)
	return err
}

// retries are the records from which a batch is to come again.
type retries struct {
	mu        sync.Mutex
	sequences []string
}

func (r *retries) add(rec record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sequences = append(r.sequences, rec.sequence)
}

func (r *retries) response() events.DynamoDBEventResponse {
	resp := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for _, s := range r.sequences {
		resp.BatchItemFailures = append(resp.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: s})
	}
	return resp
}
