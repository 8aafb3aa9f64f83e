package chat

import (
	"context"
	"time"

	"example.com/parley/internal/policy"
)

// AuditEvent is a line of a room's audit log: who did it, what they did, and to whom.
type AuditEvent struct {
	By     UserID
	Action string // such as "member.role", "member.banned", "document.saved"
	On     UserID // the person affected, if any
	Detail string // additional data, such as the new role or the document
	// At is the time of the change, if the changed object records it. A retry then finds the
	// existing line or writes the missing one. The zero time stands for now and always adds a
	// line.
	At time.Time
}

// Auditor stores the audit logs of rooms.
type Auditor interface {
	// Audit adds a line to a room's audit log. It is called after the change, which cannot be
	// undone, so the auditor must report failures itself.
	Audit(ctx context.Context, room RoomID, e AuditEvent)
}

// Names looks up the names of people.
type Names interface {
	// NameOf returns the name of a person, or their id if they have not set one.
	NameOf(ctx context.Context, user UserID) (string, error)
}

// FeedPositions reads the positions of rooms' feeds.
type FeedPositions interface {
	// FeedPosition returns the position from which a client reads changes after it lists the
	// room's messages. A listing that began at a time, or later, misses nothing before the
	// position. If late is true, this holds only for a listing that begins after the call. The
	// zero position is the beginning. The error is NotFound if the room is deleted.
	FeedPosition(ctx context.Context, room RoomID, began time.Time) (p FeedPosition, late bool, err error)
}

// MessageCounts counts the messages of rooms.
type MessageCounts interface {
	// MessageCount returns the number of messages that were created in the room, according to its
	// feed.
	MessageCount(ctx context.Context, room RoomID) (int64, error)
}

// RoomShards changes the shards of rooms.
type RoomShards interface {
	// SetShards gives a room n shards a few seconds from now. If n is 0, the number follows the
	// rate of messages. It returns the number that the room will have. The error is Conflict if
	// the number was changed too often.
	SetShards(ctx context.Context, room RoomID, n int) (int, error)
}

// Authorizer checks the access of callers to rooms.
type Authorizer interface {
	// Authorize returns the caller's access. The error is NotFound if the room is unknown or
	// hidden, and Forbidden if the caller's role does not allow the action.
	Authorize(ctx context.Context, caller UserID, room RoomID, action policy.Action) (Access, error)
}
