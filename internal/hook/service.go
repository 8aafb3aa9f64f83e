package hook

import (
	"context"
	"io"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/table"
)

// callsAtOnce bounds the concurrent calls of one request.
const callsAtOnce = 16

// Tails reads feeds from their ends.
type Tails interface {
	// FeedTail returns the segments from the last one that was written before since, or all that
	// are left, oldest first, and the head if after is 0. It costs a read unit for every 4 KB.
	FeedTail(
		ctx context.Context, room chat.RoomID, after int64, since time.Time,
	) (tail []feed.Segment, head feed.Head, err error)
}

// each calls f for all items, callsAtOnce at a time. It returns the first error, which ends the
// context of the other calls.
func each[T any](ctx context.Context, items []T, f func(context.Context, T) error) error {
	calls, ctx := errgroup.WithContext(ctx)
	calls.SetLimit(callsAtOnce)
	for _, item := range items {
		calls.Go(func() error { return f(ctx, item) })
	}
	return calls.Wait()
}

// Options are the settings of a Service. Rooms and Audit are needed for the hooks of rooms. All
// others but Rules and Addresses are required.
type Options struct {
	Table  *dynamo.Table
	Feed   *feed.Service
	Tails  Tails
	Clock  func() time.Time
	Random io.Reader // for secrets
	Rooms  *chat.Service
	Audit  chat.Auditor
	Rules  Rules
	// Addresses are the ones that hooks may have.
	Addresses outgoing.Options
}

// Rules are what a deployment allows.
type Rules struct {
	On      bool // services may have hooks
	Private bool // hooks may have private and direct rooms
	Owners  bool // owners of rooms may have hooks of their rooms
}

// Service keeps hooks. It is safe for concurrent use. All methods return a
// *chat.Error, of kind Unavailable if the table cannot answer now, and NotFound for a hook that the
// caller does not have.
type Service struct {
	table    *dynamo.Table
	feed     *feed.Service
	tails    Tails
	clock    func() time.Time
	random   io.Reader
	rooms    *chat.Service
	accounts account.Store
	audit    chat.Auditor
	rules    Rules
	to       outgoing.Options
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		table: o.Table, feed: o.Feed, tails: o.Tails, clock: o.Clock, random: o.Random, rooms: o.Rooms,
		accounts: account.NewStore(o.Table), audit: o.Audit, rules: o.Rules, to: o.Addresses,
	}
}

// now returns the time with the precision of hooks.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

// hook returns a hook of a holder: 1 read unit.
func (s *Service) hook(ctx context.Context, holder Holder, id ID) (h Hook, found bool, err error) {
	return dynamo.ReadStrong(ctx, s.table, "read hook", key(holder, id), Parse)
}

// own is hook, with the error NotFound if there is none.
func (s *Service) own(ctx context.Context, a Access, id ID) (Hook, error) {
	h, found, err := s.hook(ctx, a.holder, id)
	if err == nil && !found {
		err = errNoHook()
	}
	return h, err
}

// allHooks returns all hooks, by holder and id: 1 read unit for every 4 KB.
func allHooks(ctx context.Context, t *dynamo.Table) ([]Hook, error) {
	q := dynamo.Query{Operation: "list hooks", Partition: hooksPK, Consistency: dynamo.Strong}
	return dynamo.QueryAll(ctx, t, q, Parse)
}

// State is what waits for a program.
type State struct {
	Rooms int       // the number of rooms with changes that wait, up to MaxWaiting
	Since time.Time // when the oldest of them was noticed; zero if none waits

	// Status is one of the constants below for a hook with a URL, which also has a DeliveryState.
	Status string
	DeliveryState
}

// The values of State.Status.
const (
	Sending  = "sending"
	Paused   = "paused"
	Disabled = "disabled" // for its failures
	Off      = "off"      // as its owner wants
	// Unverified is the status of a room's hook whose receiver has not answered a challenge.
	Unverified = "unverified"
)

// MaxWaiting is the most rooms that a State counts: some 8 KB.
const MaxWaiting = 100

// Hook returns a hook with its state: 1 read unit, and half of one for every 4 KB of the state.
// Changes of the last second may be missing in the state.
func (s *Service) Hook(ctx context.Context, a Access, id ID) (Hook, State, error) {
	h, err := s.own(ctx, a, id)
	if err != nil {
		return Hook{}, State{}, err
	}
	waiting, _, err := s.due(ctx, h, "", dynamo.Eventual)
	if err != nil {
		return Hook{}, State{}, err
	}
	state := State{Rooms: len(waiting)}
	if h.URL != "" {
		d, err := s.delivery(ctx, h)
		if err != nil {
			return Hook{}, State{}, err
		}
		state.DeliveryState, state.Status = d.DeliveryState, s.status(h, d.DeliveryState)
	}
	for _, d := range waiting {
		if state.Since.IsZero() || d.since.Before(state.Since) {
			state.Since = d.since
		}
	}
	return h, state, nil
}

// status returns what a hook with an address does.
func (s *Service) status(h Hook, d DeliveryState) string {
	switch {
	case h.Off:
		return Off
	case d.Disabled != "":
		return Disabled
	case !d.verified(h):
		return Unverified
	case s.clock().Before(d.Paused):
		return Paused
	}
	return Sending
}

// Hooks returns all hooks that the caller has, by their ids: 1 read unit for every 4 KB.
func (s *Service) Hooks(ctx context.Context, a Access) ([]Hook, error) {
	q := dynamo.Query{
		Operation: "list own hooks", Partition: hooksPK, Keys: dynamo.WithPrefix(string(a.holder) + "#"),
		Consistency: dynamo.Strong,
	}
	return dynamo.QueryAll(ctx, s.table, q, Parse)
}

// Delete deletes a hook with its rows, of which it has up to two for each room. The rows are
// deleted first, so that a repeated request finds the rest. A row that the outbox writes
// meanwhile belongs to no hook, also if another is created with this id.
func (s *Service) Delete(ctx context.Context, a Access, id ID) error {
	h, err := s.own(ctx, a, id)
	if err == nil {
		err = s.remove(ctx, h)
	}
	if err == nil {
		s.audited(ctx, a, actionRemoved, h)
	}
	return err
}

// remove deletes a hook with its rows.
func (s *Service) remove(ctx context.Context, h Hook) error {
	q := dynamo.Query{
		Operation: "list rows of a hook", Partition: h.rowsPK(), Consistency: dynamo.Strong,
		Projection: table.PK + ", " + table.SK,
	}
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		return each(ctx, items, func(ctx context.Context, item table.Item) error {
			_, err := s.table.DeleteItem(ctx, "delete row of a hook", item)
			return err
		})
	})
	if err != nil {
		return err
	}
	_, failed, err := s.table.DeleteItemIf(ctx, "delete hook", key(h.Holder, h.ID), unchanged(h))
	if failed || err != nil {
		return orBusy(err)
	}
	return nil
}

// orBusy returns err, or the error of a change that lost a race.
func orBusy(err error) error {
	if err == nil {
		err = chat.TooBusy()
	}
	return err
}

// Replay sets a hook back: its program receives all changes since a time again, as far as they are
// stored. A room whose changes since then are no longer stored is answered with Reset.
//
// If an earlier replay is unfinished, both continue from the earlier time. The error is Invalid for
// a time in the future; one before the hook was created stands for its creation. It reads all rows
// of the hook, in read units of 4 KB, and costs a write unit for each room that the hook has told
// of.
func (s *Service) Replay(ctx context.Context, a Access, id ID, from time.Time) error {
	h, err := s.own(ctx, a, id)
	if err != nil {
		return err
	}
	now := s.now()
	if from.After(now) {
		return chat.Invalidf("from", "must not be in the future")
	}
	if from = from.UTC().Truncate(time.Millisecond); from.Before(h.CreatedAt) {
		from = h.CreatedAt
	}
	// A cursor that is written meanwhile is of changes that are given while the hook replays.
	q := dynamo.Query{
		Operation: "list cursors", Partition: h.rowsPK(), Keys: dynamo.WithPrefix(cursorPrefix),
		Consistency: dynamo.Strong,
	}
	cursors, err := dynamo.QueryAll(ctx, s.table, q, parseCursor)
	if err != nil || len(cursors) == 0 {
		return err
	}
	if h, err = s.setBack(ctx, h, from); err != nil {
		return err
	}
	err = each(ctx, cursors, func(ctx context.Context, c cursor) error {
		if c.epoch == h.Epoch { // a repeated request, whose replay has reached the room
			return nil
		}
		return s.table.UpdateBlindly(ctx, "wake hook again", h.DueKey(c.room), wakeAgain(c, h.Epoch, now))
	})
	if err != nil || h.URL == "" {
		return err
	}
	return s.touch(ctx, h, attrChanged) // its rows are all there
}

// setBack begins a new epoch of a hook, unless one from the same time or an earlier one has not
// ended.
func (s *Service) setBack(ctx context.Context, h Hook, from time.Time) (Hook, error) {
	unfinished, err := s.replays(ctx, h)
	if err != nil {
		return h, err
	}
	if unfinished && h.From.Equal(from) {
		return h, nil
	}
	next := h
	next.Epoch, next.From = h.Epoch+1, from
	if unfinished && h.From.Before(from) {
		next.From = h.From
	}
	if ok, err := s.table.PutItem(ctx, "replay hook", Item(next), unchanged(h)); !ok || err != nil {
		return h, orBusy(err)
	}
	return next, nil
}

// replays reports whether rooms wait to be replayed, or have done so since they were last settled.
func (s *Service) replays(ctx context.Context, h Hook) (found bool, err error) {
	q := dynamo.Query{
		Operation: "list replays", Partition: h.rowsPK(), Keys: dynamo.WithPrefix(duePrefix),
		Consistency: dynamo.Strong,
		Filter: table.Filter{
			Expression: "attribute_exists(#epoch)", Names: map[string]string{"#epoch": attrEpoch},
		},
	}
	err = s.table.EachPage(ctx, q, func(items []table.Item) error { found = found || len(items) > 0; return nil })
	return found, err
}

// due returns rooms with changes that wait, by their ids, after a room: at most MaxWaiting. next is
// the last of them if more may follow. An eventual read may miss changes of the last second. It
// costs half a read unit for every 4 KB, which hold some 40 rooms; a strong one costs twice that.
func (s *Service) due(
	ctx context.Context, h Hook, after chat.RoomID, c dynamo.Consistency,
) (all []due, next chat.RoomID, err error) {
	q := dynamo.Query{
		Operation: "list due rooms", Partition: h.rowsPK(), Keys: dynamo.WithPrefix(duePrefix),
		Consistency: c, Limit: MaxWaiting,
	}
	if after != "" {
		q.Start = h.DueKey(after)
	}
	items, last, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, "", err
	}
	if last != nil {
		next = chat.RoomID(strings.TrimPrefix(table.KeyPart(last, table.SK), duePrefix))
	}
	all, err = dynamo.ParseItems(q.Operation, items, parseDue)
	return all, next, err
}
