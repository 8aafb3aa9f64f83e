package restore

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// copyMembershipState puts back a membership state and the person's entry in the room's lists. An
// existing state is never overwritten, because nothing shows which of the two is newer. If the
// state is missing and the feed has a change of the membership since the restore point, it has
// since ended or was damaged. Then it is put back only with Memberships.
func (r *run) copyMembershipState(ctx context.Context, item table.Item) error {
	m, s, err := readInRoom(ctx, r, item, table.ParseRole, func(m chat.Membership) chat.RoomID { return m.Room })
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.RoleKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, table.RoleKey(m.Room, m.User), table.ParseRole)
		switch {
		case err != nil:
			return "", nil, err
		case existing != nil:
			return r.listed(ctx, ours, ours == m)
		case s.since.members[m.User] && !r.Memberships:
			r.Note(table.KeyText(item), "the membership ended after the restore point")
			return Ended, nil, nil
		}
		writes := change{r.to.PutNew(item)}
		if m.Listed() {
			writes = append(writes, r.to.PutAny(table.MemberItem(m)))
		}
		return Put, writes, nil
	})
}

// listed puts a person who is in a room back into the room's lists. same means that both tables
// have the same membership state.
func (r *run) listed(ctx context.Context, ours chat.Membership, same bool) (Outcome, change, error) {
	if ours.Listed() {
		listed, err := r.to.get(ctx, table.MemberKey(ours.Room, ours.User))
		if err != nil {
			return "", nil, err
		}
		if listed == nil {
			unchanged := r.to.Check(table.RoleKey(ours.Room, ours.User), table.RoleCondition(ours))
			return Put, change{unchanged, r.to.PutNew(table.MemberItem(ours))}, nil
		}
	}
	if same {
		return Same, nil, nil
	}
	return Newer, nil, nil
}

// copyReadMarker puts a read marker back. Its sequence number belongs to From's feed. If To's feed
// started anew, that number would be ahead of everything, so only the count of messages is kept.
// Preferences come back only with a marker that To lacks.
func (r *run) copyReadMarker(ctx context.Context, item table.Item) error {
	m, s, err := readInRoom(ctx, r, item, inbox.ParseMarker, func(m inbox.ReadMarker) chat.RoomID { return m.Room })
	if s == nil || err != nil {
		return err
	}
	continues := s.toHead.Generation == s.from.Generation || s.toHead.Last >= feed.GenerationGap
	if !continues {
		m.Seq, m.Receipt.Seq = 0, 0
	}
	return r.settle(ctx, table.ReadKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, table.ReadMarkerKey(m.Room, m.User), inbox.ParseMarker)
		outcome, update := Replaced, inbox.MarkerUpdate
		switch {
		case err != nil:
			return "", nil, err
		case existing == nil:
			outcome, update = Put, inbox.NewMarkerUpdate
		case ours.Seq > m.Seq:
			return Newer, nil, nil
		case ours.Seq == m.Seq:
			return Same, nil, nil
		case ours.Receipt.Seq > m.Receipt.Seq:
			m.Receipt = inbox.Receipt{}
		}
		return outcome, change{r.to.Update(table.ReadMarkerKey(m.Room, m.User), update(m))}, nil
	})
}

// restrict sets a membership to its state in the other table, if that allows less: banned, muted,
// a lower role, or none at all. It does not change memberships that began after the restore point,
// or the only owner of a room.
func (r *run) restrict(ctx context.Context, s *roomState, of chat.Membership) error {
	return r.settle(ctx, table.RoleKind, func(ctx context.Context) (Outcome, change, error) {
		key := table.RoleKey(of.Room, of.User)
		ours, existing, err := getTo(ctx, r, key, table.ParseRole)
		switch {
		case err != nil:
			return "", nil, err
		case rank(of) >= rank(ours):
			return Same, nil, nil
		case existing != nil && ours.JoinedAt.After(r.Point):
			r.Note(table.KeyText(key), "the membership began after the restore point")
			return Newer, nil, nil
		case existing != nil && ours.Role == policy.Owner:
			if alone, err := r.onlyOwner(ctx, ours); err != nil || alone {
				r.Note(table.KeyText(key), "the room would be without an owner")
				return Newer, nil, err
			}
		}
		writes := r.lessen(ours, of)
		if s.direct.Direct != nil && !of.In() {
			writes = append(writes, r.to.Update(table.DirectKey(s.direct.Direct), table.DirectLeft(s.direct, of.User)))
		}
		return Changed, writes, nil
	})
}

// lessen returns the writes that replace a membership by another. If of has no Since, they delete
// it.
func (r *run) lessen(ours, of chat.Membership) change {
	key, holds := table.RoleKey(of.Room, of.User), table.RoleCondition(ours)
	var writes change
	if of.JoinedAt.IsZero() {
		writes = append(writes, r.to.Delete(key, holds))
	} else {
		writes = append(writes, r.to.Put(table.RoleItem(of), holds))
	}
	switch {
	case of.Listed() && !of.JoinedAt.IsZero():
		writes = append(writes, r.to.PutAny(table.MemberItem(of)))
	case ours.Listed():
		writes = append(writes, r.to.Delete(table.MemberKey(of.Room, of.User), table.Update{}))
	}
	return writes
}

// rank orders memberships by what they allow. A person without a membership may join, which ranks
// above a ban and above a mute that outlives a membership.
func rank(m chat.Membership) int {
	switch {
	case m.JoinedAt.IsZero():
		return 2
	case m.Role == policy.Banned:
		return 0
	case m.Left:
		return 1
	}
	return map[policy.Role]int{policy.Muted: 3, policy.Member: 4, policy.Moderator: 5, policy.Owner: 6}[m.Role]
}

// onlyOwner reports whether no other member owns the room.
func (r *run) onlyOwner(ctx context.Context, m chat.Membership) (bool, error) {
	store, after := r.store(r.To), chat.ListPosition{}
	for {
		members, next, err := store.Members(ctx, m.Room, after, chat.MaxLimit)
		if err != nil {
			return false, err
		}
		for _, other := range members {
			if other.Role == policy.Owner && other.User != m.User {
				return false, nil
			}
		}
		if after = next; after == (chat.ListPosition{}) {
			return true, nil
		}
	}
}
