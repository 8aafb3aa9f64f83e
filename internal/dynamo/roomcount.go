package dynamo

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

const (
	// maxClosed bounds the memberships that leave the count at one join. All are in the person's
	// partition, which takes 1,000 write units a second.
	maxClosed = 100
	// closedAtOnce bounds the memberships that change concurrently.
	closedAtOnce = 16
	// permissionsAtOnce is the number of rooms whose permissions are read at a time. The count
	// stops as soon as enough are archived.
	permissionsAtOnce = 8 * batchSize
)

// OpenRoomCount is one strong query of the person's memberships: 1 read unit for every 4 KB, about
// 40 for 1,000. If MaxRooms or more count, it also reads the permissions of those rooms, half a
// read unit each, until it has found maxClosed archived ones and fewer than MaxRooms remain. Up to
// maxClosed archived ones then leave the count, for 4 write units and 1 read unit each, and are not
// looked at again.
func (s *Store) OpenRoomCount(ctx context.Context, user chat.UserID) (int, error) {
	rooms, err := s.counted(ctx, user)
	if err != nil || len(rooms) < chat.MaxRooms {
		return len(rooms), err
	}
	if archived, ok := s.archived.Get(user); ok && len(rooms)-archived >= chat.MaxRooms {
		return len(rooms) - archived, nil
	}
	asOf := s.epochs.clock()
	archived, err := s.archivedOf(ctx, rooms)
	if err != nil {
		return 0, err
	}
	n, leaving := len(rooms)-len(archived), archived[:min(len(archived), maxClosed)]
	if n >= chat.MaxRooms { // all have been read
		s.archived.Put(user, len(archived)-len(leaving), asOf)
	}
	return n, s.close(ctx, user, leaving)
}

// counted returns the rooms of the memberships of a person that have not left the count.
func (s *Store) counted(ctx context.Context, user chat.UserID) ([]chat.RoomID, error) {
	q := Query{
		Operation: "count own rooms", Partition: table.PersonPK(user), Keys: WithPrefix(table.MemberSK("")),
		Consistency: Strong,
	}
	q.Projection, q.Names = table.Projection(table.CountAttributes())
	var rooms []chat.RoomID
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		for _, item := range items {
			if !table.LeftCount(item) {
				rooms = append(rooms, table.MemberRoom(item))
			}
		}
		return nil
	})
	return rooms, err
}

// archivedOf returns the archived ones of a person's rooms, or as many as OpenRoomCount needs.
func (s *Store) archivedOf(ctx context.Context, rooms []chat.RoomID) ([]chat.RoomID, error) {
	var archived []chat.RoomID
	for some := range slices.Chunk(rooms, permissionsAtOnce) {
		if len(archived) >= maxClosed && len(rooms)-len(archived) < chat.MaxRooms {
			break
		}
		found, err := s.whichArchived(ctx, some, Eventual)
		if err != nil {
			return nil, err
		}
		archived = append(archived, found...)
	}
	return archived, nil
}

// whichArchived returns the archived ones of some rooms.
func (s *Store) whichArchived(ctx context.Context, rooms []chat.RoomID, c Consistency) ([]chat.RoomID, error) {
	keys := make([]table.Item, len(rooms))
	for i, room := range rooms {
		keys[i] = table.PermissionsKey(room)
	}
	items, err := s.table.BatchGet(ctx, "find archived rooms", keys, c)
	if err != nil {
		return nil, err
	}
	var archived []chat.RoomID
	for i, item := range items {
		if table.IsArchived(item) {
			archived = append(archived, rooms[i])
		}
	}
	return archived, nil
}

// close takes memberships in archived rooms out of the count. Then it looks again: a room may have
// been unarchived before its membership changed, and after it was read.
func (s *Store) close(ctx context.Context, user chat.UserID, rooms []chat.RoomID) error {
	err := eachMember(ctx, user, rooms, func(ctx context.Context, of chat.MemberOf) error {
		ok, err := s.table.TryUpdate(ctx, "close membership", table.RoleKey(of.Room, of.User), table.ListClosed(of))
		if !ok || err != nil {
			return err // it has ended, or is a ban
		}
		return s.table.UpdateBlindly(ctx, "close membership", table.MemberKey(of.Room, of.User), table.LeaveCount())
	})
	if err != nil || len(rooms) == 0 {
		return err
	}
	still, err := s.whichArchived(ctx, rooms, Strong)
	if err != nil {
		return err
	}
	reopened := slices.DeleteFunc(
		slices.Clone(rooms), func(room chat.RoomID) bool { return slices.Contains(still, room) },
	)
	return eachMember(ctx, user, reopened, s.countAgain)
}

// CountRoom is an index query, half a read unit for every 4 KB of memberships that had left the
// count, and 4 write units for each of them. It may miss a membership that left the count within
// the last second, which then stays out of it.
func (s *Store) CountRoom(ctx context.Context, room chat.RoomID) error {
	q := Query{
		Operation: "find closed memberships", Index: true, Partition: table.ClosedIndex(room), Consistency: Eventual,
	}
	closed, err := QueryAll(ctx, s.table, q, table.ParseRole)
	if err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(closedAtOnce)
	for _, m := range closed {
		all.Go(func() error { return s.countAgain(ctx, chat.MemberOf{Room: room, User: m.User}) })
	}
	return all.Wait()
}

// countAgain counts a membership that has left the count, if any. The role item is last, so that a
// repeated CountRoom finds the rest.
func (s *Store) countAgain(ctx context.Context, of chat.MemberOf) error {
	err := s.table.UpdateBlindly(ctx, "reopen membership", table.MemberKey(of.Room, of.User), table.CountAgain())
	if err != nil {
		return err
	}
	return s.table.UpdateBlindly(ctx, "reopen membership", table.RoleKey(of.Room, of.User), table.UnlistClosed(of.Room))
}

// eachMember calls f for a person's memberships in some rooms, concurrently.
func eachMember(
	ctx context.Context, user chat.UserID, rooms []chat.RoomID, f func(context.Context, chat.MemberOf) error,
) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(closedAtOnce)
	for _, room := range rooms {
		all.Go(func() error { return f(ctx, chat.MemberOf{Room: room, User: user}) })
	}
	return all.Wait()
}
