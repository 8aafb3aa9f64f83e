package slack

import "example.com/parley/internal/archive"

// Reasons of Slack exports, in addition to the subtypes that are not imported.
const (
	BadRecord    archive.Reason = "bad record"
	NoUser       archive.Reason = "no user"
	NotPublic    archive.Reason = "not a public channel"
	Canvas       archive.Reason = "canvas"
	NotMessage   archive.Reason = "not a message"
	OtherSubtype archive.Reason = "other subtype"
)

// Parts of channels and messages that are not imported.
const (
	// Pins of channels.
	Pins archive.Reason = "pins"
	// LeftMembers are members of channels who have left Slack.
	LeftMembers archive.Reason = "members who have left Slack"
	// Previews are Slack's previews of the links in a text.
	Previews archive.Reason = "previews of links"
	// ManyFiles are files whose links no longer fit in chat.MaxMetadata.
	ManyFiles archive.Reason = "files beyond 4 KB of links"
	// OtherSize are downloads that are empty, or not as large as Slack's file: they broke off, or
	// are pages that ask for a sign-in.
	OtherSize archive.Reason = "files of another size"
	// ManyAttached are files over chat.MaxAttachments in a message.
	ManyAttached archive.Reason = "files beyond 20 in a message"
	// UnreadablePart is everything in a record except its text, if its form is unknown.
	UnreadablePart archive.Reason = "unreadable parts"
	// DeletedFile is a file that was deleted before the export, or that the export conceals.
	DeletedFile archive.Reason = "files without a link"
)

// subtypes returns the subtypes that Slack documents for channels and that are not imported, in
// the order of the report.
func subtypes() []archive.Reason {
	return []archive.Reason{
		"bot_add", "bot_disable", "bot_enable", "bot_remove",
		"channel_archive", "channel_convert_to_private", "channel_join",
		"channel_leave", "channel_name", "channel_posting_permissions",
		"channel_purpose", "channel_topic", "channel_unarchive",
		"ekm_access_denied", "file_mention", "huddle_thread",
		"message_changed", "message_deleted", "message_replied",
		"pinned_item", "reminder_add", "sh_room_created",
		"tombstone", "unpinned_item",
	}
}

// reasons returns the reasons of an export in the order of the report.
func reasons() []archive.Reason {
	return append(subtypes(), OtherSubtype, NotPublic, Canvas, NotMessage, NoUser, archive.EmptyText,
		archive.LongText, archive.BadTime, BadRecord, archive.BadFile,
		archive.DeletedRoom, archive.Conflict, archive.NotStored)
}
