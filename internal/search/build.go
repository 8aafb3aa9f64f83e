package search

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// changesPerRead bounds the changes of one read, as a segment does.
	changesPerRead = feed.MaxSegmentChanges
	// messagesPerRead is the number of messages of a consistent read: as many as one call returns.
	messagesPerRead = 100
	// maxRecent bounds the memory of an index's recent documents. Each change copies them.
	maxRecent = maxBlock / 2
	// firstChanges is the number of changes whose messages are read first. Then it doubles, up to
	// messagesPerRead: the messages may have 32 KB.
	firstChanges = 10
	// readsAtOnce bounds concurrent reads. It hides their latency and leaves connections for other
	// requests.
	readsAtOnce = 16
	// usedDays is how often the time of the last search is stored.
	usedDays = 7
	day      = 24 * time.Hour
)

// current returns the index of a room with all changes up to the head of its feed. If the budget
// becomes empty, the index is behind. It begins one if there is none that can be continued.
func (s *Service) current(ctx context.Context, head feed.Head, spent *budget) (_ *index, behind bool, err error) {
	x, ok := onShelf[*index](s.memory, keyOf(head.Room, indexName))
	if !ok {
		spent.call()
		if x, err = s.load(ctx, head.Room); err != nil {
			return nil, false, err
		}
		if x != nil && x.recent != nil {
			spent.spend(decodeCost * x.size())
		}
	}
	next, err := s.follow(ctx, x, head, s.maxBehind, spent)
	if next != nil && next.recent.size() > maxRecent {
		next, err = s.merge(ctx, next, spent)
	}
	if err != nil {
		return nil, false, err
	}
	if next != nil && next.recent.size() > maxRecent { // many old messages have changed that it does not reach yet
		next = nil
	}
	behind = next != nil && next.Seq < head.Last
	if next == nil {
		next = s.begin(head)
		if x != nil {
			next.version = x.version
		}
	}
	if now := s.Clock(); now.Sub(time.Unix(next.Used, 0)) >= usedDays*day {
		h := next.header
		h.Used = now.Unix()
		next = next.with(h, nil, false)
		next.unsaved += storeNow
	}
	s.memory.put(keyOf(head.Room, indexName), next)
	return next, behind, nil
}

// follow returns an index with all changes up to the head of the feed, or nil if it cannot be
// continued: there is none, the feed lacks changes, or they are more than most. If the budget
// becomes empty, the index lacks the last changes.
func (s *Service) follow(
	ctx context.Context, x *index, head feed.Head, most int64, spent *budget,
) (_ *index, err error) {
	if x == nil || x.recent == nil || x.Generation != head.Generation || x.Seq > head.Last || head.Last-x.Seq > most {
		return nil, nil
	}
	for x != nil && x.Seq < head.Last && err == nil {
		if x, err = s.advance(ctx, x, head, spent); spent.empty() {
			break
		}
	}
	return x, err
}

// begin returns an index without messages. Changes before its position show in listings, and the
// feed has all later ones.
func (s *Service) begin(head feed.Head) *index {
	now := s.Clock()
	x := &index{room: head.Room, full: s.blockText, header: header{
		Seq: head.SettledAt(now), Generation: head.Generation, PastAt: now.UnixMilli() + 1, Used: now.Unix(),
	}}
	x.recent = NewBlock(head.Room, nil)
	return x
}

// advance returns an index with further changes of the feed, or nil if the feed no longer has them.
// It ends early with an empty budget, after at least some changes.
func (s *Service) advance(ctx context.Context, x *index, head feed.Head, spent *budget) (*index, error) {
	spent.call()
	segments, err := s.Store.SegmentsFrom(ctx, head, x.Seq+1, changesPerRead)
	if err != nil {
		return nil, err
	}
	changes := changedAfter(x.Seq, segments, head)
	if len(changes) == 0 {
		return nil, nil
	}
	h, docs := x.header, []Doc(nil)
	for most := firstChanges; len(changes) > 0; most = min(2*most, messagesPerRead) {
		some, n, err := s.docsOfChanges(ctx, x.room, changes[:min(most, len(changes))], spent)
		if err != nil {
			return nil, err
		}
		h.Seq, docs, changes = h.Seq+int64(n), append(docs, some...), changes[n:]
		if spent.empty() {
			break
		}
	}
	next := x.with(h, docs, true)
	next.unsaved = x.unsaved + int(h.Seq-x.Seq) // others need not read these either
	return next, nil
}

// changedAfter returns the messages of the changes after a position, one for each change, as far as
// segments have all changes.
func changedAfter(seq int64, segments []feed.Segment, head feed.Head) (messages []chat.MessageID) {
	for _, segment := range segments {
		if segment.First > seq+1 || segment.Generation != head.Generation {
			break
		}
		for i, c := range segment.Changes {
			if at := segment.First + int64(i); at > seq {
				seq = at
				messages = append(messages, c.Message)
			}
		}
	}
	return messages
}

// distinct returns messages, each once, without zero ones.
func distinct(messages []chat.MessageID) (ids []chat.MessageID) {
	seen := map[chat.MessageID]bool{{}: true}
	for _, id := range messages {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// docsOfChanges consistently reads the messages of at most messagesPerRead changes, and returns
// the documents of the first n changes. n is the number of changes unless the budget becomes empty.
func (s *Service) docsOfChanges(
	ctx context.Context, room chat.RoomID, changes []chat.MessageID, spent *budget,
) (docs []Doc, n int, err error) {
	var found map[chat.MessageID]chat.Message
	if ids := distinct(changes); len(ids) > 0 {
		spent.call()
		if found, err = s.Store.MessagesByID(ctx, room, ids); err != nil {
			return nil, 0, err
		}
	}
	for _, m := range found {
		spent.spend(costOf(m))
	}
	for ; n < len(changes) && (n == 0 || !spent.empty()); n++ {
		m, ok := found[changes[n]]
		if !ok {
			continue
		}
		delete(found, changes[n])
		d := docOf(m)
		spent.spend(foldCost * len(d.Text))
		docs = append(docs, d)
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
	return docs, n, nil
}

// blockOf returns a block of an index that was read. If it is damaged or gone, it is built again,
// and the index changes.
func (s *Service) blockOf(ctx context.Context, x *index, ref blockRef, r read, spent *budget) (*index, *Block, error) {
	b, err := s.decode(x.room, ref, r, spent)
	if err == nil || !errors.Is(err, errDamaged) && !errors.Is(err, bucket.ErrNotFound) {
		return x, b, err
	}
	level := slog.LevelError
	if errors.Is(err, bucket.ErrNotFound) {
		level = slog.LevelInfo // a sweep has replaced it
	}
	s.log.Log(ctx, level, "a block of an index is built again", "room", x.room, "block", ref.Name, "error", err)
	docs, err := s.within(ctx, x.room, ref.From, ref.To, spent)
	if err != nil {
		return nil, nil, err
	}
	b = NewBlock(x.room, docs)
	return x.replace(ref, b), b, nil
}

// storeNow is added to the unsaved changes of an index that the search stores that changed it.
const storeNow = 1 << 20

// replace returns the index with another block instead of one.
func (x *index) replace(ref blockRef, b *Block) *index {
	next := *x
	next.Blocks = slices.Clone(x.Blocks)
	next.unsaved += storeNow
	for i := range next.Blocks {
		if next.Blocks[i].Name == ref.Name {
			by := refOf(b)
			by.From, by.To = ref.From, ref.To
			next.Blocks[i] = by
		}
	}
	return &next
}
