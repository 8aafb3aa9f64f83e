package restore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/shard"
	"parley/internal/table"
)

// change is a set of writes that take effect together.
type change = []dynamo.Write

// clockSkew is how far a segment may be dated off the changes in it.
const clockSkew = time.Minute

// rooms are the rooms that a run has met.
type rooms struct {
	run    *run
	mu     sync.Mutex
	states map[chat.RoomID]*roomState
}

// roomState is what is known of a room. A room is put back before anything that is in it.
type roomState struct {
	once   sync.Once
	err    error
	here   bool // in either table
	epochs shard.Epochs
	toHead chat.FeedHead
	from   chat.FeedHead
	since  evidence
}

// evidence is what a feed tells of the time since the restore point.
type evidence struct {
	deleted map[chat.MessageID]time.Time
	members map[chat.UserID]bool // whose membership has changed in whatever way
}

// state reads what both tables have of a room, the first time it is met.
func (rs *rooms) state(ctx context.Context, id chat.RoomID) (*roomState, error) {
	rs.mu.Lock()
	s := rs.states[id]
	if s == nil {
		s = &roomState{}
		rs.states[id] = s
	}
	rs.mu.Unlock()
	s.once.Do(func() { s.err = rs.run.loadRoom(ctx, id, s) })
	return s, s.err
}

// stateOf returns the state of an item's room. It is nil where neither table has the room: the item is
// left alone.
func (r *run) stateOf(ctx context.Context, id chat.RoomID, item table.Item) (*roomState, error) {
	s, err := r.rooms.state(ctx, id)
	if err != nil || s.here {
		return s, err
	}
	r.tally.add(table.KindOf(item), Unknown)
	r.Note(table.KeyText(item), "neither table has its room")
	return nil, nil
}

func (r *run) loadRoom(ctx context.Context, id chat.RoomID, s *roomState) error {
	theirs, err := r.from.partition(ctx, table.RoomPK(id))
	if err != nil {
		return err
	}
	ours, err := r.to.partition(ctx, table.RoomPK(id))
	if err != nil {
		return err
	}
	for _, items := range [][]table.Item{theirs, ours} { // ours count for more
		for _, item := range items {
			if table.KindOf(item) != table.ShardsKind {
				continue
			}
			if s.epochs, err = table.ParseShards(item); err != nil {
				return fmt.Errorf("room %s: %w", id, err)
			}
			s.here = true
		}
	}
	if s.toHead, err = r.store(r.To).FeedHead(ctx, id); err != nil {
		return err
	}
	if s.from, err = r.store(r.From).FeedHead(ctx, id); err != nil {
		return err
	}
	s.since, err = r.evidence(ctx, id)
	return err
}

// evidence reads what the feed of the table that is written tells since the restore point.
func (r *run) evidence(ctx context.Context, id chat.RoomID) (evidence, error) {
	e := evidence{deleted: map[chat.MessageID]time.Time{}, members: map[chat.UserID]bool{}}
	tail, _, err := r.store(r.To).FeedTail(ctx, id, 0, r.Point.Add(-clockSkew))
	if err != nil {
		return e, fmt.Errorf("feed of %s: %w", id, err)
	}
	for _, s := range tail {
		e.add(s, r.Point)
	}
	return e, nil
}

// add takes a segment whose changes were made after a time. It may hold some that were made before.
func (e *evidence) add(s chat.Segment, after time.Time) {
	made := s.CreatedTo
	if made.IsZero() {
		made = s.WrittenAt
	}
	if made.Before(after.Truncate(time.Second)) { // the stream tells whole seconds
		return
	}
	for _, c := range s.Changes {
		switch c.Type {
		case chat.MessageDeleted:
			e.deleted[c.Message] = made
		case chat.MemberChanged:
			e.members[c.User] = true
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// copyRoom puts back what is missing of a room, and its name, place and permissions where they are of
// an older revision. It is called for the room's metadata.
func (r *run) copyRoom(ctx context.Context, id chat.RoomID) error {
	return r.settle(ctx, table.RoomKind, func(ctx context.Context) (Outcome, change, error) {
		theirs, err := r.from.partition(ctx, table.RoomPK(id))
		if err != nil {
			return "", nil, err
		}
		ours, err := r.to.partition(ctx, table.RoomPK(id))
		if err != nil {
			return "", nil, err
		}
		have := byKind(ours)
		var missing change
		for _, item := range theirs {
			if have[table.KindOf(item)] == nil {
				missing = append(missing, r.to.PutNew(item))
			}
		}
		if len(missing) > 0 || have[table.RoomKind] == nil {
			return Put, missing, nil
		}
		return r.newerRoom(byKind(theirs), have)
	})
}

func (r *run) newerRoom(theirs, ours map[table.Kind]table.Item) (Outcome, change, error) {
	before, err := read(ours[table.RoomKind], table.ParseMetadata)
	if err != nil {
		return "", nil, err
	}
	after, err := table.ParseMetadata(theirs[table.RoomKind])
	if err != nil {
		return "", nil, err
	}
	switch {
	case after.Revision == before.Revision:
		return Same, nil, nil
	case after.Revision < before.Revision || theirs[table.PermissionsKind] == nil:
		return Newer, nil, nil
	}
	return Replaced, change{
		r.to.Put(theirs[table.RoomKind], table.RevisionIs(before.Revision)),
		r.to.PutAny(theirs[table.PermissionsKind]),
	}, nil
}

func byKind(items []table.Item) map[table.Kind]table.Item {
	m := map[table.Kind]table.Item{}
	for _, item := range items {
		m[table.KindOf(item)] = item
	}
	return m
}
