package chat

import (
	"context"
	"time"

	"parley/internal/policy"
)

// AuditEvent is a line of a room's audit: who did what, and to whom.
type AuditEvent struct {
	By     UserID
	Action string // such as "member.role", "member.banned", "document.saved"
	On     UserID // whom it was done to, if anyone
	Detail string // what else there is to know: the new role, the document
	// At is when it was done, where what was changed remembers it: a retry then finds the
	// line that is there, or writes the one that is missing. Zero is now, and a line of its own.
	At time.Time
}

// Auditor keeps the audits of rooms.
type Auditor interface {
	// Audit adds a line to a room's audit. Call it after the change that it records: the change cannot
	// be undone, so a failure is the auditor's to report.
	Audit(ctx context.Context, room RoomID, e AuditEvent)
}

// Names gives people their names.
type Names interface {
	// NameOf returns the name of a person, or their id when they have told none.
	NameOf(ctx context.Context, user UserID) (string, error)
}

// FeedPositions tells how far the feeds of rooms have come.
type FeedPositions interface {
	// FeedPosition returns the position from which a client that lists the room's messages after
	// this call continues with changes. The zero position is the beginning.
	FeedPosition(ctx context.Context, room RoomID) (FeedPosition, error)
	// MessageCount returns the number of messages created in the room up to the end of its feed.
	MessageCount(ctx context.Context, room RoomID) (int64, error)
}

// Authorizer decides what a caller may do in a room.
type Authorizer interface {
	// Authorize returns the caller's access, NotFound when the room is unknown or hidden, and
	// Forbidden when the caller's role does not allow the action.
	Authorize(ctx context.Context, caller UserID, room RoomID, action policy.Action) (Access, error)
}
