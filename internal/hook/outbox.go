package hook

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// importedAge is the age from which the messages of a segment are imported or restored rather than
// new: as long as the stream keeps a message that could not be appended.
const importedAge = 24 * time.Hour

// News is a segment that was appended to the feed of a room, or the deletion of a room.
type News struct {
	Room       chat.RoomID
	First      int64 // the number of the segment's first change; 0 for a deletion
	Generation string
	// Old reports that nobody waits for the segment: it has only messages of an import, of a
	// restored backup, or of a repair.
	Old bool
}

// IsOld reports whether a segment's messages are so old that an import or a restore wrote them.
// written is when the segment was, and received when its last message was; zero if it has none.
func IsOld(written, received time.Time) bool {
	return !received.IsZero() && written.Sub(received) > importedAge
}

// Outbox notes for each hook which rooms have news. It is safe for concurrent use.
type Outbox struct {
	table   *dynamo.Table
	clock   func() time.Time
	private bool
}

// NewOutbox returns an outbox. private lets hooks have private and direct rooms.
func NewOutbox(t *dynamo.Table, clock func() time.Time, private bool) *Outbox {
	return &Outbox{table: t, clock: clock, private: private}
}

// Wake notes the news of a batch, which are in the order of the stream. It may be repeated. It
// reads all hooks, so that a hook that was created before a change hears of it: 1 read unit for
// every 4 KB. For each room with news and each hook that has it, it costs 1 write unit. The error
// is Unavailable if some could not be noted.
func (o *Outbox) Wake(ctx context.Context, news []News) error {
	rooms := merged(news)
	if len(rooms) == 0 {
		return nil
	}
	hooks, err := allHooks(ctx, o.table)
	if err != nil {
		return err
	}
	now := o.clock()
	calls, ctx := errgroup.WithContext(ctx)
	calls.SetLimit(callsAtOnce)
	for _, n := range rooms {
		if n.room.Private() && !o.private {
			continue
		}
		for _, h := range hooks {
			if !h.has(n.room) {
				continue
			}
			calls.Go(func() error {
				_, err := o.table.TryUpdate(ctx, "wake hook", h.DueKey(n.room), wake(n.seq, n.before, now))
				return err
			})
		}
	}
	return calls.Wait()
}

// roomNews are the news of a room in a batch.
type roomNews struct {
	room   chat.RoomID
	seq    int64 // as in due
	before chat.FeedPosition
}

// merged returns the news of each room once.
func merged(news []News) []*roomNews {
	var all []*roomNews
	rooms := map[chat.RoomID]*roomNews{}
	for _, n := range news {
		if n.Old {
			continue
		}
		r := rooms[n.Room]
		if r == nil {
			r = &roomNews{room: n.Room, before: chat.FeedPosition{Seq: max(0, n.First-1), Generation: n.Generation}}
			rooms[n.Room], all = r, append(all, r)
		}
		if n.First == 0 {
			r.seq = chat.MaxSeq
		}
		r.seq = max(r.seq, n.First)
	}
	return all
}
