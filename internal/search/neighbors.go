package search

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

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
