package chat

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"parley/internal/policy"
)

// Listing answers a question.
type Listing struct {
	Messages []Message
	// Next goes on in the order of the listing; empty at its end.
	Next string
	// Prev goes on from the newest message of an answer to Around towards
	// newer ones, oldest first; empty when there is none.
	Prev string
	// Since is where a client that holds this page goes on with Changes, and misses nothing.
	// Changes that the page shows already may come again.
	Since Since
}

// List answers a question about a room's messages: at most q.Limit of them, none left
// out and none twice. It ends early where the page would weigh more than
// MaxPageBytes; Next then goes on.
//
// Invalid when parameters contradict each other or are out of range,
// BadCursor when the cursor belongs elsewhere, NotFound for an unknown or hidden room
// or a message asked around that does not exist.
func (s *Service) List(ctx context.Context, caller UserID, q Question) (Listing, error) {
	span, err := q.span()
	if err != nil {
		return Listing{}, err
	}
	since, err := s.enter(ctx, caller, q.Room)
	if err != nil {
		return Listing{}, err
	}
	if q.Around != nil {
		listing, err := s.around(ctx, span, *q.Around)
		listing.Since = since
		return listing, err
	}
	page, err := s.store.Messages(ctx, span)
	if err != nil {
		return Listing{}, err
	}
	return Listing{Messages: page.Messages, Next: cursorAfter(span, page), Since: since}, nil
}

// enter authorizes a reader and, side by side, reads where the feed stands before anything
// is listed.
func (s *Service) enter(ctx context.Context, caller UserID, room RoomID) (since Since, err error) {
	var feedErr error
	var both sync.WaitGroup
	both.Go(func() { since, feedErr = s.feed.FeedPosition(ctx, room) })
	_, err = s.Authorize(ctx, caller, room, policy.Read)
	both.Wait()
	return since, cmp.Or(err, feedErr)
}

// around lists one message with its neighbours, newest first: half of the
// limit newer, the rest older.
func (s *Service) around(ctx context.Context, span Span, id MessageID) (Listing, error) {
	center, err := s.store.Message(ctx, span.Room, id)
	if err != nil {
		return Listing{}, err
	}
	at := span.PositionOf(center)
	newer, older := span, span
	newer.Order, newer.After, newer.Limit = Oldest, &at, (span.Limit-1)/2
	older.Order, older.After, older.Limit = Newest, &at, span.Limit-1-newer.Limit

	before, prev, err := s.side(ctx, newer)
	if err != nil {
		return Listing{}, err
	}
	after, next, err := s.side(ctx, older)
	if err != nil {
		return Listing{}, err
	}
	slices.Reverse(before)
	return Listing{Messages: slices.Concat(before, []Message{center}, after), Next: next, Prev: prev}, nil
}

// side is the page on one side of a message, and the cursor that goes on after
// it. A limit of 0 only looks whether there is anything.
func (s *Service) side(ctx context.Context, span Span) ([]Message, string, error) {
	limit := span.Limit
	span.Limit = max(1, limit)
	page, err := s.store.Messages(ctx, span)
	if err != nil {
		return nil, "", err
	}
	if limit == 0 && len(page.Messages) > 0 {
		page = Page{More: true}
	}
	if len(page.Messages) == 0 && page.More {
		return nil, encodeCursor(span, *span.After), nil
	}
	return page.Messages, cursorAfter(span, page), nil
}

func cursorAfter(span Span, page Page) string {
	if !page.More || len(page.Messages) == 0 {
		return ""
	}
	return encodeCursor(span, span.PositionOf(page.Messages[len(page.Messages)-1]))
}
