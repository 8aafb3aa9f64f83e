package live

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// readTime bounds the reading of a batch's audiences. DynamoDB seldom takes so long. If it
	// does, it delays the appends of later batches in any case.
	readTime = 2 * time.Second
	// postTime bounds the posts of a batch. Later batches of the same shard of the stream wait that
	// long.
	postTime = 300 * time.Millisecond
	// maxCutAge is the age from which changes that were cut off are no longer sent, but only their
	// last number: the client reads them.
	maxCutAge = 5 * time.Second
	// maxCutPieces bounds the memory for changes that were cut off: 16 MB.
	maxCutPieces = 500
	// countsInterval is the shortest time between two counts frames to a connection. Badges need
	// not be faster, and connections with counts then cost less than connections with changes.
	countsInterval = 2 * time.Second
	// readsAtOnce is how many audiences are read concurrently.
	readsAtOnce = 16
	// postsAtOnce is how many connections receive posts concurrently: at 5 ms a post, 64 exceed
	// the allowed rate of posts.
	postsAtOnce = 64
)

// DeliveryLine is the message of the log line of each batch that was delivered to connections.
const DeliveryLine = "delivery"

// DeliveryOptions are the settings of a Delivery. Fields without a default are required.
type DeliveryOptions struct {
	Rows        Rows
	Connections ConnectionRows
	Rooms       chat.Authorizer
	// Details and Blocks are for events about messages in direct rooms, which all connections of
	// their people receive. Without Details there are none.
	Details Details
	Blocks  chat.Blocks
	Poster  Poster
	// Missed stores what connections have missed; nil means that only this process knows it.
	Missed MissedRows
	// After calls f after a time. Then connections that missed changes hear of them without another
	// batch. It is nil if the process does not run between batches.
	After func(d time.Duration, f func())
	Clock func() time.Time
	Log   *slog.Logger
	// Pacing returns how the Poster has kept within the account's rate. It may be nil.
	Pacing func() Pacing
	// Wait waits for a time, or until ctx ends; nil means this package's Wait.
	Wait func(ctx context.Context, d time.Duration)
	// Times bound the delivery of a batch.
	Times Times
	// Sequential makes all calls in the caller's goroutine, one after another.
	Sequential bool
}

// Times bound the parts of a delivery. Zeros mean 2 s and 300 ms.
type Times struct {
	// Read is for all audiences of a batch.
	Read time.Duration
	// Post is for all posts of a batch. A connection counts as hung when one post to it takes a
	// third of this time.
	Post time.Duration
}

// Delivery sends the changes that were appended to feeds to the connections that subscribe to them.
// It implements stream.Consumer.
//
// The feed function creates one at its cold start, and chat serve one for its lifetime. The
// stream.Handler calls Consume after each append. A Delivery remembers what one call leaves for the
// next: connections for which the time was too short, those that missed changes, and those that
// may be closed. If its process ends first, their clients learn of it by the heads of a later
// call, of a sync or of a poll, because a frame is never the only way to a change. What must
// survive is in the table of connections. Nothing ends a Delivery but its process. It is safe for
// concurrent use.
type Delivery struct {
	o     DeliveryOptions
	ends  *ends
	rests *Rests

	mu        sync.Mutex
	cut       []*piece                   // pieces for which the last batch had no time
	undecided map[chat.MemberOf]bool     // people who may have been removed
	counted   map[ConnectionID]time.Time // when counts were last sent
	closing   map[ConnectionID]time.Time // when a connection that was sent its last frame may be closed
	missing   map[ConnectionID]*missing  // connections that missed changes
	looked    time.Time                  // when Missed was last read
	sent      map[chat.RoomID]int64      // the last number of each room
	scheduled bool                       // After will call
	direct    map[chat.RoomID][]chat.UserID
}

// NewDelivery returns a delivery.
func NewDelivery(o DeliveryOptions) *Delivery {
	o.Times.Read = cmp.Or(o.Times.Read, readTime)
	o.Times.Post = cmp.Or(o.Times.Post, postTime)
	if o.Wait == nil {
		o.Wait = Wait
	}
	if o.Pacing == nil {
		o.Pacing = func() Pacing { return Pacing{} }
	}
	return &Delivery{
		o: o, ends: newEnds(o.Connections), rests: NewRests(o.Clock), undecided: map[chat.MemberOf]bool{},
		counted: map[ConnectionID]time.Time{},
		closing: map[ConnectionID]time.Time{}, missing: map[ConnectionID]*missing{}, sent: map[chat.RoomID]int64{},
		direct: map[chat.RoomID][]chat.UserID{},
	}
}

// Consume sends each connection the changes of all rooms that it subscribes to, and the personal
// changes of its person. It is called after the append of the changes. It returns within o.Times:
// connections that it has not reached by then come first in the next call. First, within
// suspendTime, it ends the connections of suspended people. It closes connections to which an
// earlier call sent their last frame.
//
// Connections that missed changes are sent the heads of their rooms: in this call, if another
// process or an earlier call remembers them.
func (d *Delivery) Consume(ctx context.Context, given feed.Batch) error {
	endErr := d.endPeople(ctx, given.Suspended)
	before := d.o.Pacing()
	b := d.newBatch(given)
	d.addDirect(ctx, b)
	d.read(ctx, b)
	tasks := d.plan(b)
	postCtx, cancel := context.WithTimeout(ctx, d.o.Times.Post)
	defer cancel()
	d.post(postCtx, tasks)
	d.closeDue(postCtx)
	r, rows := d.settle(b, tasks, d.o.Pacing().since(before))
	endErr = errors.Join(endErr, b.missedErr, d.share(ctx, rows, b.now))
	d.continueLater()
	if r.any() {
		r.log(ctx, d.o.Log)
	}
	errs := []error{endErr}
	for _, room := range b.rooms {
		errs = append(errs, room.err)
	}
	for _, person := range b.people {
		errs = append(errs, person.err)
	}
	if i := slices.IndexFunc(tasks, func(t *task) bool { return t.err != nil }); i >= 0 {
		errs = append(errs, tasks[i].err) // the others are alike
	}
	return errors.Join(errs...)
}

// continueLater lets the rest of the work run without another batch, if the process runs on.
func (d *Delivery) continueLater() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.o.After == nil || d.scheduled || len(d.missing)+len(d.cut) == 0 {
		return
	}
	d.scheduled = true
	d.o.After(tellInterval, func() {
		d.mu.Lock()
		d.scheduled = false
		d.mu.Unlock()
		if err := d.Consume(context.Background(), feed.Batch{}); err != nil {
			d.o.Log.Warn("late changes were not delivered", "error", err)
		}
	})
}

// ReasonSuspended is the reason in the last frame to a person who was suspended.
const ReasonSuspended = "suspended"

// suspendTime bounds the time for ending suspended people's connections, including CloseDelay. The
// changes of the batch wait that long. Suspensions are rare, and nothing else ends these
// connections.
const suspendTime = 2 * time.Second

// endPeople ends all connections of suspended people. Their subscriptions end first, so
// connections that cannot be closed at present receive nothing. After all last frames and one
// wait, all connections are closed. They stay stored until then.
func (d *Delivery) endPeople(ctx context.Context, people []chat.UserID) error {
	if len(people) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, suspendTime)
	defer cancel()
	var mu sync.Mutex
	var errs []error
	var told []Opened
	d.each(readsAtOnce, len(people), func(i int) {
		all, err := d.o.Connections.Connections(ctx, people[i])
		for _, o := range all {
			leaveErr := d.announceEnd(ctx, o)
			mu.Lock()
			if leaveErr == nil {
				told = append(told, o)
			}
			mu.Unlock()
			err = errors.Join(err, leaveErr)
		}
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	if len(told) > 0 {
		d.o.Wait(ctx, CloseDelay)
	}
	d.each(readsAtOnce, len(told), func(i int) {
		err := d.closeSuspended(ctx, told[i].Connection)
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	return errors.Join(errs...)
}

// announceEnd ends the subscriptions of a connection, and sends its last frame.
func (d *Delivery) announceEnd(ctx context.Context, o Opened) error {
	if _, err := d.o.Rows.Leave(ctx, o.Connection, o.Rooms); err != nil {
		return err
	}
	// the client learns it when it connects again
	_ = d.o.Poster.Post(ctx, o.ID, notice("closing", "reason", ReasonSuspended))
	return nil
}

// closeSuspended closes a connection, and deletes it.
func (d *Delivery) closeSuspended(ctx context.Context, c Connection) error {
	if err := d.o.Poster.Close(ctx, c.ID); err != nil && !errors.Is(err, ErrGone) {
		return err
	}
	_, _, err := disconnect(ctx, d.o.Rows, d.o.Connections, c)
	return err
}
