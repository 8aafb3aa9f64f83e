package live

import (
	"context"
	"maps"
	"slices"

	"parley/internal/chat"
	"parley/internal/policy"
)

// Audience returns the subscriptions that receive what happens in a room now, by a consistent read.
// If they are more than limit, it returns none.
func (s *Service) Audience(ctx context.Context, room chat.RoomID, limit int) ([]Subscription, error) {
	var audience []Subscription
	r := SubscriptionRange{Room: room, Limit: limit + 1, Consistent: true}
	for {
		page, more, err := s.lookup.SomeSubscriptions(ctx, r)
		if err != nil {
			return nil, err
		}
		now := s.clock()
		if err := s.ends.updateSubscriptions(ctx, now, page); err != nil {
			return nil, err
		}
		for _, sub := range page {
			if sub.receives(now) {
				audience = append(audience, sub)
			}
		}
		if len(audience) > limit {
			return nil, nil
		}
		if !more {
			return audience, nil
		}
		r.After = page[len(page)-1].Connection.ID
	}
}

// Typing records that a connection's person types in a room, and returns the subscriptions that
// hear of it: those of the others, or none in a room with more than MaxAudience.
//
// The error is RateLimited if the connection has reported it within TypingInterval, and Conflict if
// it is not subscribed to the room. Otherwise it is as for posting a message.
func (s *Service) Typing(ctx context.Context, c Connection, room chat.RoomID) (audience []Subscription, err error) {
	if _, err := s.rooms.Authorize(ctx, c.User, room, policy.Post); err != nil {
		return nil, err
	}
	wait, found, err := s.lookup.MarkTyping(ctx, room, c.ID, chat.ServerTime(s.clock()))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, &chat.Error{Kind: chat.Conflict, Detail: "the connection is not subscribed to this room; subscribe first"}
	case wait > 0:
		return nil, &chat.Error{Kind: chat.RateLimited, Limit: "typing", RetryAfter: wait, Detail: "typing is reported at most once in 8 seconds; " + chat.RetryHint}
	}
	audience, err = s.Audience(ctx, room, MaxAudience)
	return slices.DeleteFunc(audience, func(sub Subscription) bool { return sub.Connection.User == c.User }), err
}

// Online is who has a connection that is subscribed to a room.
type Online struct {
	Count int // at most MaxOnline
	// Users are at most MaxOnlineUsers of them, in order.
	Users []chat.UserID
}

// Online returns the people who are online in a room. Each counts once. Changes of the last second
// may be missing. A connection whose end nobody has noticed counts for as long as it could have
// been renewed. The error is as for reading the room's settings.
func (s *Service) Online(ctx context.Context, caller chat.UserID, room chat.RoomID) (Online, error) {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.See); err != nil {
		return Online{}, err
	}
	users := map[chat.UserID]bool{}
	r := SubscriptionRange{Room: room, Limit: onlinePage}
	for {
		page, more, err := s.lookup.SomeSubscriptions(ctx, r)
		if err != nil {
			return Online{}, err
		}
		now := s.clock()
		for _, sub := range page {
			if sub.Active && now.Before(sub.Connection.last()) {
				users[sub.Connection.User] = true
			}
		}
		if !more || len(users) >= MaxOnline {
			break
		}
		r.After = page[len(page)-1].Connection.ID
	}
	all := slices.Sorted(maps.Keys(users))
	return Online{Count: min(len(all), MaxOnline), Users: all[:min(len(all), MaxOnlineUsers)]}, nil
}
