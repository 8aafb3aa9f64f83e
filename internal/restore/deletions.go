package restore

import (
	"context"
	"fmt"
	"time"

	"parley/internal/chat"
	"parley/internal/table"
)

// Deletions goes on from p until what was taken away in From is taken away in To: the text of deleted
// messages and of their versions, and with Memberships the memberships that ended or became less. From
// is the table that the service used until To replaced it.
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
	kind := table.KindOf(item)
	if room, ok := roomOf(kind, item); r.Room != "" && (!ok || room != r.Room) {
		return nil
	}
	switch kind {
	case table.MessageKind:
		m, err := table.ParseMessage(item)
		if err != nil {
			r.unreadable(item, err)
			return nil
		}
		if m.Deleted() {
			return r.deleteMessage(ctx, m)
		}
	case table.StandingKind:
		m, err := table.ParseStanding(item)
		if err != nil {
			r.unreadable(item, err)
			return nil
		}
		if r.Memberships {
			return r.restrictIn(ctx, m)
		}
	case table.FeedKind:
		s, err := table.ParseSegment(item)
		if err != nil {
			r.unreadable(item, err)
			return nil
		}
		return r.deleteToldOf(ctx, s)
	}
	return nil
}

// deleteMessage takes the text out of a message, where it is there and not deleted yet.
func (r *run) deleteMessage(ctx context.Context, tombstone chat.Message) error {
	s, err := r.rooms.state(ctx, tombstone.Room)
	if err != nil {
		return err
	}
	if !s.here {
		return nil
	}
	return r.settle(ctx, table.MessageKind, func(ctx context.Context) (Outcome, change, error) {
		there, err := r.to.get(ctx, s.key(tombstone))
		if err != nil || there == nil {
			return Same, nil, err
		}
		ours, err := read(there, table.ParseMessage)
		if err != nil || ours.Deleted() {
			return Same, nil, err
		}
		writes, err := r.bury(ctx, s.key(tombstone), ours, ours.Tombstone(tombstone.DeletedBy, tombstone.DeletedAt))
		return Deleted, writes, err
	})
}

// deleteToldOf goes by a segment of the old table's feed: it tells of memberships that ended, of which
// nothing else is left, and of deletions whose tombstone was lost.
func (r *run) deleteToldOf(ctx context.Context, s chat.Segment) error {
	told := evidence{deleted: map[chat.MessageID]time.Time{}, members: map[chat.UserID]bool{}}
	told.add(s, r.Point)
	for id, at := range told.deleted {
		if err := r.deleteTold(ctx, chat.Message{Room: s.Room, ID: id, DeletedAt: at, DeletedBy: id.User}); err != nil {
			return err
		}
	}
	if !r.Memberships {
		return nil
	}
	for user := range told.members {
		if _, met := r.met.LoadOrStore([2]string{string(s.Room), string(user)}, true); met {
			continue
		}
		there, err := r.from.get(ctx, table.StandingKey(s.Room, user))
		if err != nil {
			return err
		}
		if there != nil {
			continue // its own item is met as well
		}
		if err := r.restrictIn(ctx, chat.Membership{Room: s.Room, User: user}); err != nil {
			return err
		}
	}
	return nil
}

// deleteTold deletes a message whose tombstone is not in the old table. Otherwise that one is met
// as well, and it says who deleted it.
func (r *run) deleteTold(ctx context.Context, m chat.Message) error {
	epochs, err := r.from.get(ctx, table.ShardsKey(m.Room))
	if err != nil {
		return err
	}
	if theirs, err := table.ParseShards(epochs); err == nil {
		s := roomState{epochs: theirs}
		there, err := r.from.get(ctx, s.key(m))
		if err != nil {
			return err
		}
		if tombstone, err := table.ParseMessage(there); err == nil && tombstone.Deleted() {
			return nil
		}
	}
	return r.deleteMessage(ctx, m)
}

// restrictIn restricts a membership in a room that is there.
func (r *run) restrictIn(ctx context.Context, m chat.Membership) error {
	s, err := r.rooms.state(ctx, m.Room)
	if err != nil || !s.here {
		return err
	}
	return r.restrict(ctx, m)
}
