package slack

import "parley/internal/archive"

// Reasons of Slack exports, beside the subtypes that are not imported.
const (
	BadRecord    archive.Reason = "bad record"
	NoUser       archive.Reason = "no user"
	NotPublic    archive.Reason = "not a public channel"
	NotMessage   archive.Reason = "not a message"
	OtherSubtype archive.Reason = "other subtype"
)

// subtypes returns the subtypes that Slack documents for channels and that are not imported, in
// the order of the report.
func subtypes() []archive.Reason {
	return []archive.Reason{
		"bot_add", "bot_disable", "bot_enable", "bot_message", "bot_remove",
		"channel_archive", "channel_convert_to_private", "channel_join",
		"channel_leave", "channel_name", "channel_posting_permissions",
		"channel_purpose", "channel_topic", "channel_unarchive",
		"ekm_access_denied", "file_comment", "file_mention", "huddle_thread",
		"me_message", "message_changed", "message_deleted", "message_replied",
		"pinned_item", "reminder_add", "reply_broadcast", "sh_room_created",
		"thread_broadcast", "tombstone", "unpinned_item",
	}
}

// reasons returns the reasons of an export in the order of the report.
func reasons() []archive.Reason {
	return append(subtypes(), OtherSubtype, NotPublic, NotMessage, NoUser, archive.EmptyText,
		archive.LongText, archive.BadTime, archive.NotUTF8, BadRecord, archive.BadFile,
		archive.Conflict, archive.NotStored)
}
