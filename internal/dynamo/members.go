package dynamo

import (
	"cmp"
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// Membership is one strong read of the membership state: 1 read unit. It returns the zero
// Membership if there is none.
func (s *Store) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	m, _, err := ReadStrong(ctx, s.table, "read membership", table.RoleKey(room, user), table.ParseRole)
	return m, err
}

// ChangeMembership is one transaction: 2 to 12 write units, and 2 more for the audit line.
// Decisions use the membership state. The item that lists read is put with it while the person is
// listed, and is deleted otherwise. A ban is in the index of the room's bans, for 2 of the units.
// The record of a direct room that the person leaves costs 2 more, and so does the room of a
// service that gives it away, or that an owner leaves. A system message costs 3.
func (s *Store) ChangeMembership(ctx context.Context, c membership.Change) (bool, error) {
	writes := s.table.MembershipWrites(c.Before, c.After)
	if c.By.Room != "" {
		writes = append(writes, s.table.Check(table.RoleKey(c.By.Room, c.By.User), table.RoleCondition(c.By)))
	}
	writes = append(writes, s.ownerWrites(c)...)
	if c.Direct.ID != "" {
		writes = append(
			writes, s.table.Update(table.DirectKey(c.Direct.Direct), table.DirectLeft(c.Direct, c.Before.User)),
		)
	}
	said, err := s.systemWrites(ctx, c.About)
	if err != nil {
		return false, err
	}
	return s.transactAudited(ctx, "change membership", append(writes, said...), c.Line)
}

// AddMemberships stores memberships of people who have none in their rooms. If somebody has one, it
// changes nothing and ok is false. It is one transaction: 5 write units for each membership.
func (s *Store) AddMemberships(ctx context.Context, all []chat.Membership) (bool, error) {
	var writes []Write
	for _, m := range all {
		writes = append(writes, s.table.MembershipWrites(chat.Membership{}, m)...)
	}
	return s.table.transactIf(ctx, "add memberships", anyConditionFailed, writes...)
}

// HandOver is one transaction of two people's roles, list entries and an audit line: 18 write
// units.
func (s *Store) HandOver(ctx context.Context, from, to membership.Change) (bool, error) {
	writes := slices.Concat(
		s.table.MembershipWrites(from.Before, from.After), s.table.MembershipWrites(to.Before, to.After),
		s.ownerWrites(to),
	)
	return s.transactAudited(ctx, "hand over", writes, to.Line)
}

// EndMembership is one transaction: 6 write units, and 2 more for the check of another membership.
func (s *Store) EndMembership(ctx context.Context, before, by chat.Membership) (bool, error) {
	writes := s.table.MembershipWrites(before, chat.Membership{})
	if by.Room != "" {
		writes = append(writes, s.table.Check(table.RoleKey(by.Room, by.User), table.RoleCondition(by)))
	}
	return s.table.transactIf(ctx, "end membership", anyConditionFailed, writes...)
}

// GiveRoom is one conditional update: 1 write unit for each KB of the room.
func (s *Store) GiveRoom(ctx context.Context, room chat.RoomID, service chat.UserID) (bool, error) {
	return s.table.TryUpdate(ctx, "give room", table.MetadataKey(room), table.ServiceUpdate("", service))
}

// LeaveDirect is one conditional update: 1 write unit.
func (s *Store) LeaveDirect(ctx context.Context, room chat.Room, user chat.UserID) error {
	return s.table.UpdateBlindly(ctx, "leave direct room", table.DirectKey(room.Direct), table.DirectLeftOnce(user))
}

// ownerWrites changes the service that owns the room, if the change depends on it.
func (s *Store) ownerWrites(c membership.Change) []Write {
	if c.Owner == (membership.OwnerChange{}) {
		return nil
	}
	room := cmp.Or(c.After.Room, c.Before.Room)
	return []Write{s.table.Update(table.MetadataKey(room), table.ServiceUpdate(c.Owner.Before, c.Owner.After))}
}

// MembershipWrites changes a membership from before to after: its state, if it is unchanged since
// it was read, and the item that lists read.
func (t *Table) MembershipWrites(before, after chat.Membership) []Write {
	unchanged := table.RoleCondition(before)
	state := t.Delete(table.RoleKey(before.Room, before.User), unchanged)
	if after.Room != "" {
		state = t.Put(table.RoleItem(after), unchanged)
	}
	switch {
	case after.Listed():
		return []Write{state, t.PutAny(table.MemberItem(after))}
	case before.Listed():
		return []Write{state, t.Delete(table.MemberKey(before.Room, before.User), table.Update{})}
	}
	return []Write{state}
}

// Members reads the index by the room: half a read unit for every 4 KB.
func (s *Store) Members(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
) ([]chat.Membership, chat.ListPosition, error) {
	indexPK := table.MemberSK(room)
	q := Query{
		Operation: "list members", Index: true, Partition: indexPK, Consistency: Eventual, Limit: limit,
		Start: IndexStart(indexPK, after, table.Key(table.PersonPK(chat.UserID(after.ID)), table.MemberSK(room))),
	}
	return ListPage(ctx, s.table, q, table.ParseMember, func(m chat.Membership) chat.ListPosition {
		return chat.ListPosition{Sort: m.Name, ID: string(m.User)}
	})
}

// Bans reads the index by the room's bans: half a read unit for every 4 KB.
func (s *Store) Bans(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
) ([]chat.Membership, chat.ListPosition, error) {
	indexPK := table.BannedIndex(room)
	user := chat.UserID(after.ID)
	q := Query{
		Operation: "list bans", Index: true, Partition: indexPK, Consistency: Eventual, Limit: limit,
		Start: IndexStart(indexPK, after, table.RoleKey(room, user)),
	}
	return ListPage(ctx, s.table, q, table.ParseRole, func(m chat.Membership) chat.ListPosition {
		return chat.ListPosition{Sort: m.Name, ID: string(m.User)}
	})
}

// BansOf reads all membership states of a user: half a read unit for every 4 KB, the size of some
// 25 states.
func (s *Store) BansOf(ctx context.Context, user chat.UserID) ([]chat.Membership, error) {
	states, err := OwnItems(ctx, s.table, user, table.RoleSK(""), table.ParseRole)
	return slices.DeleteFunc(states, func(m chat.Membership) bool { return m.Role != policy.Banned }), err
}

// TakeSlot is one conditional update: 1 write unit.
func (s *Store) TakeSlot(ctx context.Context, slot chat.SlowModeSlot) (time.Duration, error) {
	update := table.SlotUpdate(slot.What, slot.Now, slot.Now.Add(-slot.Every))
	existing, failed, err := s.table.UpdateItem(ctx, "take slot", table.SlotKey(slot.Room, slot.User), update)
	if err != nil || !failed {
		return 0, err
	}
	taken, err := table.ParseSlot(existing)
	// Wait at least a moment, even if the clocks of two servers differ.
	return max(time.Millisecond, taken.Add(slot.Every).Sub(slot.Now)), translate("take slot", err)
}
