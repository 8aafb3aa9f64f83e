package inbox

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/policy"
)

// Preferences are what a person prefers about a room. Nobody else sees them. They are part of the
// person's read marker, so they survive when the person leaves the room and joins it again (ADR
// 70).
type Preferences struct {
	Favorite bool
	// Level is the level of notifications; while it is muted, only mentions count as unread; see
	// Room.Counted.
	Level notify.Choice
}

// SetPreferences replaces the caller's preferences about a room, direct or archived rooms too.
//
// The error is as for the method Authorize of chat.Authorizer. It is also Forbidden if user is not
// the caller, and NotFound if the caller is not in the room.
func (s *Service) SetPreferences(ctx context.Context, caller, user chat.UserID, room chat.RoomID, p Preferences) error {
	a, err := s.rooms.Authorize(ctx, caller, room, policy.Read)
	switch {
	case err != nil:
		return err
	case caller != user:
		return &chat.Error{Kind: chat.Forbidden, Detail: "you may change only your own preferences"}
	case !a.Membership.At(s.clock()).In():
		return &chat.Error{Kind: chat.NotFound, Detail: "you are not in this room"}
	}
	if !p.Level.Until.IsZero() && !s.clock().Before(p.Level.Until) {
		return chat.Invalidf("levelUntil", "must be in the future")
	}
	return s.store.PutPreferences(ctx, chat.MemberOf{Room: room, User: caller}, p)
}

// at returns the preferences that apply at a time.
func (p Preferences) at(now time.Time) Preferences {
	p.Level = p.Level.At(now)
	return p
}

// Counted returns the number of messages by which a room adds to the sum of unread messages: in a
// muted room, only those that mention the person.
func (r Room) Counted() int64 {
	if r.Preferences.Level.Muted() {
		return r.Reading.Mentions
	}
	return r.Reading.Unread
}
