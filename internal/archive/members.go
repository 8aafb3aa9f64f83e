package archive

import (
	"context"
	"maps"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

// putMembers adds the members of the rooms, under the names of their profiles. It does not change
// existing memberships, and adds nobody whom an earlier import added, because they have left
// since.
func (l *loader) putMembers(ctx context.Context, members []Member) {
	rooms := map[chat.UserID][]*room{}
	add := func(user chat.UserID, r *room) {
		if r != nil && !slices.Contains(rooms[user], r) {
			rooms[user] = append(rooms[user], r)
		}
	}
	for _, m := range members {
		r := l.rooms[m.Room]
		if r == nil {
			l.countMembers(NotStored, 1)
		} else if r.Deleted {
			l.countMembers(DeletedRoom, 1)
		} else {
			add(m.User, r)
		}
	}
	open := slices.DeleteFunc(l.openedRooms(), func(r *room) bool { return r.Deleted })
	for _, r := range open {
		if l.Creator != Importer && len(r.owners) == 0 && r.Direct == nil {
			add(l.Creator, r)
		}
	}
	if !l.readImported(ctx, open) {
		l.countMembers(NotStored, len(members))
		return
	}
	l.each(ctx, slices.Sorted(maps.Keys(rooms)), func(user chat.UserID) {
		j := joiner{loader: l, user: user, name: l.nameOf(user)}
		for some := range slices.Chunk(rooms[user], MaxTogether) {
			if j.joinNew(ctx, some) {
				l.countMembers(imported, len(some))
				continue
			}
			for _, r := range some {
				l.countMembers(j.join(ctx, r), 1)
			}
		}
	})
	for _, r := range open {
		if err := l.retry(
			ctx, func() error { return addImportedMembers(ctx, l.store.Table(), r.ID, r.joined) },
		); err != nil {
			l.Log.WarnContext(ctx, "the members could not be noted", "room", r.ID, "err", err)
			l.countMembers(NotStored, len(r.joined))
		}
	}
}

// openedRooms returns the rooms of the archive, each once, in order.
func (l *loader) openedRooms() []*room {
	var all []*room
	for _, id := range slices.Sorted(maps.Keys(l.rooms)) {
		if r := l.rooms[id]; !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// readImported reads whom earlier imports have made members of rooms. It reports whether it
// could.
func (l *loader) readImported(ctx context.Context, rooms []*room) bool {
	for _, r := range rooms {
		if r.fresh {
			continue
		}
		err := l.retry(ctx, func() (err error) {
			r.imported, err = importedMembers(ctx, l.store.Table(), r.ID)
			return err
		})
		if err != nil {
			l.Log.WarnContext(ctx, "the members could not be read", "room", r.ID, "err", err)
			return false
		}
	}
	return true
}

func (l *loader) countMembers(outcome Reason, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Members.add(outcome, n)
}

// joiner adds one person to rooms, one after another.
type joiner struct {
	*loader
	user chat.UserID
	name string
	free int // how many more rooms the person can join without another count
}

// joinNew adds the person to rooms that this load has created, in one transaction. It reports
// false if it adds them to none.
func (j *joiner) joinNew(ctx context.Context, rooms []*room) bool {
	if j.storeDown() {
		return false
	}
	var all []chat.Membership
	for _, r := range rooms {
		if !r.fresh {
			return false
		}
		all = append(all, j.membership(r))
	}
	if erased, err := j.wasErased(ctx, j.user); erased || err != nil {
		return false
	}
	if full, err := j.full(ctx); full || err != nil || len(all) > j.free {
		return false
	}
	ok, err := j.store.AddMemberships(ctx, all)
	if !ok || err != nil {
		return false
	}
	j.free -= len(all)
	for _, r := range rooms {
		j.note(r)
	}
	return true
}

// note remembers that an import has made the person a member of a room.
func (j *joiner) note(r *room) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r.joined = append(r.joined, j.user)
}

// membership returns the person's membership in a room. It names nobody who added them: after an
// import, no room is new to them.
func (j *joiner) membership(r *room) chat.Membership {
	m := chat.Membership{
		Room: r.ID, User: j.user, Name: j.name, Role: policy.Member, JoinedAt: j.Now, Count: j.messages(r),
	}
	if slices.Contains(r.owners, j.user) || len(r.owners) == 0 && j.user == j.Creator {
		m.Role = policy.Owner
	}
	return m
}

// join adds the person to a room, unless they have a membership, a mute or a ban there, or an
// earlier import has added them.
func (j *joiner) join(ctx context.Context, r *room) (outcome Reason) {
	if j.storeDown() {
		return NotStored
	}
	err := j.retry(ctx, func() (err error) {
		outcome, err = j.tryJoin(ctx, r)
		return err
	})
	if err != nil {
		j.Log.WarnContext(ctx, "a member could not be added", "room", r.ID, "user", j.user, "err", err)
		return NotStored
	}
	if !r.imported[j.user] && (outcome == imported || outcome == alreadyThere) {
		j.note(r)
	}
	return outcome
}

// tryJoin makes one attempt of join.
func (j *joiner) tryJoin(ctx context.Context, r *room) (Reason, error) {
	before, err := j.store.Membership(ctx, r.ID, j.user)
	if err != nil {
		return "", err
	}
	after := j.membership(r)
	outcome := existing(before)
	switch {
	case outcome == alreadyThere && j.completes(r, before, after):
		after.JoinedAt = before.JoinedAt
	case outcome != "":
		return outcome, nil
	case r.imported[j.user]:
		return LeftSince, nil
	default:
		if erased, err := j.wasErased(ctx, j.user); erased || err != nil {
			return Erased, err
		}
		if full, err := j.full(ctx); full || err != nil {
			return InMaxRooms, err
		}
		j.free--
		outcome = imported
	}
	changed, err := j.store.ChangeMembership(ctx, membership.Change{Before: before, After: after})
	if err == nil && !changed {
		err = chat.TooBusy() // the person is joining concurrently
	}
	return outcome, err
}

// completes reports whether a membership was stored with its room, so that this load gives it the
// messages that are not unread, or is to become an owner's because nobody owns the room.
func (j *joiner) completes(r *room, before, after chat.Membership) bool {
	if after.Role == policy.Owner && before.Role == policy.Member && r.CreatedBy == Importer && len(r.owners) == 0 {
		return true
	}
	stored := before.JoinedAt.Equal(r.CreatedAt) && before.Count == 0 && !r.imported[j.user]
	return stored && after.Count > 0 && (r.fresh || r.Channel != "" || r.CreatedBy == Importer) &&
		before.Role == after.Role
}

// existing returns the outcome for a person who has a membership, and "" for other people.
func existing(m chat.Membership) Reason {
	switch {
	case m.Room == "":
		return ""
	case m.Left || m.Restricted():
		return Restricted
	}
	return alreadyThere
}

// full reports whether the person is in chat.MaxRooms rooms that are not archived. It counts them
// when it must: a count below the limit may include archived rooms, so there may be more places.
func (j *joiner) full(ctx context.Context) (bool, error) {
	if j.free <= 0 {
		n, err := j.store.OpenRoomCount(ctx, j.user)
		if err != nil {
			return false, err
		}
		j.free = max(0, chat.MaxRooms-n)
	}
	return j.free == 0, nil
}

// messages returns the number of messages that a room lists after the load, as far as known. They
// are not unread for people whom the load adds. The feed may lag behind an interrupted load, so
// the result is at least the number of the archive's messages.
func (l *loader) messages(r *room) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return r.created + max(r.held, r.there)
}
