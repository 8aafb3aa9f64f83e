package membership

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Erase ends the membership of a person who is deleted, with their ban or mute. It reports false if
// they have no membership state. Nobody authorizes it, and it stores no audit line. If the person
// is the room's only owner, the room becomes the given service's.
func (s *Service) Erase(ctx context.Context, of chat.MemberOf, service chat.UserID) (ended bool, err error) {
	for range chat.MaxChangeTries {
		before, err := s.store.Membership(ctx, of.Room, of.User)
		if err != nil || before.Room == "" {
			return false, err
		}
		heir, ready, err := s.prepare(ctx, before, service)
		if err != nil {
			return false, err
		}
		if !ready {
			continue
		}
		if ok, err := s.store.EndMembership(ctx, before, heir); ok || err != nil {
			return ok, err
		}
	}
	return false, chat.TooBusy()
}

// prepare makes the changes of a room that precede the end of a membership. They are no part of its
// transaction, in which no role could be confined to their attributes, but may be repeated. It
// returns another owner on whom the end depends, if any. ready is false if the room has changed
// meanwhile. A deleted room needs nothing.
func (s *Service) prepare(
	ctx context.Context, m chat.Membership, service chat.UserID,
) (heir chat.Membership, ready bool, err error) {
	room, err := s.rooms.CurrentRoom(ctx, m.Room)
	if chat.KindOf(err) == chat.NotFound {
		return heir, true, nil
	}
	if err == nil && room.Direct != nil {
		err = s.store.LeaveDirect(ctx, room, m.User)
	}
	if err != nil || m.At(s.clock()).Role != policy.Owner || room.Service != "" {
		return heir, true, err
	}
	heir, err = s.otherOwner(ctx, chat.MemberOf{Room: m.Room, User: m.User})
	if err != nil || heir.Room != "" {
		return heir, true, err
	}
	ready, err = s.store.GiveRoom(ctx, m.Room, service)
	return heir, ready, err
}
