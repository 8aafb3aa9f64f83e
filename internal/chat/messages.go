package chat

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/policy"
)

// MessagePage is a page of messages. Next continues in the order of the page.
type MessagePage struct {
	Page[Message]
	// Prev continues from the newest message of a response to Around toward newer messages, oldest
	// first. It is empty if there is no newer message.
	Prev string
	// Since is the feed position from which a client with this page misses no change. Changes
	// that the page already includes may be repeated.
	Since FeedPosition
}

// Messages returns the messages of a room that match a query, at most q.Limit of them, without
// gaps or duplicates. A page ends early if it would exceed MaxPageBytes; Next then continues. A
// page that continues another one may also end early, but not before three quarters of q.Limit.
//
// The error is Invalid if parameters contradict each other or are out of range, and BadCursor if
// the cursor belongs to another query. It is NotFound if the message in q.Around, q.Before
// or q.After does not exist, and Invalid if the room does not list the one in q.Around. Otherwise
// it is as for Authorize.
func (s *Service) Messages(ctx context.Context, caller UserID, q MessageQuery) (page MessagePage, err error) {
	r, err := q.Range()
	if err != nil {
		return MessagePage{}, err
	}
	began := s.clock()
	var denied error
	check := func() (late bool, err error) { // reads the position during the check
		var feedErr error
		var both sync.WaitGroup
		both.Go(func() { page.Since, late, feedErr = s.feed.FeedPosition(ctx, q.Room, began) })
		_, err = s.AuthorizeRecent(ctx, caller, q.Room, policy.Read)
		both.Wait()
		denied = cmp.Or(err, feedErr)
		return late, denied
	}
	if anchor, _ := q.anchor(); anchor == nil {
		messages, more, readErr := s.store.MessagesWhileChecking(ctx, r, check)
		page.Page, err = r.page(messages, more), cmp.Or(denied, readErr)
	} else if _, err = check(); err == nil {
		err = s.pageAt(ctx, r, q, &page)
	}
	if err != nil {
		return MessagePage{}, err
	}
	return page, nil
}

// pageAt reads a page of r, after the message that q is relative to.
func (s *Service) pageAt(ctx context.Context, r MessageRange, q MessageQuery, page *MessagePage) error {
	anchor, _ := q.anchor()
	m, err := s.store.Message(ctx, r.Room, *anchor)
	if err != nil {
		return err
	}
	if q.Around == nil {
		at := r.nearestTo(m)
		r.After = &at
		page.Page, err = s.side(ctx, r)
		return err
	}
	if !m.InRoom() {
		return Invalidf(
			"around", "must not be a reply that the room does not list; the root of its thread is %s", m.Thread,
		)
	}
	return s.around(ctx, r, m, page)
}

// around reads a message with its neighbors, newest first. Half of the limit is for newer
// messages, the rest for older ones.
func (s *Service) around(ctx context.Context, r MessageRange, center Message, page *MessagePage) error {
	at := r.PositionOf(center)
	newer, older := r, r
	newer.Order, newer.After, newer.Limit = Oldest, &at, (r.Limit-1)/2
	older.Order, older.After, older.Limit = Newest, &at, r.Limit-1-newer.Limit

	before, err := s.side(ctx, newer)
	if err != nil {
		return err
	}
	after, err := s.side(ctx, older)
	if err != nil {
		return err
	}
	slices.Reverse(before.Items)
	page.Items, page.Next, page.Prev = slices.Concat(
		before.Items, []Message{center}, after.Items,
	), after.Next, before.Next
	return nil
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
	return r.page(messages, more), nil
}

// page returns a page of messages from the beginning of r.
func (r MessageRange) page(messages []Message, more bool) Page[Message] {
	page := Page[Message]{Items: messages}
	if more {
		page.Next = r.CursorAfter(messages)
	}
	return page
}

// CursorAfter returns the cursor after the last message of a page of r. For an empty page, it is
// the position at which the page begins.
func (r MessageRange) CursorAfter(page []Message) string {
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
// shards, so that a cursor survives a change of their number. The cursor itself contains the
// order, so clients need not repeat it.
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

// roomsAtOnce bounds the rooms that one page reads concurrently. It hides the store's latency and
// leaves connections for other requests.
const roomsAtOnce = 16

// MessageSource reads messages by their ids.
type MessageSource interface {
	// MessagesSoon returns the existing messages of a room among ids, none of which is given
	// twice. Changes from about the last second may be missing. The error is Unavailable if the
	// store cannot answer.
	MessagesSoon(ctx context.Context, room RoomID, ids []MessageID) (map[MessageID]Message, error)
}

// AuthorizeFunc checks a caller's action in the same way as chat.Authorizer.
type AuthorizeFunc func(ctx context.Context, caller UserID, room RoomID, action policy.Action) (Access, error)

// MessageReader reads messages for people. It is safe for concurrent use.
type MessageReader struct {
	Authorize AuthorizeFunc
	Source    MessageSource
}

// Messages returns the messages that exist and that the caller may read. An id may be given twice.
func (r MessageReader) Messages(
	ctx context.Context, caller UserID, ids map[RoomID][]MessageID,
) (map[RoomID]map[MessageID]Message, error) {
	var mu sync.Mutex
	all := make(map[RoomID]map[MessageID]Message, len(ids))
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(roomsAtOnce)
	for room, of := range ids {
		reads.Go(func() error {
			found, err := r.messagesIn(inner, caller, room, of)
			mu.Lock()
			defer mu.Unlock()
			all[room] = found
			return err
		})
	}
	return all, reads.Wait()
}

// messagesIn returns the messages of one room, or nil if the caller may not read it.
func (r MessageReader) messagesIn(
	ctx context.Context, caller UserID, room RoomID, ids []MessageID,
) (map[MessageID]Message, error) {
	_, err := r.Authorize(ctx, caller, room, policy.Read)
	switch KindOf(err) {
	case NotFound, Forbidden:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Source.MessagesSoon(ctx, room, Unique(ids))
}

// Unique returns the ids in order, each once.
func Unique(ids []MessageID) []MessageID {
	once := make([]MessageID, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}
