package thread

import (
	"context"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Projection writes the rows that follow from replies: their references, their thread in the list
// of the room, and that its people follow it. It implements stream.Projection.
type Projection struct{ rows Rows }

// NewProjection returns a projection.
func NewProjection(rows Rows) *Projection { return &Projection{rows} }

// Project writes the rows of the replies that were created or deleted. Each write may be repeated,
// in any order: a reference is put once, and that of a deleted reply for good; a thread moves
// forward alone; and nobody who ceased to follow a thread follows it again.
//
// Of a reply that follows the first, about 1 write unit is consumed: its reference. A reference
// that the thread's index shows costs 2. The other rows are read first, half a read unit each. A
// new minute costs 2 write units, and a new follower as much.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	newest := map[Root]time.Time{}
	followers := map[Root]map[chat.UserID]int64{}
	for _, e := range w.Entries {
		m := e.Item.Message
		if m == nil || !m.IsReply() || e.Type != feed.ReplyCreated && e.Type != feed.MessageDeleted {
			continue
		}
		root := Root{w.Room, m.Thread}
		ref := Reference{Root: root, Reply: m.ID, ReceivedAt: m.ReceivedAt, ShowInRoom: m.ShowInRoom, Deleted: m.Deleted()}
		if err := d.rows.PutReference(ctx, ref); err != nil {
			return err
		}
		if e.Type != feed.ReplyCreated {
			continue
		}
		if m.ReceivedAt.After(newest[root]) {
			newest[root] = m.ReceivedAt
		}
		if followers[root] == nil {
			followers[root] = map[chat.UserID]int64{}
		}
		// The author of the root has not seen the reply, and its own author has.
		for user, seq := range map[chat.UserID]int64{m.Thread.User: e.Seq - 1, m.ID.User: e.Seq} {
			if _, ok := followers[root][user]; !ok {
				followers[root][user] = seq
			}
		}
	}
	return d.putThreads(ctx, newest, followers)
}

// putThreads writes the rows of threads, each once for a batch.
func (d *Projection) putThreads(ctx context.Context, newest map[Root]time.Time, followers map[Root]map[chat.UserID]int64) error {
	for root, at := range newest {
		if err := d.rows.PutThread(ctx, root, at); err != nil {
			return err
		}
		for user, seq := range followers[root] {
			if err := d.rows.PutFollower(ctx, Follow{Root: root, User: user, Following: true, Seq: seq}); err != nil {
				return err
			}
		}
	}
	return nil
}
