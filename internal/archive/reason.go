package archive

// Reason is why a record is not imported, in the words of the report.
type Reason string

// Reasons of every archive.
const (
	EmptyText Reason = "empty text"
	LongText  Reason = "text too long" // over chat.MaxText
	NotUTF8   Reason = "not UTF-8"
	BadTime   Reason = "bad time"
	BadFile   Reason = "bad file" // a file that cannot be read on; counted once
	// Conflict: the room has a message of this id with another text.
	Conflict Reason = "conflict"
	// NotStored: the store did not confirm it before the import gave up or
	// was interrupted. The next import finds out.
	NotStored Reason = "not stored"
)

// Reasons of Slack exports, beside the subtypes that are not imported.
const (
	BadRecord    Reason = "bad record"
	NoUser       Reason = "no user"
	NotPublic    Reason = "not a public channel"
	NotMessage   Reason = "not a message"
	OtherSubtype Reason = "other subtype"
)

// Reasons of IRC logs.
const (
	Notice    Reason = "notice"
	BlankLine Reason = "blank line"
	BadLine   Reason = "bad line"
)

// subtypes are those that Slack documents for channels and that are not
// imported, in the order of the report.
func subtypes() []Reason {
	return []Reason{
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

func slackReasons() []Reason {
	return append(subtypes(), OtherSubtype, NotPublic, NotMessage, NoUser, EmptyText, LongText,
		BadTime, NotUTF8, BadRecord, BadFile, Conflict, NotStored)
}

func ircReasons() []Reason {
	return []Reason{Notice, BlankLine, EmptyText, LongText, BadLine, BadTime, NotUTF8, BadFile, Conflict, NotStored}
}
