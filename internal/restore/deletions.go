package restore

import (
	"context"
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// Deletions continues from p until everything deleted in From is deleted in To: rooms, and the text
// of deleted messages and of their versions. With Memberships it also applies the memberships that
// ended or were reduced. People who are suspended in From are suspended in To, and
// people who were erased in From are erased in To. From is the table
// that the service used until To replaced it.
func (j Job) Deletions(ctx context.Context, p *Progress) error {
	isLog, err := sameKeys(ctx, j.DB, j.From, j.To)
	if err != nil {
		return err
	}
	if isLog {
		return fmt.Errorf("nothing is ever deleted from the activity log %s", j.From)
	}
	return j.scan(ctx, p, func(r *run) func(context.Context, table.Item) error { return r.deleteItem })
}

func (r *run) deleteItem(ctx context.Context, item table.Item) error {
	if !r.selects(item) {
		return nil
	}
	switch table.KindOf(item) {
	case table.RoomKind:
		if room, ok := readFrom(r, item, table.ParseMetadata); ok && room.Deleted {
			return r.deleteRoom(ctx, room.ID)
		}
	case table.AccountKind:
		return r.suspendAndErase(ctx, item)
	case table.FeedHeadKind:
		_, err := r.deleteByFeed(ctx, item)
		return err
	case table.MessageKind:
		if m, ok := readFrom(r, item, table.ParseMessage); ok && m.Deleted() {
			return r.deleteMessage(ctx, m)
		}
	case table.RoleKind:
		if m, ok := readFrom(r, item, table.ParseRole); ok && r.Memberships {
			return r.restrictIn(ctx, m)
		}
	case table.FeedKind:
		if s, ok := readFrom(r, item, table.ParseSegment); ok {
			return r.deleteBySegment(ctx, s)
		}
	}
	return nil
}

// deleteMessage removes the text of a message that exists in To and is not deleted there.
func (r *run) deleteMessage(ctx context.Context, tombstone chat.Message) error {
	s, err := r.rooms.state(ctx, tombstone.Room)
	if err != nil {
		return err
	}
	if !s.here {
		return nil
	}
	return r.settle(ctx, table.MessageKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, s.key(tombstone), table.ParseMessage)
		if err != nil || existing == nil || ours.Deleted() {
			return Same, nil, err
		}
		writes, err := r.bury(ctx, s.key(tombstone), ours, ours.Tombstone(tombstone.DeletedBy, tombstone.DeletedAt))
		return Deleted, writes, err
	})
}

// deleteBySegment applies a segment of From's feed. It is the only trace of memberships that ended
// and of deletions whose tombstone was lost.
func (r *run) deleteBySegment(ctx context.Context, s feed.Segment) error {
	changed := newEvidence()
	changed.add(s, r.Point)
	for id, at := range changed.deleted {
		if err := r.deleteWithoutTombstone(
			ctx, chat.Message{Room: s.Room, ID: id, DeletedAt: at, DeletedBy: id.User},
		); err != nil {
			return err
		}
	}
	if !r.Memberships {
		return nil
	}
	for user := range changed.members {
		if _, met := r.met.LoadOrStore([2]string{string(s.Room), string(user)}, true); met {
			continue
		}
		existing, err := r.from.get(ctx, table.RoleKey(s.Room, user))
		if err != nil {
			return err
		}
		if existing != nil {
			continue // the scan also reaches its own item
		}
		if err := r.restrictIn(ctx, chat.Membership{Room: s.Room, User: user}); err != nil {
			return err
		}
	}
	return nil
}

// deleteWithoutTombstone deletes a message whose tombstone is not in From. If the tombstone is
// there, the scan reaches it, and it names the user who deleted the message.
func (r *run) deleteWithoutTombstone(ctx context.Context, m chat.Message) error {
	epochs, err := r.from.get(ctx, table.ShardsKey(m.Room))
	if err != nil {
		return err
	}
	if theirs, err := table.ParseShards(epochs); err == nil {
		s := roomState{epochs: theirs}
		item, err := r.from.get(ctx, s.key(m))
		if err != nil {
			return err
		}
		if tombstone, err := table.ParseMessage(item); err == nil && tombstone.Deleted() {
			return nil
		}
	}
	return r.deleteMessage(ctx, m)
}

// restrictIn restricts a membership if either table has its room.
func (r *run) restrictIn(ctx context.Context, m chat.Membership) error {
	s, err := r.rooms.state(ctx, m.Room)
	if err != nil || !s.here {
		return err
	}
	return r.restrict(ctx, s, m)
}

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
