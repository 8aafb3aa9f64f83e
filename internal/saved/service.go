package saved

import (
	"context"
	"time"

	"parley/internal/chat"
	"parley/internal/policy"
)

// Service saves messages. It is safe for concurrent use.
type Service struct {
	store    Store
	rooms    Rooms
	messages Messages
	readable chat.MessageReader
	clock    func() time.Time
}

// NewService returns a service.
func NewService(store Store, rooms Rooms, messages Messages, clock func() time.Time) *Service {
	return &Service{
		store: store, rooms: rooms, messages: messages, clock: clock,
		readable: chat.MessageReader{Authorize: rooms.Authorize, Source: messages},
	}
}

// Save saves a message for the caller. A message that is saved already keeps its place in the list.
//
// The error is NotFound for an unknown message, Conflict for a deleted one, and RateLimited if the
// caller saves too fast. Otherwise it is as for Authorize.
func (s *Service) Save(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if wait := s.rooms.TakeTokens(caller, 1); wait > 0 {
		return &chat.Error{Kind: chat.RateLimited, Limit: "messages", RetryAfter: wait, Detail: "you save too fast; " + chat.RetryHint}
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return err
	}
	m, err := s.messages.Message(ctx, room, id)
	if err != nil {
		return err
	}
	if m.Deleted() {
		return &chat.Error{Kind: chat.Conflict, Detail: "the message is deleted and cannot be saved"}
	}
	return s.store.Save(ctx, caller, Entry{Room: room, Message: id, At: chat.ServerTime(s.clock())})
}

// Unsave removes a message from the caller's list. It succeeds if the list does not have it. The
// error is as for Authorize: a list shows nothing of a room that the caller can no longer read, so
// there is nothing to remove.
func (s *Service) Unsave(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return err
	}
	return s.store.Unsave(ctx, caller, Entry{Room: room, Message: id})
}

// Saved lists the messages that the caller has saved, the last saved first. It leaves out those
// that are deleted, and all of rooms that the caller can no longer read. So a page may have fewer
// items than its limit. It ends early at chat.MaxPageBytes. The error is as for PageRequest.After.
func (s *Service) Saved(ctx context.Context, caller chat.UserID, page chat.PageRequest) (chat.Page[Saved], error) {
	scope := chat.NewCursorScope("saved").Text(string(caller))
	after, err := page.After(scope, func(p chat.ListPosition) bool { _, ok := ParsePosition(p); return ok })
	if err != nil {
		return chat.Page[Saved]{}, err
	}
	entries, next, err := s.store.SavedBy(ctx, caller, after, page.Limit)
	if err != nil {
		return chat.Page[Saved]{}, err
	}
	ids := map[chat.RoomID][]chat.MessageID{}
	for _, e := range entries {
		ids[e.Room] = append(ids[e.Room], e.Message)
	}
	messages, err := s.readable.Messages(ctx, caller, ids)
	if err != nil {
		return chat.Page[Saved]{}, err
	}
	var out chat.Page[Saved]
	size := 0
	for i, e := range entries {
		m, ok := messages[e.Room][e.Message]
		if !ok || m.Deleted() {
			continue
		}
		if size += m.PageBytes(); size > chat.MaxPageBytes && len(out.Items) > 0 {
			next = entries[i-1].Position()
			break
		}
		out.Items = append(out.Items, Saved{e, m})
	}
	out.Next = next.Cursor(scope)
	return out, nil
}
