package dynamo

import (
	"context"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/privateroom"
	"example.com/parley/internal/table"
)

// CreateRequestedRoom puts the request, the room's three items and its first member's two in one
// transaction: 13 write units. It also reports false if another transaction on the request
// interfered.
func (s *Store) CreateRequestedRoom(
	ctx context.Context, r privateroom.Request, room chat.Room, owner chat.Membership,
) (bool, error) {
	writes := []Write{s.table.Put(table.RoomRequestItem(r), table.RoomRequestCondition(r.At))}
	return s.table.transactIf(
		ctx, "create requested room", firstContended, append(writes, s.newRoom(room, owner)...)...,
	)
}

// RoomRequest is one strong read: 1 read unit.
func (s *Store) RoomRequest(ctx context.Context, caller chat.UserID, id uuid.UUID) (privateroom.Request, bool, error) {
	return ReadStrong(ctx, s.table, "read request", table.RoomRequestKey(caller, id), table.ParseRoomRequest)
}
