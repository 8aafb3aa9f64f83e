package search

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

const (
	// threadsPerRead is the number of threads that one read lists, and threadsAtOnce the number of
	// those whose replies are read before the budget is looked at.
	threadsPerRead = 500
	threadsAtOnce  = 32
	// firstReplies is the number of replies that the first read of a thread lists. Each further one
	// lists four times as many, up to chat.MaxLimit: replies may have 32 KB.
	firstReplies = 10
	// firstPage is the number of messages of the first page of the past. The next ones have up to
	// twice as many messages as the page before: pages of large messages end early, and every shard
	// is asked for its part of the limit.
	firstPage = 100
)

// extend returns an index with another page of the past, and the documents of the page. With an
// empty budget, the page ends early.
func (s *Service) extend(ctx context.Context, x *index, spent *budget) (next *index, page []Doc, err error) {
	past := x.past()
	limit := min(cmp.Or(2*x.page, firstPage), s.pageMessages)
	spent.call()
	messages, more, err := s.Store.Messages(
		ctx, chat.MessageRange{Room: x.room, Order: chat.Newest, After: &past, Limit: limit},
	)
	if err != nil {
		return nil, nil, err
	}
	spent.spend(costOf(messages...))
	h := x.header
	var low time.Time
	if h.Whole, h.PastAt, h.PastID = !more, 0, ""; more {
		last := messages[len(messages)-1]
		low, h.PastAt, h.PastID = last.ReceivedAt, last.ReceivedAt.UnixMilli(), last.ID.String()
	}
	replies, cut, err := s.replies(ctx, x.room, low, past.At, spent)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Concat(messages, replies)
	all = slices.DeleteFunc(all, func(m chat.Message) bool { return m.ReceivedAt.Before(cut) })
	page, ended, err := docsOf(ctx, all, x.recent, spent)
	if err != nil {
		return nil, nil, err
	}
	if cut = later(cut, ended); !cut.IsZero() {
		h.Whole, h.PastAt, h.PastID = false, cut.UnixMilli(), ""
	}
	next = x.with(h, page, false)
	next.page = len(messages)
	next.unsaved += storeNow
	return next, page, nil
}

// minute is how the threads of a room are sorted.
const minute = "2006-01-02:15:04"

// replies returns the replies of a room that were received within a time, listed ones included.
//
// It lists the threads with a reply since from, the latest reply first, and reads those whose root
// is older than to. So it reads about as many threads as have replies within the time. If the
// budget becomes empty, all replies since cut are returned, which is earlier than to; otherwise cut
// is zero.
func (s *Service) replies(
	ctx context.Context, room chat.RoomID, from, to time.Time, spent *budget,
) (all []chat.Message, cut time.Time, err error) {
	for after := (chat.ListPosition{}); ; {
		spent.call()
		roots, next, err := s.Store.ThreadsOf(ctx, room, after, threadsPerRead)
		if err != nil {
			return nil, cut, err
		}
		for n := 0; n < len(roots); n += threadsAtOnce {
			var some []thread.Root
			for _, id := range roots[n:min(n+threadsAtOnce, len(roots))] {
				some = append(some, thread.Root{Room: room, ID: id})
			}
			found, ended, err := s.repliesToSome(ctx, some, from, to, spent)
			if err != nil {
				return nil, cut, err
			}
			all, cut = append(all, found...), later(cut, ended)
			if rest, ok, err := s.restOf(ctx, room, after, n+len(some), spent); err != nil || ok && rest.Before(to) {
				return all, later(cut, rest), err
			}
		}
		if after = next; after == (chat.ListPosition{}) || after.Sort < from.UTC().Format(minute) {
			return all, cut, nil
		}
	}
}

// restOf returns a time before which everything was received that is in the threads that follow the
// first ones after a position. ok is false unless the budget is empty and there are such threads.
func (s *Service) restOf(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, first int, spent *budget,
) (rest time.Time, ok bool, err error) {
	if !spent.empty() {
		return rest, false, nil
	}
	_, next, err := s.Store.ThreadsOf(ctx, room, after, first)
	if err != nil || next == (chat.ListPosition{}) || len(next.Sort) < len(minute) {
		return rest, false, err
	}
	last, err := time.Parse(minute, next.Sort[:len(minute)])
	return last.Add(time.Minute), err == nil, nil // otherwise nothing is known of the rest
}

// repliesToSome is replies for some threads.
func (s *Service) repliesToSome(
	ctx context.Context, roots []thread.Root, from, to time.Time, spent *budget,
) (all []chat.Message, cut time.Time, err error) {
	var mu sync.Mutex
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for _, root := range roots {
		if !root.ID.SentAt().Add(-chat.MaxAhead).Before(to) {
			continue
		}
		reads.Go(func() error {
			found, ended, err := s.repliesTo(inner, root, from, to, spent)
			mu.Lock()
			defer mu.Unlock()
			all, cut = append(all, found...), later(cut, ended)
			return err
		})
	}
	return all, cut, reads.Wait()
}

// repliesTo is replies for one thread.
func (s *Service) repliesTo(
	ctx context.Context, root thread.Root, from, to time.Time, spent *budget,
) (all []chat.Message, cut time.Time, err error) {
	r := chat.ReplyRange{
		Room: root.Room, Root: root.ID, Order: chat.Newest, After: &chat.Position{At: to}, Limit: firstReplies,
	}
	for {
		spent.call()
		page, more, err := s.Store.Replies(ctx, r)
		if err != nil {
			return nil, cut, err
		}
		for _, m := range page {
			if m.ReceivedAt.Before(from) {
				return all, cut, nil
			}
			spent.spend(costOf(m))
			all = append(all, m)
		}
		if !more {
			return all, cut, nil
		}
		last := page[len(page)-1]
		if next := last.ReceivedAt.Add(time.Millisecond); spent.empty() && next.Before(to) {
			return all, next, nil
		}
		r.After, r.Limit = &chat.Position{At: last.ReceivedAt, ID: last.ID}, min(4*r.Limit, chat.MaxLimit)
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// within returns the documents of all messages that were received within a time, both ends
// included. It has no budget, and counts what it takes.
func (s *Service) within(ctx context.Context, room chat.RoomID, from, to int64, spent *budget) ([]Doc, error) {
	low, high := time.UnixMilli(from).UTC(), time.UnixMilli(to+1).UTC()
	r := chat.MessageRange{Room: room, From: low, To: high, Order: chat.Newest, Limit: s.pageMessages}
	all, _, err := s.replies(ctx, room, low, high, &budget{})
	spent.spend(costOf(all...))
	for more := true; more && err == nil; {
		var page []chat.Message
		if page, more, err = s.Store.Messages(ctx, r); len(page) > 0 {
			last := page[len(page)-1]
			r.After = &chat.Position{At: last.ReceivedAt, ID: last.ID}
			all = append(all, page...)
			spent.spend(costOf(page...))
		}
	}
	if err != nil {
		return nil, err
	}
	free := &budget{}
	docs, _, err := docsOf(ctx, all, &Block{}, free)
	spent.spend(int(free.steps.Load()))
	return docs, err
}

// docsOf returns the documents of messages, each once, without deleted and known ones. If the
// budget becomes empty, it returns the documents of all messages since cut; otherwise cut is zero.
func docsOf(
	ctx context.Context, messages []chat.Message, known *Block, spent *budget,
) (docs []Doc, cut time.Time, err error) {
	slices.SortFunc(messages, func(a, b chat.Message) int { return b.ReceivedAt.Compare(a.ReceivedAt) })
	seen := map[chat.MessageID]bool{}
	for i, m := range messages {
		if seen[m.ID] || m.Deleted() || known.has(m) {
			continue
		}
		if i > 0 && spent.empty() && m.ReceivedAt.Before(messages[i-1].ReceivedAt) {
			return docs, messages[i-1].ReceivedAt, nil
		}
		seen[m.ID] = true
		d := docOf(m)
		spent.spend(foldCost * len(d.Text))
		docs = append(docs, d)
		if err := ctx.Err(); err != nil {
			return nil, cut, err
		}
	}
	return docs, cut, nil
}
