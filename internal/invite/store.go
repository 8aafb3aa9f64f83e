package invite

import (
	"context"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Store reads and writes invitations. It checks no rights. All methods return a *chat.Error of kind
// Unavailable if the table cannot answer at the moment.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the invitations in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// Admission is the change by which a person becomes a member. Before is the remainder of a former
// membership, usually the zero Membership.
type Admission struct {
	Before, After chat.Membership
}

// maxFullReads is the maximum number of times that a new invitation reads a full count. Each
// further read means that places became free after the previous read and were taken again.
const maxFullReads = 4

// Create stores a new invitation, unless its room has limit live ones when it is created. In that
// case it changes nothing and created is false.
//
// It is one transaction of the invitation and the room's count: 5 write units for the first
// invitations of a room, and up to 9. If the count is full, it is read for 1 read unit. Its
// invitations are read for half a unit each, and dead ones are removed from the count. Then the
// transaction is tried again. The error is Unavailable if others take the free places maxFullReads
// times.
func (s Store) Create(ctx context.Context, i Invitation, limit int) (created bool, err error) {
	const op = "create invitation"
	writes := []dynamo.Write{
		s.table.PutNew(Item(i)),
		s.table.Update(table.InvitesKey(i.Room), addLive(i, limit)),
	}
	for range maxFullReads {
		failed, err := s.table.TransactIf(ctx, op, writes...)
		if failed < 0 || err != nil {
			return err == nil, err
		}
		full, err := s.full(ctx, i.Room, i.CreatedAt, limit)
		if full || err != nil {
			return false, err
		}
	}
	return false, &chat.Error{
		Kind: chat.Unavailable, RetryAfter: dynamo.RetryAfter, Cause: fmt.Errorf("%s: others take the free places", op),
	}
}

// full reports whether a room has limit live invitations. If not, no dead invitation is left in its
// count, which another caller may have reduced meanwhile.
func (s Store) full(ctx context.Context, room chat.RoomID, now time.Time, limit int) (bool, error) {
	counted, _, err := dynamo.ReadStrong(ctx, s.table, "count invitations", table.InvitesKey(room), parseLive)
	if err != nil || len(counted) < limit {
		return false, err
	}
	dead, err := s.dead(ctx, counted, now)
	if err != nil || len(dead) == 0 {
		return err == nil, err
	}
	_, _, err = s.table.UpdateItem(ctx, "forget dead invitations", table.InvitesKey(room), removeLive(dead))
	return false, err
}

// dead returns the counted invitations that are not live. An invitation that is not found was just
// created, unless it has expired.
func (s Store) dead(ctx context.Context, counted []Invitation, now time.Time) ([]Invitation, error) {
	const op = "read counted invitations"
	keys := make([]table.Item, len(counted))
	for n, i := range counted {
		keys[n] = key(i.ID)
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	var dead []Invitation
	for n, i := range counted {
		used := false
		if items[n] != nil {
			stored, _, err := dynamo.ParseItem(op, items[n], nil, parse)
			if err != nil {
				return nil, err
			}
			used = !stored.Live(now)
		}
		if used || !i.Open(now) {
			dead = append(dead, i)
		}
	}
	return dead, nil
}

// Invitation returns the current state of an invitation; found is false if there is none. It is one
// strong read: 1 read unit.
func (s Store) Invitation(ctx context.Context, id ID) (i Invitation, found bool, err error) {
	return dynamo.ReadStrong(ctx, s.table, "read invitation", key(id), parse)
}

// List returns the invitations of a room that are not revoked, newest first. They may be used up or
// expired. The Sort of a position is a time, and its ID is an invitation. It reads one partition of
// the index: half a read unit for every 4 KB.
func (s Store) List(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
) (page []Invitation, next chat.ListPosition, err error) {
	q := dynamo.Query{
		Operation: "list invitations", Index: true, Partition: table.InvitesIndex(room),
		Consistency: dynamo.Eventual, NewestFirst: true, Limit: limit,
		Start: dynamo.IndexStart(table.InvitesIndex(room), after, table.InviteKey(after.ID)),
	}
	return dynamo.ListPage(ctx, s.table, q, parse, position)
}

// Revoke revokes an invitation. If it is already revoked, it changes nothing and revoked is false.
// It is one transaction: 5 to 9 write units.
func (s Store) Revoke(ctx context.Context, i Invitation) (revoked bool, err error) {
	failed, err := s.table.TransactIf(ctx, "revoke invitation",
		s.table.Update(key(i.ID), revocation()),
		s.table.Update(table.InvitesKey(i.Room), removeLive([]Invitation{i})))
	return failed < 0 && err == nil, err
}

// Use counts a use of an invitation and changes the membership of a person, in one transaction: 8
// write units, 3 of them for the count of uses. If the invitation has no uses left or is revoked,
// or if the membership has changed, it changes nothing and used is false.
func (s Store) Use(ctx context.Context, i Invitation, person Admission) (used bool, err error) {
	writes := s.table.MembershipWrites(person.Before, person.After)
	failed, err := s.table.TransactIf(ctx, "use invitation", append(writes, s.table.Update(key(i.ID), useUpdate()))...)
	return failed < 0 && err == nil, err
}
