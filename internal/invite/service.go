// Package invite manages invitations: links with which people join a room themselves. The store
// holds only hashes of their tokens.
package invite

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
)

// Service creates, lists, revokes and uses invitations. It is safe for concurrent use.
type Service struct {
	store    Store
	rooms    *chat.Service
	members  chat.MemberStore
	accounts Accounts
	audit    chat.Auditor
	names    chat.Names
	counts   chat.FeedPositions
	clock    func() time.Time
	random   io.Reader
}

// Accounts checks the creators of invitations. account.Service implements it.
type Accounts interface {
	// CheckCurrent returns an error of kind Suspended for a suspended person, by a consistent read.
	CheckCurrent(ctx context.Context, user chat.UserID) error
}

// Options are the settings of a Service. All are required.
type Options struct {
	Table    *dynamo.Table
	Rooms    *chat.Service
	Members  chat.MemberStore
	Accounts Accounts
	Audit    chat.Auditor
	Names    chat.Names
	Counts   chat.FeedPositions
	Clock    func() time.Time
	// Random must be unpredictable and safe for concurrent use, because tokens are read from it.
	Random io.Reader
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: NewStore(o.Table), rooms: o.Rooms, members: o.Members, accounts: o.Accounts, audit: o.Audit,
		names: o.Names, counts: o.Counts, clock: o.Clock, random: o.Random,
	}
}

// Create stores a new invitation and returns its token, which cannot be retrieved later. The
// caller must be allowed to give its role to a stranger: moderators invite members, and owners
// also moderators. A repeated call creates another invitation.
//
// The error is Invalid for an invalid draft, and Conflict if the room has MaxLive live
// invitations. Otherwise it is as for Authorize. Direct and archived rooms have no invitations.
func (s *Service) Create(
	ctx context.Context, caller chat.UserID, room chat.RoomID, d Draft,
) (i Invitation, token string, err error) {
	if i, err = d.invitation(s.clock()); err != nil {
		return Invitation{}, "", err
	}
	a, err := s.rooms.Authorize(ctx, caller, room, policy.Administer)
	if err != nil {
		return Invitation{}, "", err
	}
	if !policy.MayChange(a.Role, policy.Stranger, i.Role) {
		return Invitation{}, "", chat.NotAllowed()
	}
	if token, err = newToken(s.random); err != nil {
		return Invitation{}, "", err
	}
	i.ID, i.Room, i.CreatedBy = IDOf(token), room, caller
	created, err := s.store.Create(ctx, i, MaxLive)
	if err != nil {
		return Invitation{}, "", err
	}
	if !created {
		return Invitation{}, "", chat.Conflictf("a room has at most %d live invitations; revoke one first", MaxLive)
	}
	detail := fmt.Sprintf("%s: %s, %d uses, until %s", i.ID, i.Role, i.MaxUses, i.Expires.Format(time.RFC3339))
	s.audit.Audit(ctx, room, chat.AuditEvent{By: caller, Action: "invite.created", Detail: detail})
	return i, token, nil
}

// Invitations lists the live invitations of a room for its moderators and owners, newest first. The
// list may be behind by a second. The error is as for Authorize and PageRequest.Read.
func (s *Service) Invitations(
	ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest,
) (chat.Page[Invitation], error) {
	scope := chat.NewCursorScope("invites").Text(string(room))
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, err := ParseID(p.ID)
		return err == nil
	})
	if err != nil {
		return chat.Page[Invitation]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Audit); err != nil {
		return chat.Page[Invitation]{}, err
	}
	live, next, err := s.live(ctx, room, after, page.Limit)
	return chat.Page[Invitation]{Items: live, Next: next.Cursor(scope)}, err
}

// live reads up to limit live invitations. It skips the others, which are in the list until the
// store removes them.
func (s *Service) live(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
) ([]Invitation, chat.ListPosition, error) {
	now := s.clock()
	var all []Invitation
	for {
		stored, next, err := s.store.List(ctx, room, after, limit-len(all))
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		for _, i := range stored {
			if i.Live(now) {
				all = append(all, i)
			}
		}
		if after = next; len(all) == limit || next == (chat.ListPosition{}) {
			return all, next, nil
		}
	}
}

// Revoke ends an invitation. Revoking it again changes nothing. The error is NotFound if the room
// has no such invitation, and otherwise as for Authorize. The caller must be a moderator or an
// owner; moderators may revoke every invitation.
func (s *Service) Revoke(ctx context.Context, caller chat.UserID, room chat.RoomID, id ID) error {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Administer); err != nil {
		return err
	}
	i, found, err := s.store.Invitation(ctx, id)
	if err != nil {
		return err
	}
	if !found || i.Room != room {
		return &chat.Error{Kind: chat.NotFound, Detail: "this room has no such invitation"}
	}
	if i.Revoked {
		return nil
	}
	revoked, err := s.store.Revoke(ctx, i)
	if revoked {
		s.audit.Audit(
			ctx, room, chat.AuditEvent{By: caller, Action: "invite.revoked", On: i.CreatedBy, Detail: string(id)},
		)
	}
	return err
}
