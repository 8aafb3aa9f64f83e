package membership

import (
	"context"

	"parley/internal/chat"
	"parley/internal/policy"
)

// Members lists the members of a room by name. The error is as for Authorize and PageRequest.Read.
func (s *Service) Members(ctx context.Context, caller chat.UserID, id chat.RoomID, page chat.PageRequest) (chat.Page[chat.Membership], error) {
	scope := chat.NewCursorScope("members").Text(string(id))
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, err := chat.StoredUserID(p.ID)
		return err == nil
	})
	if err != nil {
		return chat.Page[chat.Membership]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, id, policy.See); err != nil {
		return chat.Page[chat.Membership]{}, err
	}
	members, next, err := s.store.Members(ctx, id, after, page.Limit)
	return chat.Page[chat.Membership]{Items: members, Next: next.Cursor(scope)}, err
}

// Memberships lists the caller's memberships by room, including private rooms. The error is
// Forbidden for another person's memberships, because they would reveal hidden rooms.
func (s *Service) Memberships(ctx context.Context, caller, user chat.UserID, page chat.PageRequest) (chat.Page[chat.Membership], error) {
	if caller != user {
		return chat.Page[chat.Membership]{}, &chat.Error{Kind: chat.Forbidden, Detail: "you may list only your own rooms"}
	}
	scope := chat.NewCursorScope("rooms of a person").Text(string(user))
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, err := chat.ParseRoomID(p.Sort)
		return err == nil
	})
	if err != nil {
		return chat.Page[chat.Membership]{}, err
	}
	memberships, next, err := s.store.RoomsOf(ctx, user, after, page.Limit)
	return chat.Page[chat.Membership]{Items: memberships, Next: next.Cursor(scope)}, err
}
