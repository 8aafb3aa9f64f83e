package search

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

// confirm reads the candidates that are newer than the frontier, in order, and adds those that
// still match to the results. It reports whether the page is full, or the budget empty before all
// of them were read. It may leave candidates that it has read.
func (p *searching) confirm(ctx context.Context, frontier int64) (full bool, err error) {
	slices.SortFunc(p.candidates, func(a, b candidate) int { return a.compare(b.place) })
	for len(p.candidates) > 0 {
		if len(p.results) == p.limit {
			return true, nil
		}
		n := 0
		for n < len(p.candidates) && n < p.limit-len(p.results) && p.candidates[n].At.UnixMilli() > frontier {
			n++
		}
		if n == 0 {
			return false, nil
		}
		batch, err := p.read(ctx, p.candidates[:n])
		if err != nil {
			return false, err
		}
		for range batch.read {
			at := p.candidates[0].place
			if r, ok := batch.results[at]; ok {
				if p.bytes += r.pageBytes(); p.bytes > chat.MaxPageBytes && len(p.results) > 0 {
					return true, nil
				}
				p.results = append(p.results, r)
			}
			p.last, p.candidates = at, p.candidates[1:]
		}
		if err := p.spent.settle(ctx); err != nil {
			return false, err
		}
		if p.spent.empty() && len(p.candidates) > 0 && p.candidates[0].At.UnixMilli() > frontier {
			return true, nil
		}
	}
	return len(p.results) == p.limit, nil
}

// batch is the results of the first candidates that were read.
type batch struct {
	read    int
	results map[place]Result
}

// read returns the results for candidates that still match, and that the caller may read. It reads
// at least one, and more until the budget is empty.
func (p *searching) read(ctx context.Context, candidates []candidate) (b batch, err error) {
	ids := map[*source][]chat.MessageID{}
	for _, c := range candidates {
		ids[c.source] = append(ids[c.source], c.ID)
	}
	var mu sync.Mutex
	current := map[place]chat.Message{}
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for src, of := range ids {
		reads.Go(func() error {
			if ok, err := p.authorize(inner, src); !ok {
				return err
			}
			found, err := p.service.Store.MessagesByID(inner, src.head.Room, of)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range found {
				current[placeOf(m)] = m
			}
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return b, err
	}
	var results []Result
	for ; b.read < len(candidates) && (b.read == 0 || !p.spent.empty()); b.read++ {
		if err := ctx.Err(); err != nil {
			return b, err
		}
		c := candidates[b.read]
		m, ok := current[c.place]
		if !ok {
			continue
		}
		matches, steps := p.query.matchMessage(m)
		if p.spent.spend(steps); matches {
			text, files, steps := p.query.marks(m)
			p.spent.spend(steps)
			results = append(results, Result{Message: m, Room: c.source.access.Room, Marks: text, FileMarks: files})
		}
	}
	if p.around {
		if err := p.addNeighbors(ctx, results); err != nil {
			return b, err
		}
	}
	b.results = map[place]Result{}
	for _, r := range results {
		b.results[placeOf(r.Message)] = r
	}
	return b, nil
}

// markBytes is the largest mark in JSON: {"from":32767,"to":32768}, with a comma.
const markBytes = 26

// pageBytes returns the bytes of a result that count against chat.MaxPageBytes.
func (r Result) pageBytes() int {
	n := r.Message.PageBytes() + 2*len(r.Room.Name) + markBytes*len(r.Marks)
	for _, marks := range r.FileMarks {
		n += len("[],") + markBytes*len(marks)
	}
	for _, m := range []*chat.Message{r.Before, r.After} {
		if m != nil {
			n += m.PageBytes()
		}
	}
	return n
}

// maxTombstones is the number of deleted messages that are skipped to find a neighbor.
const maxTombstones = 5

const (
	// neighborsAtOnce bounds the results whose neighbors are read concurrently. Each takes two
	// reads.
	neighborsAtOnce = readsAtOnce / 2
	// withNeighbors is the number of messages of a result that has both neighbors.
	withNeighbors = 3
)

// addNeighbors adds to each result the messages before and after it, until the page is full: two
// queries each, or four next to a deleted message. Neighbors are likely to be as large as their
// result.
func (p *searching) addNeighbors(ctx context.Context, results []Result) error {
	for bytes := p.bytes; len(results) > 0 && bytes <= chat.MaxPageBytes; {
		n := (chat.MaxPageBytes - bytes) / (withNeighbors * results[0].pageBytes())
		some := results[:min(max(n, 1), neighborsAtOnce, len(results))]
		reads, inner := errgroup.WithContext(ctx)
		for i := range some {
			r := &some[i]
			reads.Go(func() (err error) {
				r.Before, err = p.service.neighbor(inner, r.Message, chat.Newest, p.spent)
				return err
			})
			reads.Go(func() (err error) {
				r.After, err = p.service.neighbor(inner, r.Message, chat.Oldest, p.spent)
				return err
			})
		}
		if err := reads.Wait(); err != nil {
			return err
		}
		for _, r := range some {
			bytes += r.pageBytes()
		}
		results = results[len(some):]
	}
	return nil
}

// neighbor returns the next message after m in an order that is neither deleted nor a system
// message, or nil.
func (s *Service) neighbor(
	ctx context.Context, m chat.Message, order chat.Order, spent *budget,
) (*chat.Message, error) {
	for _, limit := range []int{1, 1 + maxTombstones} { // most messages are not deleted, and they may have 32 KB
		page, err := s.nearest(ctx, m, order, limit)
		if err != nil {
			return nil, err
		}
		spent.spend(costOf(page...))
		for i := range page {
			if !page[i].Deleted() && page[i].System == nil {
				return &page[i], nil
			}
		}
		if len(page) < limit {
			return nil, nil
		}
	}
	return nil, nil
}

// nearest returns the messages after m in an order.
func (s *Service) nearest(
	ctx context.Context, m chat.Message, order chat.Order, limit int,
) (page []chat.Message, err error) {
	at := &chat.Position{At: m.ReceivedAt, ID: m.ID}
	if m.IsReply() && !m.ShowInRoom {
		page, _, err = s.Store.Replies(
			ctx, chat.ReplyRange{Room: m.Room, Root: m.Thread, Order: order, After: at, Limit: limit},
		)
	} else {
		page, _, err = s.Store.Messages(ctx, chat.MessageRange{Room: m.Room, Order: order, After: at, Limit: limit})
	}
	return page, err
}
