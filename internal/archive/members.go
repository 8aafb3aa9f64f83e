package archive

import (
	"context"
	"maps"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

// Memberships changes memberships.
type Memberships interface {
	// ChangeMembership applies a change if all memberships in it are still current. Otherwise it
	// changes nothing and ok is false.
	ChangeMembership(ctx context.Context, change membership.Change) (ok bool, err error)
	// AddMemberships stores memberships of people who have none in their rooms, at most MaxTogether
	// of them. If somebody has one, it changes nothing and ok is false.
	AddMemberships(ctx context.Context, all []chat.Membership) (ok bool, err error)
}

// putMembers adds the members of the rooms, under the names of their profiles. It does not change
// existing memberships.
func (l *loader) putMembers(ctx context.Context, members []Member, names map[chat.UserID]string) {
	rooms := map[chat.UserID][]chat.RoomID{}
	for _, m := range members {
		if !slices.Contains(rooms[m.User], m.Room) {
			rooms[m.User] = append(rooms[m.User], m.Room)
		}
	}
	l.each(ctx, slices.Sorted(maps.Keys(rooms)), func(user chat.UserID) {
		name := names[user]
		if name == "" {
			name = string(user)
		}
		j := joiner{loader: l, user: user, name: name}
		for some := range slices.Chunk(rooms[user], MaxTogether) {
			if j.joinNew(ctx, some) {
				l.countMembers(imported, len(some))
				continue
			}
			for _, room := range some {
				l.countMembers(j.join(ctx, room), 1)
			}
		}
	})
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

// joinNew adds the person to rooms that this load has created, in one transaction. It reports false
// if it adds them to none.
func (j *joiner) joinNew(ctx context.Context, ids []chat.RoomID) bool {
	if j.storeDown() {
		return false
	}
	var all []chat.Membership
	for _, id := range ids {
		if !j.fresh[id] {
			return false
		}
		all = append(all, j.membership(id))
	}
	if full, err := j.full(ctx); full || err != nil || len(all) > j.free {
		return false
	}
	ok, err := j.store.AddMemberships(ctx, all)
	if !ok || err != nil {
		return false
	}
	j.free -= len(all)
	return true
}

// membership returns the person's membership in a room.
func (j *joiner) membership(room chat.RoomID) chat.Membership {
	return chat.Membership{
		Room: room, User: j.user, Name: j.name, Role: policy.Member, JoinedAt: j.Now, By: j.Creator, Count: j.messages(room),
	}
}

// join adds the person to a room as a member, unless they have a membership, a mute or a ban there.
func (j *joiner) join(ctx context.Context, id chat.RoomID) (outcome Reason) {
	room, ok := j.rooms[id]
	if !ok || j.storeDown() {
		return NotStored
	}
	after := j.membership(id)
	err := j.retry(ctx, func() error {
		before, err := j.store.Membership(ctx, room.ID, j.user)
		if err != nil {
			return err
		}
		if outcome = existing(before); outcome != "" {
			return nil
		}
		if full, err := j.full(ctx); full || err != nil {
			outcome = InMaxRooms
			return err
		}
		added, err := j.store.ChangeMembership(ctx, membership.Change{Before: before, After: after})
		if err == nil && !added {
			err = chat.TooBusy() // the person is joining concurrently
		}
		outcome = imported
		return err
	})
	if err != nil {
		j.Log.WarnContext(ctx, "a member could not be added", "room", id, "user", j.user, "err", err)
		return NotStored
	}
	if outcome == imported {
		j.free--
	}
	return outcome
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
func (l *loader) messages(room chat.RoomID) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.created[room] + max(l.held[room], l.there[room])
}
