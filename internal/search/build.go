package search

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// changesPerRead bounds the changes that are read at once, as a segment does.
	changesPerRead = feed.MaxSegmentChanges
	// messagesPerRead is the number of messages of a consistent read: as many as one call returns.
	messagesPerRead = 100
	// readsAtOnce bounds concurrent reads. It hides their latency and leaves connections for other
	// requests.
	readsAtOnce = 16
	// usedDays is how often the time of the last search is stored.
	usedDays = 7
	day      = 24 * time.Hour
)

// current returns the index of a room with all changes up to the head of its feed. It begins one if
// there is none that can be continued.
func (s *Service) current(ctx context.Context, head feed.Head) (*index, error) {
	x, ok := onShelf[*index](s.memory, keyOf(head.Room, indexName))
	if !ok {
		var err error
		if x, err = s.load(ctx, head.Room); err != nil {
			return nil, err
		}
	}
	next, err := s.follow(ctx, x, head, s.maxBehind)
	if err != nil {
		return nil, err
	}
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
	return next, nil
}

// follow returns an index with all changes up to the head of the feed, or nil if it cannot be
// continued: there is none, the feed lacks changes, or they are more than most.
func (s *Service) follow(ctx context.Context, x *index, head feed.Head, most int64) (_ *index, err error) {
	if x == nil || x.recent == nil || x.Generation != head.Generation || x.Seq > head.Last || head.Last-x.Seq > most {
		return nil, nil
	}
	for x != nil && x.Seq < head.Last && err == nil {
		x, err = s.advance(ctx, x, head)
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
func (s *Service) advance(ctx context.Context, x *index, head feed.Head) (*index, error) {
	segments, err := s.Store.SegmentsFrom(ctx, head, x.Seq+1, changesPerRead)
	if err != nil {
		return nil, err
	}
	h := x.header
	changed := map[chat.MessageID]bool{}
	for _, segment := range segments {
		if segment.First > h.Seq+1 || segment.Generation != head.Generation {
			break
		}
		for i, c := range segment.Changes {
			if seq := segment.First + int64(i); seq > h.Seq {
				h.Seq = seq
				changed[c.Message] = true
			}
		}
	}
	if h.Seq == x.Seq {
		return nil, nil
	}
	delete(changed, chat.MessageID{})
	var ids []chat.MessageID
	for id := range changed {
		ids = append(ids, id)
	}
	docs, err := s.docsByID(ctx, x.room, ids)
	if err != nil {
		return nil, err
	}
	next := x.with(h, docs, true)
	next.unsaved = x.unsaved + int(h.Seq-x.Seq) // others need not read these either
	return next, nil
}

// docsByID consistently reads the messages that exist.
func (s *Service) docsByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (docs []Doc, err error) {
	var mu sync.Mutex
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for part := range slices.Chunk(ids, messagesPerRead) {
		reads.Go(func() error {
			found, err := s.Store.MessagesByID(inner, room, part)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range found {
				docs = append(docs, docOf(m))
			}
			return err
		})
	}
	return docs, reads.Wait()
}

// blockOf returns a block of an index. If it is damaged or gone, it is built again, and the index
// changes.
func (s *Service) blockOf(ctx context.Context, x *index, ref blockRef, spent *budget) (*index, *Block, error) {
	b, read, err := s.fetch(ctx, x.room, ref)
	if read > 0 {
		spent.spend(read)
	}
	if err == nil || !errors.Is(err, errDamaged) && !errors.Is(err, bucket.ErrNotFound) {
		return x, b, err
	}
	level := slog.LevelError
	if errors.Is(err, bucket.ErrNotFound) {
		level = slog.LevelInfo // a sweep has replaced it
	}
	s.log.Log(ctx, level, "a block of an index is built again", "room", x.room, "block", ref.Name, "error", err)
	docs, err := s.within(ctx, x.room, ref.From, ref.To)
	if err != nil {
		return nil, nil, err
	}
	spent.spend(messageCost * ref.Text)
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
