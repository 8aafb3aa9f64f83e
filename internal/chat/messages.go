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
	// Prev continues from the newest message of an answer to Around towards newer messages, oldest
	// first. It is empty if there is no newer message.
	Prev string
	// Since is the feed position from which a client with this page misses no change. Changes that
	// the page already includes may be repeated.
	Since FeedPosition
}

// Messages returns the messages of a room that match a query, at most q.Limit of them, without gaps
// or duplicates. A page ends early if it would exceed MaxPageBytes; Next then continues.
//
// The error is Invalid if parameters contradict each other or are out of range, and BadCursor if
// the cursor belongs to another query. It is NotFound if the message in q.Around, q.Before
// or q.After does not exist, and Invalid if the room does not list the one in q.Around. Otherwise
// it is as for Authorize.
func (s *Service) Messages(ctx context.Context, caller UserID, q MessageQuery) (MessagePage, error) {
	r, err := q.messageRange()
	if err != nil {
		return MessagePage{}, err
	}
	since, err := s.authorizeReader(ctx, caller, q.Room)
	if err != nil {
		return MessagePage{}, err
	}
	page, err := s.messagePage(ctx, r, q)
	page.Since = since
	return page, err
}

// messagePage reads a page of r. It first reads the message that q is relative to, if any.
func (s *Service) messagePage(ctx context.Context, r MessageRange, q MessageQuery) (MessagePage, error) {
	if anchor, _ := q.anchor(); anchor != nil {
		m, err := s.store.Message(ctx, r.Room, *anchor)
		if err != nil {
			return MessagePage{}, err
		}
		if q.Around != nil && !m.InRoom() {
			return MessagePage{}, Invalidf("around", "must not be a reply that the room does not list; the root of its thread is %s", m.Thread)
		}
		if q.Around != nil {
			return s.around(ctx, r, m)
		}
		at := r.nearestTo(m)
		r.After = &at
	}
	page, err := s.side(ctx, r)
	return MessagePage{Page: page}, err
}

// authorizeReader authorizes a reader. In parallel it reads the feed position, which must precede
// the read of the messages.
func (s *Service) authorizeReader(ctx context.Context, caller UserID, room RoomID) (since FeedPosition, err error) {
	var feedErr error
	var both sync.WaitGroup
	both.Go(func() { since, feedErr = s.feed.FeedPosition(ctx, room) })
	_, err = s.AuthorizeRecent(ctx, caller, room, policy.Read)
	both.Wait()
	return since, cmp.Or(err, feedErr)
}

// around returns a message with its neighbors, newest first. Half of the limit are newer messages,
// the rest are older.
func (s *Service) around(ctx context.Context, r MessageRange, center Message) (MessagePage, error) {
	at := r.PositionOf(center)
	newer, older := r, r
	newer.Order, newer.After, newer.Limit = Oldest, &at, (r.Limit-1)/2
	older.Order, older.After, older.Limit = Newest, &at, r.Limit-1-newer.Limit

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

// side returns the page on one side of a message. If the limit is 0 the page is empty, and Next is
// set if there are messages on that side.
func (s *Service) side(ctx context.Context, r MessageRange) (Page[Message], error) {
	limit := r.Limit
	r.Limit = max(1, limit)
	messages, more, err := s.store.Messages(ctx, r)
	if err != nil {
		return Page[Message]{}, err
	}
	if limit == 0 && len(messages) > 0 {
		messages, more = nil, true
	}
	page := Page[Message]{Items: messages}
	if more {
		page.Next = r.cursorAfter(messages)
	}
	return page, nil
}

// cursorAfter returns the cursor after the last message of a page of r. For an empty page, it is
// the position at which the page begins.
func (r MessageRange) cursorAfter(page []Message) string {
	after := messagePosition{order: r.Order}
	switch {
	case len(page) > 0:
		after.Position = r.PositionOf(page[len(page)-1])
	case r.After != nil:
		after.Position = *r.After
	default:
		return ""
	}
	return EncodeCursor(r.cursorScope(), &after)
}

// cursorScope returns a scope of the room, the sender and the bounds. It does not include the
// shards, so that a cursor survives a change of their number. The cursor itself contains the order,
// so that clients need not repeat it.
func (r MessageRange) cursorScope() CursorScope {
	return NewCursorScope("messages").Text(string(r.Room)).Text(string(r.User)).Time(r.From).Time(r.To)
}

// messagePosition is a position among messages, and the order in which they are read.
type messagePosition struct {
	order Order
	Position
}

// CursorFields implements CursorPosition.
func (p *messagePosition) CursorFields(f *CursorCodec) {
	order := int64(p.order)
	f.Int(&order)
	f.Time(&p.At)
	f.Bytes(p.ID.UUID[:])
	f.Text((*string)(&p.ID.User))
	p.order = Order(order)

	_, uuidErr := ParseUUID(p.ID.UUID.String())
	_, userErr := StoredUserID(string(p.ID.User))
	f.Check((p.order == Newest || p.order == Oldest) && uuidErr == nil && userErr == nil)
	f.Check(p.At.Equal(p.At.Truncate(time.Millisecond)))
}
