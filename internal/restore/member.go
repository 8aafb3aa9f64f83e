package restore

import (
	"context"

	"parley/internal/chat"
	"parley/internal/policy"
	"parley/internal/table"
)

// copyStanding puts back what somebody was in a room, and their place in its lists. A standing that is
// there is never overwritten: nothing says which of two is newer. One that is missing although the
// feed tells of a change since the restore point has ended since, or was damaged: it is put back
// only where Memberships says so.
func (r *run) copyStanding(ctx context.Context, item table.Item) error {
	m, err := table.ParseStanding(item)
	if err != nil {
		r.unreadable(item, err)
		return nil
	}
	s, err := r.stateOf(ctx, m.Room, item)
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.StandingKind, func(ctx context.Context) (Outcome, change, error) {
		there, err := r.to.get(ctx, table.StandingKey(m.Room, m.User))
		if err != nil {
			return "", nil, err
		}
		if there == nil {
			if s.since.members[m.User] && !r.Memberships {
				r.Note(table.KeyText(item), "the membership ended after the restore point")
				return Ended, nil, nil
			}
			writes := change{r.to.PutNew(item)}
			if m.In() {
				writes = append(writes, r.to.PutAny(table.MemberItem(m)))
			}
			return Put, writes, nil
		}
		ours, err := read(there, table.ParseStanding)
		if err != nil {
			return "", nil, err
		}
		return r.listed(ctx, ours, ours == m)
	})
}

// listed puts somebody who is in a room back into its lists.
func (r *run) listed(ctx context.Context, ours chat.Membership, same bool) (Outcome, change, error) {
	if ours.In() {
		listed, err := r.to.get(ctx, table.MemberKey(ours.Room, ours.User))
		if err != nil {
			return "", nil, err
		}
		if listed == nil {
			return Put, change{r.to.Check(table.StandingKey(ours.Room, ours.User), table.StandingCondition(ours)), r.to.PutNew(table.MemberItem(ours))}, nil
		}
	}
	if same {
		return Same, nil, nil
	}
	return Newer, nil, nil
}

// copyMarker puts a read marker back. Its number is one of the feed that the other table had; in a
// feed that began anew it would be ahead of everything, so there only the count of messages is kept.
func (r *run) copyMarker(ctx context.Context, item table.Item) error {
	m, err := table.ParseReadMarker(item)
	if err != nil {
		r.unreadable(item, err)
		return nil
	}
	s, err := r.stateOf(ctx, m.Room, item)
	if s == nil || err != nil {
		return err
	}
	continues := s.toHead.Generation == s.from.Generation || s.toHead.Last >= chat.GenerationGap
	if !continues {
		m.Seq = 0
	}
	return r.settle(ctx, table.ReadKind, func(ctx context.Context) (Outcome, change, error) {
		there, err := r.to.get(ctx, table.ReadMarkerKey(m.Room, m.User))
		if err != nil {
			return "", nil, err
		}
		if there != nil {
			ours, err := read(there, table.ParseReadMarker)
			if err != nil {
				return "", nil, err
			}
			switch {
			case ours.Seq > m.Seq:
				return Newer, nil, nil
			case ours.Seq == m.Seq:
				return Same, nil, nil
			}
		}
		outcome := Put
		if there != nil {
			outcome = Replaced
		}
		return outcome, change{r.to.Update(table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerUpdate(m))}, nil
	})
}

// restrict makes a membership what it was in the other table, where that is less: banned, muted, a
// lower role, or none at all. It leaves memberships alone that began after the restore point, and an
// owner who would leave the room without one.
func (r *run) restrict(ctx context.Context, of chat.Membership) error {
	return r.settle(ctx, table.StandingKind, func(ctx context.Context) (Outcome, change, error) {
		key := table.StandingKey(of.Room, of.User)
		there, err := r.to.get(ctx, key)
		if err != nil {
			return "", nil, err
		}
		var ours chat.Membership
		if there != nil {
			if ours, err = read(there, table.ParseStanding); err != nil {
				return "", nil, err
			}
		}
		switch {
		case rank(of) >= rank(ours):
			return Same, nil, nil
		case there != nil && ours.Since.After(r.Point):
			r.Note(table.KeyText(key), "the membership began after the restore point")
			return Newer, nil, nil
		case there != nil && ours.Role == policy.Owner:
			if alone, err := r.onlyOwner(ctx, ours); err != nil || alone {
				r.Note(table.KeyText(key), "the room would be without an owner")
				return Newer, nil, err
			}
		}
		return Changed, r.lessen(ours, of), nil
	})
}

// lessen writes a membership over another, or none where of has no Since.
func (r *run) lessen(ours, of chat.Membership) change {
	key, holds := table.StandingKey(of.Room, of.User), table.StandingCondition(ours)
	var writes change
	if of.Since.IsZero() {
		writes = append(writes, r.to.Delete(key, holds))
	} else {
		writes = append(writes, r.to.Put(table.StandingItem(of), holds))
	}
	switch {
	case of.In() && !of.Since.IsZero():
		writes = append(writes, r.to.PutAny(table.MemberItem(of)))
	case ours.In():
		writes = append(writes, r.to.Delete(table.MemberKey(of.Room, of.User), table.Update{}))
	}
	return writes
}

// rank orders what somebody is in a room by what it allows. Somebody of whom nothing is kept may join,
// so that is more than a ban, and more than a mute that outlives a membership.
func rank(m chat.Membership) int {
	switch {
	case m.Since.IsZero():
		return 2
	case m.Role == policy.Banned:
		return 0
	case m.Left:
		return 1
	}
	return map[policy.Role]int{policy.Muted: 3, policy.Member: 4, policy.Moderator: 5, policy.Owner: 6}[m.Role]
}

// onlyOwner reports whether nobody else owns the room.
func (r *run) onlyOwner(ctx context.Context, m chat.Membership) (bool, error) {
	store, after := r.store(r.To), chat.Mark{}
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
		if after = next; after == (chat.Mark{}) {
			return true, nil
		}
	}
}
