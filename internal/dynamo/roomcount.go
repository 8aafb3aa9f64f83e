package dynamo

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// RoomCount is one strong query: 1 read unit for every 4 KB of memberships. It reads only their
// keys.
func (s *Store) RoomCount(ctx context.Context, user chat.UserID, limit int) (int, error) {
	rooms, err := s.joined(ctx, user, limit)
	return len(rooms), err
}

// joined returns the rooms of a person's memberships, at most limit.
func (s *Store) joined(ctx context.Context, user chat.UserID, limit int) ([]chat.RoomID, error) {
	q := Query{
		Operation: "count own rooms", Partition: table.PersonPK(user), Keys: WithPrefix(table.MemberSK("")), Consistency: Strong,
		Projection: table.SK,
	}
	var rooms []chat.RoomID
	for {
		q.Limit = limit - len(rooms)
		items, next, err := s.table.Query(ctx, q)
		for _, item := range items {
			rooms = append(rooms, table.MemberRoom(item))
		}
		if err != nil || next == nil || len(rooms) >= limit {
			return rooms, err
		}
		q.Start = next
	}
}

// openRooms is a count of a person's rooms that are not archived.
type openRooms struct {
	n    int
	asOf time.Time
}

// permissionsAtOnce is the number of rooms whose permissions are read at a time. The count stops as
// soon as enough are archived.
const permissionsAtOnce = 8 * batchSize

// OpenRoomCount is a RoomCount, and half a read unit for the permissions of each room until enough
// of them are archived.
func (s *Store) OpenRoomCount(ctx context.Context, user chat.UserID) (int, error) {
	open, ok := s.open.Get(user)
	if !ok {
		open.asOf = s.epochs.clock()
		var err error
		if open.n, err = s.countOpen(ctx, user); err != nil {
			return 0, err
		}
	}
	s.open.Put(user, openRooms{open.n + 1, open.asOf}, open.asOf)
	return min(open.n, chat.MaxRooms), nil
}

func (s *Store) countOpen(ctx context.Context, user chat.UserID) (int, error) {
	rooms, err := s.joined(ctx, user, chat.MaxMemberships)
	if err != nil || len(rooms) == chat.MaxMemberships {
		return chat.MaxRooms, err
	}
	n := len(rooms)
	for some := range slices.Chunk(rooms, permissionsAtOnce) {
		if n < chat.MaxRooms {
			break // more of them may be archived
		}
		keys := make([]table.Item, len(some))
		for i, room := range some {
			keys[i] = table.PermissionsKey(room)
		}
		items, err := s.table.BatchGet(ctx, "find archived rooms", keys, Eventual)
		if err != nil {
			return 0, err
		}
		for _, item := range items {
			if table.IsArchived(item) {
				n--
			}
		}
	}
	return n, nil
}
