package hook

import (
	"context"
	"slices"
	"time"

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

// Outbox tells hooks which rooms have news: by rows for hooks that are fetched, and through the
// queue for those with an address. It is safe for concurrent use.
type Outbox struct {
	table *dynamo.Table
	queue Queue
	clock func() time.Time
	rules Rules
}

// NewOutbox returns an outbox.
func NewOutbox(t *dynamo.Table, queue Queue, clock func() time.Time, rules Rules) *Outbox {
	return &Outbox{table: t, queue: queue, clock: clock, rules: rules}
}

// Wake tells of the news of a batch, which are in the order of the stream, and wakes the hooks of
// the batch, which have changed. It may be repeated. With news, it reads all hooks, so that a hook
// that was created before a change hears of it: 1 read unit for every 4 KB. For each room with news
// and each hook that is fetched and has it, it costs 1 write unit; for the others, a message of the
// queue for each hook. The error is Unavailable if some could not be told.
func (o *Outbox) Wake(ctx context.Context, news []News, changed []Hook) error {
	var wakes []Wake
	for _, h := range changed {
		if h.URL != "" {
			w := h.wake()
			w.Once = max(h.ChangedAt.UnixMilli(), h.TestAt.UnixMilli())
			wakes = append(wakes, w)
		}
	}
	var notes []note
	if rooms := merged(news); len(rooms) > 0 {
		hooks, err := allHooks(ctx, o.table)
		if err != nil {
			return err
		}
		for i, h := range hooks {
			wanted := o.wanted(h, rooms)
			if h.URL == "" {
				notes = append(notes, notesOf(&hooks[i], wanted)...)
				continue
			}
			for part := range slices.Chunk(wanted, maxWakeRooms) {
				wakes = append(wakes, h.wake(part...))
			}
		}
	}
	if err := o.note(ctx, notes); err != nil || len(wakes) == 0 {
		return err
	}
	return o.queue.Send(ctx, wakes)
}

// WakeAll wakes all hooks with an address, for a queue that has lost its messages: 1 read unit for
// every 4 KB of hooks.
func (o *Outbox) WakeAll(ctx context.Context) error {
	hooks, err := allHooks(ctx, o.table)
	if err != nil {
		return err
	}
	var wakes []Wake
	for _, h := range hooks {
		if h.URL != "" {
			wakes = append(wakes, h.wake())
		}
	}
	return o.queue.Send(ctx, wakes)
}

// maxWakeRooms bounds the rooms of a wake-up, so that it fits in a message of the queue, which has
// at most 256 KB.
const maxWakeRooms = 500

// wanted returns the news of the rooms that a hook has.
func (o *Outbox) wanted(h Hook, rooms []RoomNews) (all []RoomNews) {
	if h.Holder.Room() != "" && !o.rules.Owners {
		return nil
	}
	for _, n := range rooms {
		if h.has(n.Room) && (!n.Room.Private() || o.rules.Private) {
			all = append(all, n)
		}
	}
	return all
}

// note is a row that is to be written. A batch may have 200,000.
type note struct {
	hook *Hook
	news *RoomNews
}

func notesOf(h *Hook, rooms []RoomNews) (all []note) {
	for i := range rooms {
		all = append(all, note{h, &rooms[i]})
	}
	return all
}

func (o *Outbox) note(ctx context.Context, notes []note) error {
	now := o.clock()
	return each(ctx, notes, func(ctx context.Context, n note) error {
		return noteNews(ctx, o.table, *n.hook, *n.news, now)
	})
}

// noteNews notes in a hook's rows that a room has news: 1 write unit.
func noteNews(ctx context.Context, t *dynamo.Table, h Hook, n RoomNews, now time.Time) error {
	_, err := t.TryUpdate(ctx, "wake hook", h.DueKey(n.Room), wake(n, now))
	return err
}

// merged returns the news of each room once.
func merged(news []News) (all []RoomNews) {
	rooms := map[chat.RoomID]int{}
	for _, n := range news {
		if n.Old {
			continue
		}
		i, found := rooms[n.Room]
		if !found {
			i = len(all)
			rooms[n.Room] = i
			all = append(all, RoomNews{Room: n.Room, Before: max(0, n.First-1), Generation: n.Generation})
		}
		if n.First == 0 {
			all[i].Seq = chat.MaxSeq
		}
		all[i].Seq = max(all[i].Seq, n.First)
	}
	return all
}
