package dynamo

import (
	"context"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/table"
)

// maxFullReads is the maximum number of times that a new invitation reads a full count. Each
// further read means that places became free after the previous read and were taken again.
const maxFullReads = 4

// CreateInvitation is one transaction of the invitation and the room's count: 5 write units for
// the first invitations of a room, and up to 9. If the count is full, it is read for 1 read unit.
// Its invitations are read for half a unit each, and dead ones are removed from the count. Then
// the transaction is tried again. The error is Unavailable if others take the free places
// maxFullReads times.
func (s *Store) CreateInvitation(ctx context.Context, i invite.Invitation, limit int) (bool, error) {
	const op = "create invitation"
	writes := []Write{
		s.table.PutNew(table.InviteItem(i)),
		s.table.Update(table.InvitesKey(i.Room), table.InvitesAdd(i, limit)),
	}
	for range maxFullReads {
		created, err := s.table.transactIf(ctx, op, anyConditionFailed, writes...)
		if created || err != nil {
			return created, err
		}
		full, err := s.invitationsFull(ctx, i.Room, i.CreatedAt, limit)
		if full || err != nil {
			return false, err
		}
	}
	return false, &chat.Error{Kind: chat.Unavailable, RetryAfter: RetryAfter, Cause: fmt.Errorf("%s: others take the free places", op)}
}

// invitationsFull reports whether a room has limit live invitations. If not, no dead invitation is
// left in its count, which another caller may have reduced meanwhile.
func (s *Store) invitationsFull(ctx context.Context, room chat.RoomID, now time.Time, limit int) (bool, error) {
	counted, _, err := ReadStrong(ctx, s.table, "count invitations", table.InvitesKey(room), table.ParseInvites)
	if err != nil || len(counted) < limit {
		return false, err
	}
	dead, err := s.deadInvitations(ctx, counted, now)
	if err != nil || len(dead) == 0 {
		return err == nil, err
	}
	_, _, err = s.table.UpdateItem(ctx, "forget dead invitations", table.InvitesKey(room), table.InvitesRemove(dead))
	return false, err
}

// deadInvitations returns the counted invitations that are not live. An invitation that is not
// found was just created, unless it has expired.
func (s *Store) deadInvitations(ctx context.Context, counted []invite.Invitation, now time.Time) ([]invite.Invitation, error) {
	const op = "read counted invitations"
	keys := make([]table.Item, len(counted))
	for n, i := range counted {
		keys[n] = table.InviteKey(i.ID)
	}
	items, err := s.table.BatchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, err
	}
	var dead []invite.Invitation
	for n, i := range counted {
		used := false
		if items[n] != nil {
			stored, err := table.ParseInvite(items[n])
			if err != nil {
				return nil, translate(op, err)
			}
			used = !stored.Live(now)
		}
		if used || !i.Open(now) {
			dead = append(dead, i)
		}
	}
	return dead, nil
}

// Invitation is one strong read: 1 read unit.
func (s *Store) Invitation(ctx context.Context, id invite.ID) (invite.Invitation, bool, error) {
	return ReadStrong(ctx, s.table, "read invitation", table.InviteKey(id), table.ParseInvite)
}

// Invitations reads one partition of the index: half a read unit for every 4 KB.
func (s *Store) Invitations(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) ([]invite.Invitation, chat.ListPosition, error) {
	q := Query{
		Operation: "list invitations", Index: true, Partition: table.InvitesIndex(room),
		Consistency: Eventual, NewestFirst: true, Limit: limit,
		Start: IndexStart(table.InvitesIndex(room), after, table.InviteKey(invite.ID(after.ID))),
	}
	return ListPage(ctx, s.table, q, table.ParseInvite, table.InvitePosition)
}

// RevokeInvitation is one transaction: 5 to 9 write units.
func (s *Store) RevokeInvitation(ctx context.Context, i invite.Invitation) (bool, error) {
	return s.table.transactIf(ctx, "revoke invitation", anyConditionFailed,
		s.table.Update(table.InviteKey(i.ID), table.InviteRevocation()),
		s.table.Update(table.InvitesKey(i.Room), table.InvitesRemove([]invite.Invitation{i})))
}

// UseInvitation is one transaction: 8 write units, 3 of them for the count of uses.
func (s *Store) UseInvitation(ctx context.Context, i invite.Invitation, person invite.Admission) (bool, error) {
	writes := s.membershipWrites(membership.Change{Before: person.Before, After: person.After})
	return s.table.transactIf(ctx, "use invitation", anyConditionFailed,
		append(writes, s.table.Update(table.InviteKey(i.ID), table.InviteUse()))...)
}
