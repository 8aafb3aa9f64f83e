package pin

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
)

// Service pins messages. It is safe for concurrent use.
type Service struct{ o Options }

// Options are the settings of a Service. All are required.
type Options struct {
	Table    *dynamo.Table
	Rooms    *chat.Service
	Messages chat.MessageGetter
	Audit    chat.Auditor
	Clock    func() time.Time
}

// NewService returns a service.
func NewService(o Options) *Service { return &Service{o} }

// Pin pins a message for everyone in the room. A pinned message stays as it is.
//
// The error is NotFound for an unknown message, and Conflict for a deleted one or if the room has
// MaxPins pins. It is RateLimited if the caller pins too fast, and otherwise as for Authorize.
func (s *Service) Pin(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if err := s.authorize(ctx, caller, room); err != nil {
		return err
	}
	if err := s.checkMessage(ctx, room, id); err != nil {
		return err
	}
	stored, ok, err := Put(
		ctx, s.o.Table, room, Pin{Message: id, By: caller, At: chat.ServerTime(s.o.Clock())}, MaxPins,
	)
	if err != nil {
		return err
	}
	if !ok {
		return chat.Conflictf("the room has %d pins; unpin another message first", MaxPins)
	}
	// A concurrent deletion may have looked for the pin before it existed. After another failure,
	// a retry finds the pin and checks again.
	err = s.checkMessage(ctx, room, id)
	if chat.KindOf(err) == chat.Conflict {
		if _, unpinErr := Remove(ctx, s.o.Table, room, id); unpinErr != nil {
			return unpinErr
		}
	}
	if err != nil {
		return err
	}
	if stored.By == caller { // even on a retry, whose first attempt may have failed before the audit
		s.o.Audit.Audit(
			ctx, room,
			chat.AuditEvent{By: caller, At: stored.At, Action: "pin.added", On: id.User, Detail: id.String()},
		)
	}
	return nil
}

// Unpin removes a pin. If the message is not pinned, it succeeds and writes nothing. If people
// unpin a message concurrently, all of them are audited. The error is RateLimited if the caller
// unpins too fast, and otherwise as for Authorize.
func (s *Service) Unpin(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if err := s.authorize(ctx, caller, room); err != nil {
		return err
	}
	pins, err := Read(ctx, s.o.Table, room, dynamo.Strong)
	if err != nil || !slices.ContainsFunc(pins, func(p Pin) bool { return p.Message == id }) {
		return err
	}
	// A lost answer looks as if somebody else unpinned the message.
	if _, err = Remove(ctx, s.o.Table, room, id); err == nil {
		s.o.Audit.Audit(ctx, room, chat.AuditEvent{By: caller, Action: "pin.removed", On: id.User, Detail: id.String()})
	}
	return err
}

// Pins lists the pinned messages of a room, the newest pin first, without deleted ones. A page may
// have fewer items than its limit, and ends early at chat.MaxPageBytes. The error is as for
// Authorize and PageRequest.After.
func (s *Service) Pins(
	ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest,
) (chat.Page[Pinned], error) {
	scope := chat.NewCursorScope("pins").Text(string(room))
	after, err := page.After(scope, validPosition)
	if err != nil {
		return chat.Page[Pinned]{}, err
	}
	if _, err := s.o.Rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return chat.Page[Pinned]{}, err
	}
	pins, err := Read(ctx, s.o.Table, room, dynamo.Eventual)
	if err != nil {
		return chat.Page[Pinned]{}, err
	}
	for len(pins) > 0 && after != (chat.ListPosition{}) && pins[0].before(after) {
		pins = pins[1:]
	}
	more := len(pins) > page.Limit
	if more {
		pins = pins[:page.Limit]
	}
	return s.join(ctx, room, scope, pins, more)
}

// join returns a page of pins with their messages.
func (s *Service) join(
	ctx context.Context, room chat.RoomID, scope chat.CursorScope, pins []Pin, more bool,
) (chat.Page[Pinned], error) {
	ids := make([]chat.MessageID, len(pins))
	for i, p := range pins {
		ids[i] = p.Message
	}
	messages, err := s.o.Messages.MessagesSoon(ctx, room, ids)
	if err != nil {
		return chat.Page[Pinned]{}, err
	}
	var out chat.Page[Pinned]
	size := 0
	for i, p := range pins {
		m, ok := messages[p.Message]
		if !ok || m.Deleted() {
			continue
		}
		if size += m.PageBytes(); size > chat.MaxPageBytes && len(out.Items) > 0 {
			pins, more = pins[:i], true
			break
		}
		out.Items = append(out.Items, Pinned{p, m})
	}
	if more {
		out.Next = pins[len(pins)-1].position().Cursor(scope)
	}
	return out, nil
}

// authorize checks that the caller may pin and unpin.
func (s *Service) authorize(ctx context.Context, caller chat.UserID, room chat.RoomID) error {
	if wait := s.o.Rooms.TakeTokens(ctx, caller, 1); wait > 0 {
		return &chat.Error{
			Kind: chat.RateLimited, Limit: "messages", RetryAfter: wait, Detail: "you pin too fast; " + chat.RetryHint,
		}
	}
	_, err := s.o.Rooms.Authorize(ctx, caller, room, policy.Pin)
	return err
}

// checkMessage returns an error unless a message exists and is not deleted.
func (s *Service) checkMessage(ctx context.Context, room chat.RoomID, id chat.MessageID) error {
	m, err := s.o.Messages.Message(ctx, room, id)
	if err == nil && m.Deleted() {
		err = chat.Conflictf("the message is deleted and cannot be pinned")
	}
	return err
}
