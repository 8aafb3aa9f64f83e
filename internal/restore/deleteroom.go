package restore

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// roomEnd holds the evidence in one table that a room is deleted.
type roomEnd struct {
	item     table.Item // the metadata or the tombstone; nil if there is neither
	room     chat.Room  // as parsed from item
	damage   error      // the reason why item cannot be parsed
	closed   bool       // the head of the feed is closed
	deletion chat.RoomDeletion
}

// deleted reports whether the room is deleted, by its tombstone or by its feed. The feed shows it
// if the tombstone is lost.
func (e roomEnd) deleted() bool { return e.deletion.Room.Deleted }

// roomEnd reads the metadata and the head of a room strongly: 2 read units.
func (s *source) roomEnd(ctx context.Context, id chat.RoomID) (e roomEnd, err error) {
	if e.item, err = s.get(ctx, table.MetadataKey(id)); err != nil {
		return e, err
	}
	head, err := s.get(ctx, table.FeedHeadKey(id))
	if err != nil {
		return e, err
	}
	e.deletion, e.closed = table.ParseFeedClosure(head)
	if e.item == nil {
		return e, nil
	}
	if e.room, e.damage = table.ParseMetadata(e.item); e.room.Deleted {
		e.deletion, e.damage = table.ParseRoomTombstone(e.item)
	}
	return e, nil
}

// deleteRoom deletes in To a room that is deleted in either table: it puts the tombstone and
// closes the feed. A room's id is never free again, so it also does so if To does not have the
// room. It leaves the contents, which nobody can read.
func (r *run) deleteRoom(ctx context.Context, id chat.RoomID) error {
	return r.settle(ctx, table.RoomKind, func(ctx context.Context) (Outcome, change, error) {
		theirs, err := r.from.roomEnd(ctx, id)
		if err != nil {
			return "", nil, err
		}
		ours, err := r.to.roomEnd(ctx, id)
		if err != nil {
			return "", nil, err
		}
		if ours.damage != nil {
			return "", nil, &unreadableError{table.KeyText(ours.item), ours.damage}
		}
		d := theirs.deletion
		if ours.deleted() {
			d = ours.deletion
		}
		// No remains of the room in either table may look newer.
		d.Room.Revision = max(d.Room.Revision, theirs.room.Revision, ours.room.Revision)
		outcome, writes := Same, change(nil)
		switch {
		case ours.item == nil && theirs.room.Deleted:
			outcome, writes = Put, change{r.to.PutNew(theirs.item)}
		case ours.item == nil:
			outcome, writes = Put, change{r.to.PutNew(table.RoomTombstone(d))}
		case !ours.room.Deleted:
			outcome, writes = Deleted, change{r.to.Put(table.RoomTombstone(d), table.RoomIs(ours.room.Revision))}
		}
		if !ours.closed {
			if outcome == Same {
				outcome = Put
			}
			writes = append(writes, r.to.Update(table.FeedHeadKey(id), table.FeedClosure(d.At)))
		}
		return outcome, writes, nil
	})
}

// deleteByFeed deletes a room whose feed is closed in From and whose tombstone is lost there. If
// the tombstone is not lost, the scan also reaches it. deleteByFeed reports whether the feed is
// closed.
func (r *run) deleteByFeed(ctx context.Context, head table.Item) (closed bool, err error) {
	d, closed := table.ParseFeedClosure(head)
	if !closed {
		return false, nil
	}
	item, err := r.from.get(ctx, table.MetadataKey(d.Room.ID))
	if err != nil {
		return true, err
	}
	if room, err := table.ParseMetadata(item); err == nil && room.Deleted {
		return true, nil
	}
	return true, r.deleteRoom(ctx, d.Room.ID)
}
