package search

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

// maxTombstones is the number of deleted messages that are skipped to find a neighbor.
const maxTombstones = 5

// addNeighbors adds to each result the messages before and after it: two queries each, or four
// next to a deleted message.
func (s *Service) addNeighbors(ctx context.Context, results []Result, spent *budget) error {
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for i := range results {
		r := &results[i]
		reads.Go(func() (err error) { r.Before, err = s.neighbor(inner, r.Message, chat.Newest, spent); return err })
		reads.Go(func() (err error) { r.After, err = s.neighbor(inner, r.Message, chat.Oldest, spent); return err })
	}
	return reads.Wait()
}

// neighbor returns the next message after m in an order that is not deleted, or nil.
func (s *Service) neighbor(ctx context.Context, m chat.Message, order chat.Order, spent *budget) (*chat.Message, error) {
	for _, limit := range []int{1, 1 + maxTombstones} { // most messages are not deleted, and they may have 32 KB
		page, err := s.nearest(ctx, m, order, limit)
		if err != nil {
			return nil, err
		}
		spent.spend(costOf(page...))
		for i := range page {
			if !page[i].Deleted() {
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
func (s *Service) nearest(ctx context.Context, m chat.Message, order chat.Order, limit int) (page []chat.Message, err error) {
	at := &chat.Position{At: m.ReceivedAt, ID: m.ID}
	if m.IsReply() && !m.ShowInRoom {
		page, _, err = s.Store.Replies(ctx, thread.Range{Root: thread.Root{Room: m.Room, ID: m.Thread}, Order: order, After: at, Limit: limit})
	} else {
		page, _, err = s.Store.Messages(ctx, chat.MessageRange{Room: m.Room, Order: order, After: at, Limit: limit})
	}
	return page, err
}
