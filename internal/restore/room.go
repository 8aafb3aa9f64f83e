package restore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// change is a set of writes that take effect together.
type change = []dynamo.Write

// clockSkew is the maximum difference between a segment's time and its changes' times.
const clockSkew = time.Minute

// rooms holds the states of the rooms that a run has encountered.
type rooms struct {
	run    *run
	mu     sync.Mutex
	states map[chat.RoomID]*roomState
}

// roomState is the state of a room in both tables. A room is put back before its contents.
type roomState struct {
	once   sync.Once
	err    error
	here   bool // in either table
	gone   bool // deleted in either table
	epochs shard.Epochs
	direct chat.Room // of a direct room; zero for every other
	toHead feed.Head
	from   feed.Head
	since  evidence
}

// evidence holds the changes in a feed since the restore point.
type evidence struct {
	deleted map[chat.MessageID]time.Time
	members map[chat.UserID]bool // the members whose membership has changed in any way
}

func newEvidence() evidence {
	return evidence{deleted: map[chat.MessageID]time.Time{}, members: map[chat.UserID]bool{}}
}

// state returns the state of a room. It reads both tables the first time.
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

// stateOf returns the state of an item's room. It returns nil if the room is deleted, or if
// neither table has it: the item is then left unchanged.
func (r *run) stateOf(ctx context.Context, id chat.RoomID, item table.Item) (*roomState, error) {
	s, err := r.rooms.state(ctx, id)
	if err != nil || s.here && !s.gone {
		return s, err
	}
	if s.gone {
		r.tally.add(table.KindOf(item), Gone)
		return nil, nil
	}
	r.tally.add(table.KindOf(item), Unknown)
	r.Note(table.KeyText(item), "neither table has its room")
	return nil, nil
}

// loadRoom reads the state of a room from both tables.
func (r *run) loadRoom(ctx context.Context, id chat.RoomID, s *roomState) error {
	theirs, err := r.from.partition(ctx, table.RoomPK(id))
	if err != nil {
		return err
	}
	ours, err := r.to.partition(ctx, table.RoomPK(id))
	if err != nil {
		return err
	}
	for _, items := range [][]table.Item{theirs, ours} { // ours come last and take precedence
		for _, item := range items {
			if room, err := table.ParseMetadata(item); err == nil {
				s.gone = s.gone || room.Deleted
				if room.Direct != nil {
					s.direct = room
				}
			}
			if table.KindOf(item) != table.ShardsKind {
				continue
			}
			if s.epochs, err = table.ParseShards(item); err != nil {
				return fmt.Errorf("room %s: %w", id, err)
			}
			s.here = true
		}
	}
	if s.toHead, err = r.store(r.To).CurrentFeedHead(ctx, id); err != nil {
		return err
	}
	if s.from, err = r.store(r.From).FeedHead(ctx, id); err != nil {
		return err
	}
	s.gone = s.gone || s.toHead.Closed || s.from.Closed
	s.since, err = r.evidence(ctx, id)
	return err
}

// evidence reads the changes in To's feed since the restore point.
func (r *run) evidence(ctx context.Context, id chat.RoomID) (evidence, error) {
	e := newEvidence()
	tail, _, err := r.store(r.To).FeedTail(ctx, id, 0, r.Point.Add(-clockSkew))
	if err != nil {
		return e, fmt.Errorf("feed of %s: %w", id, err)
	}
	for _, s := range tail {
		e.add(s, r.Point)
	}
	return e, nil
}

// add adds the changes of a segment, unless all of them are from before a time.
func (e *evidence) add(s feed.Segment, after time.Time) {
	changedAt := s.CreatedTo
	if changedAt.IsZero() {
		changedAt = s.WrittenAt
	}
	if changedAt.Before(after.Truncate(time.Second)) { // the stream's times are whole seconds
		return
	}
	for _, c := range s.Changes {
		switch c.Type {
		case feed.MessageDeleted:
			e.deleted[c.Message] = changedAt
		case feed.MemberChanged:
			e.members[c.User] = true
		}
	}
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// copyRoom puts back the missing items of a room, and its name, place and permissions if they are
// of an older revision. It is called for the room's metadata. A deletion in either table is final.
func (r *run) copyRoom(ctx context.Context, id chat.RoomID) error {
	if s, err := r.rooms.state(ctx, id); err != nil {
		return err
	} else if s.gone {
		return r.deleteRoom(ctx, id)
	}
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
		if room, err := table.ParseMetadata(have[table.RoomKind]); err == nil && room.Deleted {
			return Gone, nil, nil // since its state was read
		}
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

// newerRoom replaces a room's metadata and permissions by From's, if these are newer.
func (r *run) newerRoom(theirs, ours map[table.Kind]table.Item) (Outcome, change, error) {
	before, err := readTo(ours[table.RoomKind], table.ParseMetadata)
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

// byKind indexes the items of a room by their kinds.
func byKind(items []table.Item) map[table.Kind]table.Item {
	m := map[table.Kind]table.Item{}
	for _, item := range items {
		m[table.KindOf(item)] = item
	}
	return m
}

// copyDirectRoom puts back the record of a direct room, or replaces an earlier revision. People
// whose membership has changed since the restore point count as having left. When the room is
// opened again, the absent ones return.
func (r *run) copyDirectRoom(ctx context.Context, item table.Item) error {
	d, s, err := readInRoom(ctx, r, item, table.ParseDirect, func(d direct.Record) chat.RoomID { return d.Room.ID })
	if s == nil || err != nil {
		return err
	}
	for _, user := range d.Room.Direct {
		if s.since.members[user] && !slices.Contains(d.Away, user) {
			d.Away = append(d.Away, user)
		}
	}
	return r.settle(ctx, table.DirectKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, table.DirectKey(d.Room.Direct), table.ParseDirect)
		switch {
		case err != nil:
			return "", nil, err
		case existing == nil:
			return Put, change{r.to.PutNew(table.DirectAway(item, d.Away))}, nil
		case ours.Revision > d.Revision || ours.Room.ID != d.Room.ID:
			return Newer, nil, nil
		case ours.Revision == d.Revision:
			return Same, nil, nil
		}
		return Replaced, change{r.to.Put(table.DirectAway(item, d.Away), table.RevisionIs(ours.Revision))}, nil
	})
}
