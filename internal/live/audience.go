package live

import (
	"context"
	"errors"
	"maps"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
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

// Typing records that a connection's person types in a room, and returns the subscriptions to
// notify: other people's, or none in a room with more than MaxAudience. If one of two people has
// blocked the other, neither is notified of the other's typing.
//
// The error is RateLimited if the connection has reported it within TypingInterval, and Conflict
// if it is not subscribed to the room. Otherwise the error is as for posting a message.
func (s *Service) Typing(ctx context.Context, c Connection, room chat.RoomID) (audience []Subscription, err error) {
	if _, err := s.rooms.Authorize(ctx, c.User, room, policy.Post); err != nil {
		return nil, err
	}
	wait, found, err := s.lookup.MarkTyping(ctx, room, c.ID, chat.ServerTime(s.clock()))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, chat.Conflictf("the connection is not subscribed to this room; subscribe first")
	case wait > 0:
		return nil, &chat.Error{
			Kind: chat.RateLimited, Limit: "typing", RetryAfter: wait,
			Detail: "typing is reported at most once in 8 seconds; " + chat.RetryHint,
		}
	}
	audience, err = s.Audience(ctx, room, MaxAudience)
	if err != nil {
		return nil, err
	}
	audience = slices.DeleteFunc(audience, func(sub Subscription) bool { return sub.Connection.User == c.User })
	return s.withoutBlocks(ctx, c.User, audience)
}

// withoutBlocks removes the people who have blocked a person from an audience, and the people whom
// the person has blocked. It reads everyone's list, because no cheaper item shows who has one.
func (s *Service) withoutBlocks(
	ctx context.Context, user chat.UserID, audience []Subscription,
) ([]Subscription, error) {
	if len(audience) == 0 {
		return nil, nil
	}
	users := make([]chat.UserID, len(audience))
	for i, sub := range audience {
		users[i] = sub.Connection.User
	}
	var sets [2]map[chat.UserID]bool
	var errs [2]error
	s.each(len(sets), func(i int) {
		if i == 0 {
			sets[i], errs[i] = s.blocks.Blocked(ctx, user)
		} else {
			sets[i], errs[i] = s.blocks.Blockers(ctx, user, users)
		}
	})
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(audience, func(sub Subscription) bool {
		return sets[0][sub.Connection.User] || sets[1][sub.Connection.User]
	}), nil
}

// Online lists the people with a connection that is subscribed to a room.
type Online struct {
	// Count is at most MaxOnline. It includes people who have blocked the caller, unless Users
	// would have named them.
	Count int
	// Users are at most MaxOnlineUsers of these people, in order.
	Users []chat.UserID
}

// Online returns the people who are online in a room. Each counts once. It leaves out people who
// have blocked the caller. Changes of the last second may be missing. A connection whose end was
// not noticed counts until the latest time to which it could have been renewed. The error is as
// for reading the room's settings.
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
	return s.seenBy(ctx, caller, slices.Sorted(maps.Keys(users)))
}

// seenBy returns the people who are online as a caller sees them. It reads the blocks of as many
// people as it names, and further blocks only to replace people who have blocked the caller.
func (s *Service) seenBy(ctx context.Context, caller chat.UserID, all []chat.UserID) (Online, error) {
	o := Online{Count: len(all)}
	for some := range slices.Chunk(all, MaxOnlineUsers) {
		blockers, err := s.blocks.Blockers(ctx, caller, some)
		if err != nil {
			return Online{}, err
		}
		for _, user := range some {
			if blockers[user] {
				o.Count--
			} else if len(o.Users) < MaxOnlineUsers {
				o.Users = append(o.Users, user)
			}
		}
		if len(o.Users) == MaxOnlineUsers {
			break
		}
	}
	o.Count = min(o.Count, MaxOnline)
	return o, nil
}
