package hook

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/wire"
)

// roomsAtOnce is the number of rooms that are read concurrently. What does not fit in the answer
// was read for nothing.
const roomsAtOnce = 8

// Answer is the result of one Fetch.
type Answer struct {
	// ID follows from the ranges of changes, so that a repetition of them has the same. It is empty
	// if no room has changes. If all changes are of types that the hook does not want, there is an
	// ID, and no room.
	ID    string
	Rooms []RoomChanges
	More  bool // other changes wait already

	early []chat.RoomID // rooms with news that the heads of their feeds do not include yet
}

// RoomChanges are the changes of a room after those that the program has received.
type RoomChanges struct {
	Room    chat.RoomID
	Entries []feed.Entry // with consecutive numbers, unless the hook wants some types only
	// Since is the position after Entries, or the end of the feed after a Reset.
	Since chat.FeedPosition
	// Reset reports that changes in between are no longer stored, or that a backup was restored:
	// the program must read the room's messages again.
	Reset bool
	// Deleted reports that the room was deleted. Nothing follows.
	Deleted bool

	end bool // Since is the end of the feed
	// early reports that the head of the feed does not include the news yet, so that nothing can be
	// given.
	early bool
}

// Fetch returns the changes that wait for the program of a hook, and takes what it returned before
// as received. If got is not nil, it does so only if got is the ID of that answer, and returns it
// again otherwise, possibly with later changes. So a program that gives the ID of the last answer
// that it has processed misses nothing, whatever fails. One program at a time may fetch.
//
// Without news it costs 2.5 read units. Each room of an answer costs about 4 read units and the
// reads of its messages, and 2 write units once it is received. The answer itself costs one write
// unit for each KB.
func (s *Service) Fetch(ctx context.Context, access Access, id ID, got *string) (Answer, error) {
	h, err := s.own(ctx, access, id)
	if err == nil && h.URL != "" {
		err = chat.Conflictf("the changes of this hook are sent to its url")
	}
	if err != nil {
		return Answer{}, err
	}
	last, _, err := dynamo.ReadStrong(ctx, s.table, "read answer of a hook", h.AnswerKey(), parseAnswer)
	if err != nil {
		return Answer{}, err
	}
	start := last.next
	// An answer from before a replay is void.
	if done := last.epoch == h.Epoch && (got == nil || *got == last.id); !done {
		start = last.start
	} else if err := s.settle(ctx, h, last, true); err != nil {
		return Answer{}, err
	}
	waiting, more, err := s.due(ctx, h, start, dynamo.Eventual)
	if err == nil && len(waiting) == 0 && start != "" {
		start = ""
		waiting, more, err = s.due(ctx, h, start, dynamo.Eventual)
	}
	if err != nil {
		return Answer{}, err
	}
	a, next, err := s.read(ctx, h, waiting, MaxChanges)
	if err != nil {
		return Answer{}, err
	}
	if next == "" {
		next = more
	}
	a.More = a.More || more != "" || start != "" && len(a.Rooms) > 0
	kept := a.stored(h, start, next)
	a.filter(h.Types)
	return a, s.keep(ctx, h, last, kept)
}

// settle moves the cursors of a hook to the ends of an answer that its program has received. rows
// is as in settleRoom.
func (s *Service) settle(ctx context.Context, h Hook, a answer, rows bool) error {
	return each(ctx, a.rooms, func(ctx context.Context, r answered) error { return s.settleRoom(ctx, h, r, rows) })
}

// settleRoom moves the cursor of a room. If changes wait behind it, the room stays due. rows is
// false if it has no row.
func (s *Service) settleRoom(ctx context.Context, h Hook, r answered, rows bool) error {
	if r.Deleted {
		if _, err := s.table.DeleteItem(ctx, "forget cursor", h.CursorKey(r.Room)); err != nil || !rows {
			return err
		}
		_, err := s.table.DeleteItem(ctx, "forget deleted room", h.DueKey(r.Room))
		return err
	}
	c := cursor{room: r.Room, at: chat.FeedPosition{Seq: r.Seq, Generation: r.Generation}, epoch: h.Epoch}
	// The cursor first, so that a replay finds the room.
	if _, err := s.table.TryUpdate(ctx, "move cursor", h.CursorKey(r.Room), cursorUpdate(c)); err != nil {
		return err
	}
	if !r.End || !rows {
		return nil
	}
	_, _, err := s.table.DeleteItemIf(ctx, "settle room", h.DueKey(r.Room), received(r.Seq, h.Epoch))
	return err
}

// read reads the changes of rooms in their order until the answer has as many as most, or is full.
// next is the last room that is answered if others wait.
func (s *Service) read(
	ctx context.Context, h Hook, waiting []due, most int,
) (a Answer, next chat.RoomID, err error) {
	changes, bytes := 0, 0
	for from := 0; from < len(waiting); from += roomsAtOnce {
		part := waiting[from:min(from+roomsAtOnce, len(waiting))]
		all := make([]*RoomChanges, len(part))
		calls, inner := errgroup.WithContext(ctx)
		for i, d := range part {
			calls.Go(func() (err error) {
				all[i], err = s.room(inner, h, d, most-changes)
				return err
			})
		}
		if err := calls.Wait(); err != nil {
			return Answer{}, "", err
		}
		for i, r := range all {
			if r == nil {
				continue
			}
			if r.early {
				a.early = append(a.early, r.Room)
			}
			full := r.limit(most-changes, MaxBytes-bytes, len(a.Rooms) == 0)
			if len(r.Entries) > 0 || r.Reset || r.Deleted {
				a.Rooms, next = append(a.Rooms, *r), r.Room
			}
			changes, bytes = changes+len(r.Entries), bytes+bytesOf(r.Entries)
			a.More = a.More || !r.end && !r.Deleted && !r.early
			if full || changes >= most {
				a.More = a.More || from+i+1 < len(waiting)
				return a, next, nil
			}
		}
	}
	return a, "", nil
}

// room returns the changes of a room that wait, or nil if none do.
func (s *Service) room(ctx context.Context, h Hook, d due, limit int) (*RoomChanges, error) {
	if !h.has(d.room) || d.room.Private() && !s.rules.Private { // the settings have changed
		return nil, s.settleRoom(ctx, h, answered{Room: d.room, Deleted: true}, true)
	}
	since, err := s.position(ctx, h, d)
	if err != nil {
		return nil, err
	}
	c, err := s.feed.All(ctx, d.room, since, limit)
	r := &RoomChanges{Room: d.room, Entries: c.Entries, Since: c.Since, Reset: c.Reset, end: c.Since.Seq == c.Head}
	switch {
	case chat.KindOf(err) == chat.NotFound:
		return &RoomChanges{Room: d.room, Deleted: true}, nil
	case err != nil:
		return nil, err
	case c.Reset && d.seq > c.Head:
		return &RoomChanges{Room: d.room, early: true}, nil
	case c.Reset:
		r.Since, err = s.feed.End(ctx, d.room)
		r.end = true
		return r, err
	case len(c.Entries) == 0 && d.seq <= c.Head: // it was received, and the row stayed
		a := answered{Room: d.room, Seq: since.Seq, Generation: since.Generation, End: true}
		return nil, s.settleRoom(ctx, h, a, true)
	case len(c.Entries) == 0:
		return &RoomChanges{Room: d.room, early: true}, nil
	}
	return r, nil
}

// position returns the position up to which a program has received a room's changes.
func (s *Service) position(ctx context.Context, h Hook, d due) (chat.FeedPosition, error) {
	c, found, err := dynamo.ReadStrong(ctx, s.table, "read cursor", h.CursorKey(d.room), parseCursor)
	switch {
	case err != nil:
		return chat.FeedPosition{}, err
	case !found:
		return d.first, nil
	case c.epoch == h.Epoch:
		return c.at, nil
	}
	at, err := s.positionAt(ctx, d.room, h.From)
	if c.at.Seq < at.Seq { // a replay skips nothing that waits
		at = c.at
	}
	return at, err
}

// positionAt returns a position behind which are all changes that were appended at a time or later,
// as far as they are stored.
func (s *Service) positionAt(ctx context.Context, room chat.RoomID, at time.Time) (chat.FeedPosition, error) {
	tail, head, err := s.tails.FeedTail(ctx, room, 0, at)
	switch {
	case err != nil:
		return chat.FeedPosition{}, err
	case len(tail) == 0:
		return chat.FeedPosition{Seq: head.Last, Generation: head.Generation}, nil
	case tail[0].WrittenAt.Before(at):
		return chat.FeedPosition{Seq: tail[0].Last(), Generation: tail[0].Generation}, nil
	}
	return chat.FeedPosition{Seq: tail[0].First - 1, Generation: tail[0].Generation}, nil
}

// limit cuts off the entries that do not fit in an answer: more than a number, or more than some
// bytes. An answer has at least one. It reports whether it cut any off.
func (r *RoomChanges) limit(entries, bytes int, first bool) bool {
	n := min(len(r.Entries), entries)
	for i, e := range r.Entries[:n] {
		if bytes -= bytesOf([]feed.Entry{e}); bytes < 0 && (!first || i > 0) {
			n = i
			break
		}
	}
	if n == len(r.Entries) {
		return false
	}
	r.Since.Seq, r.end = r.Entries[n].Seq-1, false
	r.Entries = r.Entries[:n]
	return true
}

// filter leaves out the changes of other types than some, and rooms without anything else. All
// types are wanted if there are none.
func (a *Answer) filter(types []string) {
	if len(types) == 0 {
		return
	}
	other := func(e feed.Entry) bool { return !slices.Contains(types, e.Change.Type.String()) }
	for i, r := range a.Rooms {
		a.Rooms[i].Entries = slices.DeleteFunc(r.Entries, other)
	}
	a.Rooms = slices.DeleteFunc(a.Rooms, func(r RoomChanges) bool {
		return !r.Reset && !r.Deleted && len(r.Entries) == 0
	})
}

// bytesOf returns the size of entries, which their messages determine.
func bytesOf(all []feed.Entry) (n int) {
	for _, e := range all {
		if e.Message != nil {
			n += e.Message.PageBytes()
		}
	}
	return n
}

// stored returns the answer as it is kept, and gives a its ID.
func (a *Answer) stored(h Hook, start, next chat.RoomID) answer {
	kept := answer{epoch: h.Epoch, start: start, next: next}
	for _, r := range a.Rooms {
		kept.rooms = append(kept.rooms, answered{
			Room: r.Room, Seq: r.Since.Seq, Generation: r.Since.Generation, End: r.end, Deleted: r.Deleted,
		})
	}
	if len(a.Rooms) == 0 {
		return kept
	}
	ranges := []any{h.rowsPK(), h.Epoch}
	for _, r := range a.Rooms {
		first := r.Since.Seq - int64(len(r.Entries))
		ranges = append(ranges, r.Room, r.Since.Generation, first, r.Since.Seq, r.Reset, r.Deleted)
	}
	text, _ := json.Marshal(ranges) // of texts, numbers and truth values
	sum := sha256.Sum256(text)
	a.ID = base64.RawURLEncoding.EncodeToString(sum[:16])
	kept.id = a.ID
	return kept
}

// keep stores what a program is given, if it or the answer before has any changes.
func (s *Service) keep(ctx context.Context, h Hook, last, a answer) error {
	switch {
	case len(a.rooms) > 0:
		_, err := s.table.PutItem(ctx, "keep answer of a hook", answerItem(h, a), table.Update{})
		return err
	case last.id != "":
		_, err := s.table.DeleteItem(ctx, "forget answer of a hook", h.AnswerKey())
		return err
	}
	return nil
}

// Wire returns the form of r for programs.
func (r RoomChanges) Wire() wire.HookRoom {
	b := wire.HookRoomOf(r.Room, r.Entries, r.Since)
	b.Reset, b.Deleted = r.Reset, r.Deleted
	if r.Deleted {
		b.Since = ""
	}
	return b
}
