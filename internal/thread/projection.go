package thread

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
)

// Projection writes the rows that follow from replies: their references, their thread in the
// room's list, and the follows of its people. It implements stream.Projection.
type Projection struct{ rows Store }

// NewProjection returns a projection.
func NewProjection(t *dynamo.Table) *Projection { return &Projection{NewStore(t)} }

// Project writes the rows of the replies that were created or deleted. Each write may be repeated,
// in any order: a reference is put once, and a deleted reply's reference is final; a thread only
// moves forward; and nobody who stopped following a thread follows it again.
//
// A reply after the first consumes about 1 write unit, for its reference. A reference that the
// thread's index shows costs 2. The other rows are read first, for half a read unit each. A new
// minute or a new follower costs 2 write units.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	newest := map[Root]time.Time{}
	followers := map[Root]map[chat.UserID]int64{}
	for _, e := range w.Entries {
		m := e.Item.Message
		if m == nil || !m.IsReply() || e.Type != feed.ReplyCreated && e.Type != feed.MessageDeleted {
			continue
		}
		root := Root{w.Room, m.Thread}
		ref := Reference{
			Root: root, Reply: m.ID, ReceivedAt: m.ReceivedAt, ShowInRoom: m.ShowInRoom, Deleted: m.Deleted(),
		}
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
		// The root's author has not seen the reply, but the reply's author has.
		for user, seq := range map[chat.UserID]int64{m.Thread.User: e.Seq - 1, m.ID.User: e.Seq} {
			if _, ok := followers[root][user]; !ok {
				followers[root][user] = seq
			}
		}
	}
	return d.putThreads(ctx, newest, followers)
}

// putThreads writes the rows of threads, each once for a batch.
func (d *Projection) putThreads(
	ctx context.Context, newest map[Root]time.Time, followers map[Root]map[chat.UserID]int64,
) error {
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
