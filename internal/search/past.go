package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

const (
	// threadsPerRead is the number of threads that one read lists.
	threadsPerRead = 500
	// repliesPerRead is the number of replies that one read lists.
	repliesPerRead = chat.MaxLimit
	// firstPage is the number of messages of the first page of the past. The next ones have up to
	// twice as many messages as the page before: pages of large messages end early, and every shard
	// is asked for its part of the limit.
	firstPage = 100
	// messageCost is what a byte of a message counts against maxBytes: it takes as long to read as
	// so many bytes of blocks.
	messageCost = 4
)

// extend returns an index with another page of the past, and the documents of the page.
func (s *Service) extend(ctx context.Context, x *index, spent *budget) (next *index, page []Doc, err error) {
	past := x.past()
	limit := min(cmp.Or(2*x.page, firstPage), s.pageMessages)
	messages, more, err := s.Store.Messages(ctx, chat.MessageRange{Room: x.room, Order: chat.Newest, After: &past, Limit: limit})
	if err != nil {
		return nil, nil, err
	}
	h := x.header
	h.Whole = !more
	var low time.Time
	if more {
		last := messages[len(messages)-1]
		low, h.PastAt, h.PastID = last.ReceivedAt, last.ReceivedAt.UnixMilli(), last.ID.String()
	} else {
		h.PastAt, h.PastID = 0, ""
	}
	replies, err := s.replies(ctx, x.room, low, past.At, spent)
	if err != nil {
		return nil, nil, err
	}
	page = docsOf(slices.Concat(messages, replies), x.docs())
	spent.spend(costOf(messages))
	next = x.with(h, page, false)
	next.page = len(messages)
	next.unsaved += storeNow
	return next, page, nil
}

// costOf returns what messages count against maxBytes.
func costOf(messages []chat.Message) (cost int) {
	for _, m := range messages {
		cost += messageCost * m.PageBytes()
	}
	return cost
}

// replies returns the replies of a room that were received within a time, listed ones included.
//
// It lists the threads with a reply since from, and reads those whose root is older than to. So it
// reads about as many threads as have replies within the time.
func (s *Service) replies(ctx context.Context, room chat.RoomID, from, to time.Time, spent *budget) (all []chat.Message, err error) {
	const minute = "2006-01-02:15:04" // as the threads of a room are sorted
	var after chat.ListPosition
	var mu sync.Mutex
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for {
		roots, next, err := s.Store.ThreadsOf(ctx, room, after, threadsPerRead)
		if err != nil {
			return nil, errors.Join(err, reads.Wait())
		}
		for _, root := range roots {
			if !root.SentAt().Add(-chat.MaxAhead).Before(to) {
				continue
			}
			reads.Go(func() error {
				found, err := s.repliesTo(inner, thread.Root{Room: room, ID: root}, from, to, spent)
				mu.Lock()
				defer mu.Unlock()
				all = append(all, found...)
				return err
			})
		}
		if after = next; after == (chat.ListPosition{}) || after.Sort < from.UTC().Format(minute) {
			return all, reads.Wait()
		}
	}
}

// repliesTo returns the replies of a thread that were received within a time.
func (s *Service) repliesTo(ctx context.Context, root thread.Root, from, to time.Time, spent *budget) (all []chat.Message, err error) {
	r := thread.Range{Root: root, Order: chat.Newest, After: &chat.Position{At: to}, Limit: repliesPerRead}
	for {
		spent.spend(0)
		page, more, err := s.Store.Replies(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if m.ReceivedAt.Before(from) {
				return all, nil
			}
			all = append(all, m)
		}
		if !more {
			return all, nil
		}
		last := page[len(page)-1]
		r.After = &chat.Position{At: last.ReceivedAt, ID: last.ID}
	}
}

// within returns the documents of all messages that were received within a time, both ends
// included.
func (s *Service) within(ctx context.Context, room chat.RoomID, from, to int64) ([]Doc, error) {
	low, high := time.UnixMilli(from).UTC(), time.UnixMilli(to+1).UTC()
	r := chat.MessageRange{Room: room, From: low, To: high, Order: chat.Newest, Limit: s.pageMessages}
	all, err := s.replies(ctx, room, low, high, &budget{})
	for more := true; more && err == nil; {
		var page []chat.Message
		if page, more, err = s.Store.Messages(ctx, r); len(page) > 0 {
			last := page[len(page)-1]
			r.After = &chat.Position{At: last.ReceivedAt, ID: last.ID}
			all = append(all, page...)
		}
	}
	return docsOf(all, nil), err
}

// docsOf returns the documents of messages, each once, without deleted and known ones.
func docsOf(messages []chat.Message, known map[chat.MessageID]Doc) (docs []Doc) {
	seen := map[chat.MessageID]bool{}
	for _, m := range messages {
		if _, ok := known[m.ID]; ok || seen[m.ID] || m.Deleted() {
			continue
		}
		seen[m.ID] = true
		docs = append(docs, docOf(m))
	}
	return docs
}
