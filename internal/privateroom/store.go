package privateroom

import (
	"context"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// Store stores private rooms and the requests that created them.
type Store interface {
	// CreateRoom is as in chat.Store.
	CreateRoom(ctx context.Context, room chat.Room, owner chat.Membership) (created bool, err error)
	// CreateRequestedRoom stores a new room and its first member with their request, in one
	// transaction. If the caller has a request with that id that has not expired at r.At, it
	// changes nothing and created is false.
	CreateRequestedRoom(ctx context.Context, r Request, room chat.Room, owner chat.Membership) (created bool, err error)
	// RoomRequest returns a request of a caller; found is false if there is none. A request that
	// has expired may still be found.
	RoomRequest(ctx context.Context, caller chat.UserID, id uuid.UUID) (r Request, found bool, err error)
}

// Request records that a client's request has created a room. There is at most one for each caller
// and id, so the request creates one room.
type Request struct {
	ID     uuid.UUID // the client's
	Caller chat.UserID
	Room   chat.RoomID
	Digest []byte // of everything else in the request, by the room's DigestKey
	// At is when the room was created. Stores need not keep it.
	At time.Time
	// Expires is when the request is forgotten, to the second.
	Expires time.Time
}
