package stream

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// roomsAtOnce bounds the rooms of one batch that are appended to concurrently.
	roomsAtOnce = 16
	// responseMargin is the part of a function's time that is reserved for the answer. Without
	// an answer, Lambda delivers the whole batch again, in halves, including the records that
	// are done.
	responseMargin = 2 * time.Second
)

// Handler appends batches of the table's stream to the feeds of rooms, and calls what follows from
// the changes: projections, consumers and the eraser.
//
// The feed function creates one at its cold start, and chat serve one for its lifetime. Lambda, or
// the local poller, calls Handle with one batch after another of each shard of the stream, and
// repeats a batch that has failed. Its Appender remembers the ends of feeds between batches. It
// compares them with the table at each write, because another process may append to the same feed,
// so losing them costs only reads. Projections and consumers may remember more; see live.Delivery.
// A Handler starts no goroutine that outlives Handle, and needs no end. It is safe for concurrent
// use.
type Handler struct {
	read        func(events.DynamoDBEventRecord) Record
	appender    *Appender
	failures    Failures
	projections []Projection
	consumers   []Consumer
	eraser      Eraser
	log         *slog.Logger
}

// NewHandler returns a handler with an Appender of its own.
func NewHandler(o Options) *Handler {
	read := o.Read
	if read == nil {
		read = Read
	}
	return &Handler{
		read: read, appender: NewAppender(o), failures: o.Failures,
		projections: o.Projections, consumers: o.Consumers, eraser: o.Eraser, log: o.Log,
	}
}

// Handle appends the changes of a batch to the feeds of their rooms, performs the projections of
// each room, and passes the appended entries to the consumers, with the batch's changes for
// individual people. Then it makes the requested steps of erasures. If a room's feed cannot be
// written at present, or one of its projections fails, the response names the first of its records.
// The function then receives the batch again, from the earliest such record on. Other rooms of the
// batch do not wait, but later batches in the same shard of the stream do. The same holds for a
// step that fails for now.
//
// A record that cannot be read is given to Failures and appended as an UnknownChange. If its room
// is unknown, it is not appended. If Failures returns an error, the record is retried.
//
// If a room's feed cannot be read, because a segment cannot be parsed, all records of the room are
// given to Failures. They are neither appended nor retried.
//
// Handle ends its work two seconds before the deadline of ctx. The error is always nil.
func (h *Handler) Handle(ctx context.Context, batch events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	ctx, cancel := endEarlier(ctx, responseMargin)
	defer cancel()
	rooms, erasures, live := h.divide(batch.Records)
	failed := &retries{}
	live.Rooms, live.Repeated = h.appendRooms(ctx, rooms, failed)
	busiest, changes := busiest(rooms)
	h.log.InfoContext(ctx, "batch", "records", len(batch.Records), "rooms", len(rooms), "retries",
		len(failed.sequences), LogBusiest, busiest, LogBusiestChanges, changes) //nolint:sloglint // the line's own name
	h.consume(ctx, live)
	h.erase(ctx, erasures, failed)
	return failed.response(), nil
}

// endEarlier returns a context that ends a margin before ctx does.
func endEarlier(ctx context.Context, margin time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline.Add(-margin))
}

// roomRecords are the records of a batch for one room, in their order. The room is empty for
// records whose room is unknown.
type roomRecords struct {
	room    chat.RoomID
	records []Record
}

// divide reads a batch. It returns the records that are for feeds and projections, by room, the
// records that are for the eraser, and the batch's other changes for consumers. Rooms are in the
// order of their first record.
func (h *Handler) divide(batch []events.DynamoDBEventRecord) (rooms []roomRecords, erasures []Record, live feed.Batch) {
	places := map[chat.RoomID]int{}
	for _, r := range batch {
		rec := h.read(r)
		rec.addTo(&live)
		if rec.Erasure.User != "" {
			erasures = append(erasures, rec)
		}
		if !rec.InFeed && rec.Row == nil {
			continue
		}
		at, known := places[rec.Room]
		if !known {
			at = len(rooms)
			places[rec.Room] = at
			rooms = append(rooms, roomRecords{room: rec.Room})
		}
		rooms[at].records = append(rooms[at].records, rec)
	}
	return rooms, erasures, live
}

// appendRooms appends to the feeds of all rooms and performs their projections. It returns the
// appended entries in the order of the rooms, and the feeds that already contained some. It adds
// the records to retry to failed.
func (h *Handler) appendRooms(
	ctx context.Context, rooms []roomRecords, failed *retries,
) (appended []feed.Appended, repeated []feed.Reached) {
	if len(h.consumers) > 0 {
		var cancel context.CancelFunc
		ctx, cancel = endEarlier(ctx, consumeReserve)
		defer cancel()
	}
	all := make([]outcome, len(rooms))
	var group errgroup.Group
	group.SetLimit(roomsAtOnce)
	for i, r := range rooms {
		group.Go(func() error {
			all[i] = h.appendRoom(ctx, r, failed)
			return nil
		})
	}
	_ = group.Wait()
	for _, a := range all {
		if len(a.Entries) > 0 {
			appended = append(appended, a.Appended)
		}
		if len(a.found) > 0 {
			repeated = append(repeated, a.reached())
		}
	}
	return appended, repeated
}

// appendRoom appends to the feed of one room, and then performs its projections.
func (h *Handler) appendRoom(ctx context.Context, r roomRecords, failed *retries) outcome {
	records := h.recordFailures(ctx, r.records, failed)
	if r.room == "" || len(records) == 0 {
		return outcome{}
	}
	changed, rows := divideRecords(records)
	written := outcome{Appended: feed.Appended{Room: r.room}}
	if len(changed) > 0 {
		var done bool
		if written, done = h.append(ctx, r.room, changed); !done {
			failed.add(records[0])
			return written
		}
	}
	if !h.project(ctx, records, workOf(r.room, written, rows, joins(records))) {
		failed.add(records[0])
	}
	return written
}

// busiest returns the room with the most records of a batch, and their number. Of rooms with
// equally many records it returns the first by id, so the same batch gives the same line.
func busiest(rooms []roomRecords) (busiest chat.RoomID, records int) {
	for _, r := range rooms {
		n := len(r.records)
		if r.room != "" && (n > records || n == records && r.room < busiest) {
			busiest, records = r.room, n
		}
	}
	return busiest, records
}

// recordFailures stores the failures among a room's records. It returns the records without those
// whose failure could not be stored: an unreadable record is appended as unknown only if an
// operator can find its failure.
func (h *Handler) recordFailures(ctx context.Context, records []Record, failed *retries) []Record {
	var recorded []Record
	for _, r := range records {
		if r.Err != nil && h.keep(ctx, r.failed(r.Err)) != nil {
			failed.add(r)
			continue
		}
		recorded = append(recorded, r)
	}
	return recorded
}

// append appends to one room's feed. done is false if the records must be retried. A feed that
// cannot be read stays unreadable, so its records become failures and do not block the stream.
func (h *Handler) append(ctx context.Context, room chat.RoomID, records []Record) (written outcome, done bool) {
	changes := make([]feed.StreamChange, len(records))
	for i, r := range records {
		changes[i] = r.Change
	}
	written, err := h.appender.append(ctx, room, records[len(records)-1].Generation, changes)
	if err == nil {
		return written, true
	}
	h.log.ErrorContext(ctx, "append failed", "room", room, "changes", len(records), "error", err)
	return outcome{}, errors.Is(err, chat.ErrUnreadable) && h.keepAll(ctx, records, err)
}

// keepAll stores a failure of each record, and reports whether it stored all.
func (h *Handler) keepAll(ctx context.Context, records []Record, reason error) bool {
	for _, r := range records {
		if h.keep(ctx, r.failed(reason)) != nil {
			return false
		}
	}
	return true
}

func (h *Handler) keep(ctx context.Context, f Failure) error {
	err := h.failures.Keep(ctx, f)
	h.log.ErrorContext(
		ctx, "record failed", "room", f.Room, "key", f.Key, "sequence", f.Sequence, "reason", f.Reason, "error", err,
	)
	return err
}

// retries collects the records of a batch to retry.
type retries struct {
	mu        sync.Mutex
	sequences []string
}

func (r *retries) add(rec Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sequences = append(r.sequences, rec.Sequence)
}

func (r *retries) response() events.DynamoDBEventResponse {
	resp := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for _, s := range r.sequences {
		resp.BatchItemFailures = append(resp.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: s})
	}
	return resp
}

// Failure describes a record that could not be read, or whose feed could not be read. It holds no
// contents.
type Failure struct {
	Room     chat.RoomID `json:"room,omitempty"` // empty if it is unknown
	Key      string      `json:"key,omitempty"`  // the item's sort key; for an erasure, the person's partition
	Sequence string      `json:"sequence"`       // the record's sequence number in the stream
	EventID  string      `json:"event"`
	Reason   string      `json:"reason"`
}

// Failures stores failures for an operator.
type Failures interface {
	// Keep stores a failure. When it returns nil, the failure is durable.
	Keep(ctx context.Context, f Failure) error
}

// Options are the settings of a Handler or an Appender. Both need Store and Clock. A Handler also
// needs Failures and Log. An Appender ignores Failures, Log, Read, Projections, Consumers and
// Eraser.
type Options struct {
	Store Store
	// Read reads a record of the stream; nil means the function Read.
	Read     func(events.DynamoDBEventRecord) Record
	Failures Failures
	Clock    func() time.Time
	// Retention is how long segments are stored; zero means feed.DefaultRetention.
	Retention time.Duration
	// Memory bounds the bytes of the ends of feeds that stay in memory; zero means a default of 32
	// MB. A single room keeps up to a sixteenth. The rest is read again when needed. A Repair
	// compares with every change of a room, so its Appender should remember all changes.
	Memory int
	// Jitter returns a random number in [0, 1) that scales waits; nil means math/rand.
	Jitter func() float64
	Log    *slog.Logger
	// Projections are performed for each batch, in this order, before the consumers are called.
	Projections []Projection
	// Consumers receive the entries that each batch appended.
	Consumers []Consumer
	// Eraser erases deleted people; nil erases nobody.
	Eraser Eraser
}

// The log line of a batch names the room with the most changes, and their number, in these fields.
// The dashboard's query for the busiest rooms adds them up. Two fields cost nothing, but a line
// for each room would be most of the log.
const (
	LogBusiest        = "busiest"
	LogBusiestChanges = "busiestChanges"
)
