package search

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

// maxTombstones is the number of deleted messages that are skipped to find a neighbor.
const maxTombstones = 5

// addNeighbors adds to each result the messages before and after it: two queries each.
func (s *Service) addNeighbors(ctx context.Context, results []Result) error {
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for i := range results {
		r := &results[i]
		reads.Go(func() (err error) { r.Before, err = s.neighbor(inner, r.Message, chat.Newest); return err })
		reads.Go(func() (err error) { r.After, err = s.neighbor(inner, r.Message, chat.Oldest); return err })
	}
	return reads.Wait()
}

// neighbor returns the next message after m in an order that is not deleted, or nil.
func (s *Service) neighbor(ctx context.Context, m chat.Message, order chat.Order) (*chat.Message, error) {
	at := &chat.Position{At: m.ReceivedAt, ID: m.ID}
	var page []chat.Message
	var err error
	if m.IsReply() && !m.ShowInRoom {
		page, _, err = s.Store.Replies(ctx, thread.Range{Root: thread.Root{Room: m.Room, ID: m.Thread}, Order: order, After: at, Limit: 1 + maxTombstones})
	} else {
		page, _, err = s.Store.Messages(ctx, chat.MessageRange{Room: m.Room, Order: order, After: at, Limit: 1 + maxTombstones})
	}
	if err != nil {
		return nil, err
	}
	for i := range page {
		if !page[i].Deleted() {
			return &page[i], nil
		}
	}
	return nil, nil
}
