package chat

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"parley/internal/policy"
)

// MessagePage is a page of messages. Next continues in the order of the page.
type MessagePage struct {
	Page[Message]
	// Prev continues from the newest message of an answer to Around towards newer ones, oldest
	// first; empty when there is none.
	Prev string
	// Since is the position from which a client that holds this page misses no change. Changes that
	// the page shows already may be repeated.
	Since FeedPosition
}

// Messages answers a question about a room's messages: at most q.Limit of them, none left
// out and none twice. It ends early where the page would weigh more than
// MaxPageBytes; Next then goes on.
//
// Invalid when parameters contradict each other or are out of range,
// BadCursor when the cursor belongs elsewhere, NotFound for an unknown or hidden room
// or a message asked around that does not exist.
func (s *Service) Messages(ctx context.Context, caller UserID, q MessageQuery) (MessagePage, error) {
	span, err := q.span()
	if err != nil {
		return MessagePage{}, err
	}
	since, err := s.enter(ctx, caller, q.Room)
	if err != nil {
		return MessagePage{}, err
	}
	if q.Around != nil {
		page, err := s.around(ctx, span, *q.Around)
		page.Since = since
		return page, err
	}
	messages, more, err := s.store.Messages(ctx, span)
	if err != nil {
		return MessagePage{}, err
	}
	page := MessagePage{Page: Page[Message]{Items: messages}, Since: since}
	if more {
		page.Next = span.cursorAfter(messages)
	}
	return page, nil
}

// enter authorizes a reader and, side by side, reads where the feed stands before anything
// is listed.
func (s *Service) enter(ctx context.Context, caller UserID, room RoomID) (since FeedPosition, err error) {
	var feedErr error
	var both sync.WaitGroup
	both.Go(func() { since, feedErr = s.feed.FeedPosition(ctx, room) })
	_, err = s.Authorize(ctx, caller, room, policy.Read)
	both.Wait()
	return since, cmp.Or(err, feedErr)
}

// around lists one message with its neighbours, newest first: half of the
// limit newer, the rest older.
func (s *Service) around(ctx context.Context, span MessageRange, id MessageID) (MessagePage, error) {
	center, err := s.store.Message(ctx, span.Room, id)
	if err != nil {
		return MessagePage{}, err
	}
	at := span.PositionOf(center)
	newer, older := span, span
	newer.Order, newer.After, newer.Limit = Oldest, &at, (span.Limit-1)/2
	older.Order, older.After, older.Limit = Newest, &at, span.Limit-1-newer.Limit

	before, err := s.side(ctx, newer)
	if err != nil {
		return MessagePage{}, err
	}
	after, err := s.side(ctx, older)
	if err != nil {
		return MessagePage{}, err
	}
	slices.Reverse(before.Items)
	messages := slices.Concat(before.Items, []Message{center}, after.Items)
	return MessagePage{Page: Page[Message]{Items: messages, Next: after.Next}, Prev: before.Next}, nil
}

// side returns the page on one side of a message. With a limit of 0 the page is empty, and its Next
// tells whether there is anything.
func (s *Service) side(ctx context.Context, span MessageRange) (Page[Message], error) {
	limit := span.Limit
	span.Limit = max(1, limit)
	messages, more, err := s.store.Messages(ctx, span)
	if err != nil {
		return Page[Message]{}, err
	}
	if limit == 0 && len(messages) > 0 {
		messages, more = nil, true
	}
	page := Page[Message]{Items: messages}
	if more {
		page.Next = span.cursorAfter(messages)
	}
	return page, nil
}

// cursorAfter returns the cursor behind the last message of a page of s, or where the page is empty
// behind the position at which it begins.
func (s MessageRange) cursorAfter(page []Message) string {
	after := messagePosition{order: s.Order}
	switch {
	case len(page) > 0:
		after.Position = s.PositionOf(page[len(page)-1])
	case s.After != nil:
		after.Position = *s.After
	default:
		return ""
	}
	return EncodeCursor(s.cursorScope(), &after)
}

// cursorScope is the room, the sender and the bounds. Shards are no part of it, so that a cursor
// survives a change of their number. The order is in the cursor itself: a client need not repeat it.
func (s MessageRange) cursorScope() CursorScope {
	return NewCursorScope("messages").Text(string(s.Room)).Text(string(s.User)).Time(s.From).Time(s.To)
}

// messagePosition is a position among messages and the order in which it is passed.
type messagePosition struct {
	order Order
	Position
}

// CursorFields implements CursorPosition.
func (p *messagePosition) CursorFields(f *CursorFields) {
	order := int64(p.order)
	f.Int(&order)
	f.Time(&p.At)
	f.Bytes(p.ID.UUID[:])
	f.Text((*string)(&p.ID.User))
	p.order = Order(order)

	_, uuidErr := ParseUUID(p.ID.UUID.String())
	_, userErr := ParseUserID(string(p.ID.User))
	f.Check((p.order == Newest || p.order == Oldest) && uuidErr == nil && userErr == nil)
	f.Check(p.At.Equal(p.At.Truncate(time.Millisecond)))
}
