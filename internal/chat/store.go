package chat

import (
	"context"
	"time"

	"example.com/parley/internal/policy"
)

// Store stores rooms and messages, and reads memberships. The package storetest checks this
// contract; every implementation must pass it.
//
// All methods return an *Error of kind Unavailable if the store cannot answer now. Writes are
// durable when they return.
type Store interface {
	MemberStore
	MessageGetter

	// CreateRoom stores a new room and its first member, if owner is not zero, in one transaction.
	// If a room with that id exists or was deleted, it changes nothing and created is false.
	CreateRoom(ctx context.Context, room Room, owner Membership) (created bool, err error)
	// UpdateRoom replaces the name, topic, place, posting and slow mode of a room, and stores
	// the new system messages about it. If the room's Revision is no longer before's, it changes
	// nothing and ok is false.
	UpdateRoom(ctx context.Context, before, after Room, about ...Message) (ok bool, err error)
	// DeleteRoom deletes a room and closes its feed, in one transaction. The room's id stays taken.
	// If the room's Revision or the membership By has changed, it changes nothing and ok is false.
	// If Service is set, By is no membership but names the service.
	DeleteRoom(ctx context.Context, d RoomDeletion) (ok bool, err error)
	// Room returns the current state of a room. The error is NotFound if the room does not exist or
	// is deleted.
	Room(ctx context.Context, id RoomID) (Room, error)
	// RoomsAt returns the public rooms at a place and below it, ordered by place and then by id.
	// It returns at most limit rooms, starting after a position. An empty place selects all. Rooms
	// that were created within about the last second may be missing.
	RoomsAt(
		ctx context.Context, place []string, after ListPosition, limit int,
	) (rooms []Room, next ListPosition, err error)

	// PutMessage stores m, at its first revision, unless the room has a message with that id. In
	// both cases it returns the stored message; created reports whether it stored m. The error is
	// NotFound if the room does not exist.
	PutMessage(ctx context.Context, m Message) (stored Message, created bool, err error)
	// Messages returns the first messages of a range in order, without gaps or duplicates, and
	// whether more follow. It returns at most r.Limit messages, fewer if they would exceed
	// MaxPageBytes, but at least one if there is any. If r.Continued, three quarters of r.Limit
	// are enough if more would require another call. Messages written within about the last second
	// may be missing. The error is NotFound if the room does not exist.
	Messages(ctx context.Context, r MessageRange) (messages []Message, more bool, err error)
	// MessagesWhileChecking reads messages as Messages does, and calls check once meanwhile. It
	// reads from the shards that the room is likely to have, but never before check if the room's
	// id is private. If check fails, it returns only check's error. If check is late, or the guess
	// was wrong, it reads again after check.
	MessagesWhileChecking(
		ctx context.Context, r MessageRange, check func() (late bool, err error),
	) (messages []Message, more bool, err error)
	// ReviseMessage replaces before with after, its next revision, if before is still current. An
	// edit also stores the new text as a version, and the first edit also stores the original
	// text. A deletion removes the text from the message and from every version, in one
	// transaction. If before is not current, nothing changes and revised is false. In both cases
	// it returns the current message. The error is NotFound if the message does not exist.
	ReviseMessage(ctx context.Context, before, after Message) (current Message, revised bool, err error)
	// MessageVersions returns versions of an edited message, newest first, beginning with newest.
	// It returns at most limit of them, fewer if they would exceed MaxPageBytes, but at least one.
	MessageVersions(ctx context.Context, newest Version, limit int) (versions []Version, err error)
}

// MemberStore reads and counts memberships. Package membership changes them.
type MemberStore interface {
	// Membership returns the current state of a membership, or the zero Membership if the person
	// has none. A room that does not exist has no memberships.
	Membership(ctx context.Context, room RoomID, user UserID) (Membership, error)
	// BansOf returns the stored bans of a user in all rooms, including bans that have ended.
	BansOf(ctx context.Context, user UserID) ([]Membership, error)
	// OpenRoomCount returns the number of a person's Listed memberships in rooms that are not
	// archived. Below MaxRooms it may count archived ones too, and from then on also those that
	// were archived within ArchivedAge. It takes archived rooms out of the count for good.
	OpenRoomCount(ctx context.Context, user UserID) (int, error)
	// CountRoom makes all memberships of a room that was unarchived count again.
	CountRoom(ctx context.Context, room RoomID) error
}

// MessageGetter reads messages by their ids.
type MessageGetter interface {
	// Message returns the current state of a message, or NotFound.
	Message(ctx context.Context, room RoomID, id MessageID) (Message, error)
	MessageSource
}

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

// Auditor stores the audit logs of rooms and of people. Its methods are called after the change,
// which cannot be undone, so the auditor must report failures itself.
type Auditor interface {
	// Audit adds a line to a room's audit log.
	Audit(ctx context.Context, room RoomID, e AuditEvent)
	// AuditPerson adds a line to the audit log of a person.
	AuditPerson(ctx context.Context, person UserID, e AuditEvent)
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

// Blocks reads whom people have blocked.
type Blocks interface {
	// Blocked returns the people whom a user has blocked.
	Blocked(ctx context.Context, user UserID) (map[UserID]bool, error)
}
