package thread

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Query selects the replies to a message. The zero Order and Cursor select the newest.
type Query struct {
	Root Root
	// A nil Order means the cursor's order, or newest first without a cursor.
	Order *chat.Order
	// Cursor continues at the end of an earlier answer to the same query.
	Cursor string
	// Limit is the maximum number of replies, 1 to chat.MaxLimit.
	Limit int
}

// Replies lists the replies to a message by time of receipt, including deleted replies and replies
// that the room lists. A deleted root keeps its replies.
//
// The error is Invalid for a limit out of range, BadCursor for a cursor of another query, and
// otherwise as for Follow.
func (s *Service) Replies(ctx context.Context, caller chat.UserID, q Query) (chat.Page[chat.Message], error) {
	scope := chat.NewCursorScope("replies").Text(string(q.Root.Room)).Text(q.Root.ID.String())
	var after position
	if q.Order != nil {
		after.order = *q.Order
	}
	r := chat.ReplyRange{Room: q.Root.Room, Root: q.Root.ID, Limit: q.Limit}
	if err := (chat.PageRequest{Limit: q.Limit, Cursor: q.Cursor}).Read(scope, &after); err != nil {
		return chat.Page[chat.Message]{}, err
	}
	if q.Order != nil && *q.Order != after.order {
		return chat.Page[chat.Message]{},
			&chat.Error{Kind: chat.BadCursor, Field: "cursor", Detail: "the cursor belongs to the other order"}
	}
	if r.Order = after.order; q.Cursor != "" {
		r.After = &after.Position
	}
	if _, err := s.root(ctx, caller, q.Root); err != nil {
		return chat.Page[chat.Message]{}, err
	}
	replies, more, err := s.source.Replies(ctx, r)
	page := chat.Page[chat.Message]{Items: replies}
	if more && len(replies) > 0 {
		last := replies[len(replies)-1]
		page.Next = chat.EncodeCursor(
			scope, &position{order: r.Order, Position: chat.Position{At: last.ReceivedAt, ID: last.ID}},
		)
	}
	return page, err
}

// position is a position among replies, and the order in which they are read.
type position struct {
	order chat.Order
	chat.Position
}

// CursorFields implements chat.CursorPosition.
func (p *position) CursorFields(f *chat.CursorCodec) {
	order := int64(p.order)
	f.Int(&order)
	f.Time(&p.At)
	f.Bytes(p.ID.UUID[:])
	f.Text((*string)(&p.ID.User))
	p.order = chat.Order(order)

	_, uuidErr := chat.ParseUUID(p.ID.UUID.String())
	_, userErr := chat.StoredUserID(string(p.ID.User))
	f.Check((p.order == chat.Newest || p.order == chat.Oldest) && uuidErr == nil && userErr == nil)
	f.Check(p.At.Equal(p.At.Truncate(time.Millisecond)))
}

// Threads lists the roots of a room's threads, newest reply first, to the minute. Threads whose
// replies or root are deleted stay in the list. A page ends early at chat.MaxPageBytes.
//
// The error is Invalid or BadCursor as for PageRequest.Read, and otherwise as for Authorize.
func (s *Service) Threads(
	ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest,
) (chat.Page[chat.Message], error) {
	scope := chat.NewCursorScope("threads").Text(string(room))
	after, err := page.After(scope, func(p chat.ListPosition) bool { return p.ID == "" })
	if err != nil {
		return chat.Page[chat.Message]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return chat.Page[chat.Message]{}, err
	}
	ids, next, err := s.source.ThreadsOf(ctx, room, after, page.Limit)
	if err != nil {
		return chat.Page[chat.Message]{}, err
	}
	found, err := s.source.MessagesSoon(ctx, room, ids)
	if err != nil {
		return chat.Page[chat.Message]{}, err
	}
	if n := fitting(ids, found); n < len(ids) {
		// Only the store knows the position of a thread, which is the end of a shorter page.
		if ids, next, err = s.source.ThreadsOf(ctx, room, after, n); err != nil {
			return chat.Page[chat.Message]{}, err
		}
	}
	roots := make([]chat.Message, 0, len(ids))
	for _, id := range ids {
		if m, ok := found[id]; ok {
			roots = append(roots, m)
		}
	}
	return chat.Page[chat.Message]{Items: roots, Next: next.Cursor(scope)}, nil
}

// fitting returns how many of the first messages fit into a page, at least one.
func fitting(ids []chat.MessageID, found map[chat.MessageID]chat.Message) int {
	size := 0
	for i, id := range ids {
		if m, ok := found[id]; ok {
			size += m.PageBytes()
		}
		if size > chat.MaxPageBytes && i > 0 {
			return i
		}
	}
	return len(ids)
}
