package archive

// Reason is the reason for not importing a record, as printed in the report.
type Reason string

// Reasons of every format. The subpackages add their own.
const (
	EmptyText Reason = "empty text"
	LongText  Reason = "text too long" // over chat.MaxText
	NotUTF8   Reason = "not UTF-8"
	BadTime   Reason = "bad time"
	BadFile   Reason = "bad file" // the rest of a file cannot be read; counted once
	// Conflict: the room already has a message with this id and a different text.
	Conflict Reason = "conflict"
	// NotStored: the store did not confirm the message before the import gave up or was
	// interrupted. Another import of the same archive stores it if it is missing.
	NotStored Reason = "not stored"
)

// DeletedRoom is the reason for records of rooms that were deleted here, and stay deleted.
const DeletedRoom Reason = "in deleted rooms"

// Reasons for which people, members, reactions and parts of messages are left out.
const (
	BadName   Reason = "invalid name"
	BadTitle  Reason = "invalid title"
	BadAvatar Reason = "invalid picture"
	BadHandle Reason = "invalid handle"
	// Restricted: the person is muted or banned in the room, even if only the mute remains.
	Restricted Reason = "muted or banned"
	// Deleted: the message has been deleted since it was imported.
	Deleted Reason = "of deleted messages"
	// RemovedSince: an import has put the reaction, and it was removed since.
	RemovedSince Reason = "that were removed since"
	// ManyEmoji: the message has chat.MaxEmoji others.
	ManyEmoji Reason = "over 20 emoji"
	// ManyPeople: chat.MaxReactions people have reacted with the emoji.
	ManyPeople Reason = "over 10,000 people"
	// Erased: the person was deleted here, and stays deleted.
	Erased Reason = "who were deleted"
	// LeftSince: an import made the person a member, and they have left since.
	LeftSince Reason = "who left since"
	// InMaxRooms: the person is already in chat.MaxRooms rooms.
	InMaxRooms Reason = "in too many rooms"
)
