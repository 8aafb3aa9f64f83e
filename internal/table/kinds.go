package table

import (
	"slices"
	"strings"

	"example.com/parley/internal/chat"
)

// Kind is the type of an item, as in its type attribute. Kinds has a row for each kind of item of
// the table of messages.
type Kind string

// The kinds of items of the table.
const (
	MessageKind             Kind = "message"
	VersionKind             Kind = "message version"
	MentionedKind           Kind = "mentioned"
	ReactionKind            Kind = "reaction"
	VoteKind                Kind = "vote"
	ReplyKind               Kind = "reply"
	ThreadKind              Kind = "thread"
	RoomKind                Kind = "room"
	PermissionsKind         Kind = "permissions"
	ShardsKind              Kind = "shards"
	InvitesKind             Kind = "invitations"
	PinsKind                Kind = "pins"
	ReportKind              Kind = "report"
	InviteKind              Kind = "invitation"
	DirectKind              Kind = "direct room"
	FeedKind                Kind = "feed"
	FeedHeadKind            Kind = "feed head"
	DocumentKind            Kind = "document"
	DocumentPermissionsKind Kind = "document permissions"
	PartKind                Kind = "document part"
	ReadKind                Kind = "read"
	SlowKind                Kind = "slow"
	RoleKind                Kind = "standing" // as it is stored
	MemberKind              Kind = "member"
	FollowKind              Kind = "follow"
	SavedKind               Kind = "saved"
	MentionKind             Kind = "mention"
	RoomRequestKind         Kind = "room request"
	BlocksKind              Kind = "blocks"
	NotifyKind              Kind = "notify"
	AccountKind             Kind = "account"
	PersonKind              Kind = "person"
	PersonMetadataKind      Kind = "person metadata"
	PictureKind             Kind = "picture"
	TitleKind               Kind = "current_title"
	PreviousTitleKind       Kind = "previous_title"
	StateKind               Kind = "state"
	WordKind                Kind = "word"
	UploadKind              Kind = "upload"
	UploadsKind             Kind = "uploads"
	ImportedKind            Kind = "imported members"
	ReactedKind             Kind = "imported reactions"
	ImportKeyKind           Kind = "import key"
	HookKind                Kind = "hook"
	RoomHookKind            Kind = "room hook"
	HookCursorKind          Kind = "hook cursor"
	HookDueKind             Kind = "hook due"
	HookAnswerKind          Kind = "hook answer"
	HookDeliveryKind        Kind = "hook delivery"
	TimerKind               Kind = "timer"
	IncomingKind            Kind = "incoming webhook"
	IncomingListKind        Kind = "incoming webhooks"
)

// The kinds of items of the activity log's table.
const (
	EventKind Kind = "event"
	AuditKind Kind = "audit"
)

// The kinds of items of the table of live connections.
const (
	ConnectionKind   Kind = "connection"
	SubscriptionKind Kind = "subscription"
	BudgetKind       Kind = "budget"
	GoneKind         Kind = "gone"
	MissedKind       Kind = "missed"
)

// Stream selects who receives the changes of a kind of item from the table's stream.
type Stream int

// The receivers of changes. Bans and suspended accounts are also received, by conditions of their
// own.
const (
	NoStream       Stream = iota
	FeedStream            // the feed of the item's room
	PersonalStream        // the connections of one person
	RowStream             // what follows from rows, such as counts
)

// Restore selects how a restore treats a kind of item.
type Restore int

// The ways to restore an item.
const (
	RestoreByKind  Restore = iota // by its own comparison
	RestoreMissing                // put back where its key is missing
	RestoreInRoom                 // likewise, if its room remains
	RestoreWith                   // with the item that it belongs to
	RestoreNever                  // it belongs only to its table
)

// SavedPrefix is the prefix of the sort keys of saved messages, and of their index partitions.
const SavedPrefix = "saved#"

// The prefixes of the sort keys of rooms' hooks, and of a hook's rows about rooms.
const (
	RoomHookPrefix   = "room/"
	HookCursorPrefix = "at#"
	HookDuePrefix    = "due#"
)

// KindRow describes one kind of item to code that handles all kinds.
type KindRow struct {
	Kind Kind
	// Own means that an item gives nobody a right: its contents are somebody's own, or belong to
	// the room or the machine.
	Own bool
	// Room returns the room of an item, from its key or an attribute. Items without Room have none.
	Room func(Item) (room chat.RoomID, ok bool)
	// Prefix begins the sort key of a person's row in a room; the room follows. Many means that
	// "#" and more follow the room, so a person may have several such rows in a room.
	Prefix string
	Many   bool
	// Stream selects who receives changes. Removals means that they also receive removed items.
	Stream   Stream
	Removals bool
	Restore  Restore
}

// KindRows returns the rows of Kinds by their kinds.
func KindRows() map[Kind]KindRow {
	rows := map[Kind]KindRow{}
	for _, k := range Kinds() {
		rows[k.Kind] = k
	}
	return rows
}

// Kinds returns a row for each kind of item of the table.
func Kinds() []KindRow {
	rows := []KindRow{
		{Kind: MessageKind, Own: true, Room: messageRoom, Stream: FeedStream},
		{Kind: VersionKind, Own: true, Room: roomOfMessage, Restore: RestoreWith},
		// Mentions are written when their message is restored.
		{Kind: MentionedKind, Own: true, Room: roomOfMessage, Restore: RestoreNever},
		{Kind: ReactionKind, Own: true, Room: roomOfMessage, Stream: RowStream, Removals: true, Restore: RestoreInRoom},
		{Kind: VoteKind, Own: true, Room: roomOfMessage, Stream: RowStream, Removals: true, Restore: RestoreInRoom},
		{Kind: ReplyKind, Own: true, Room: roomOfMessage, Restore: RestoreInRoom},
		{Kind: ThreadKind, Own: true, Room: roomOfMessage, Restore: RestoreInRoom},

		// A person's rows in a room, in the order of a purge: lists find the last two.
		{Kind: ReadKind, Own: true, Prefix: readPrefix, Stream: PersonalStream},
		{Kind: FollowKind, Own: true, Prefix: followPrefix, Many: true, Stream: PersonalStream, Restore: RestoreInRoom},
		{Kind: SavedKind, Own: true, Prefix: SavedPrefix, Many: true, Restore: RestoreInRoom},
		{Kind: SlowKind, Own: true, Prefix: slowPrefix, Restore: RestoreNever},
		{Kind: RoleKind, Prefix: rolePrefix},
		{Kind: MemberKind, Prefix: memberPrefix, Stream: FeedStream, Removals: true, Restore: RestoreWith},

		{Kind: PersonKind, Own: true},
		{Kind: PersonMetadataKind, Own: true, Restore: RestoreWith},
		{Kind: PictureKind, Own: true, Restore: RestoreMissing},
		{Kind: TitleKind, Own: true, Restore: RestoreWith},
		{Kind: PreviousTitleKind, Own: true, Restore: RestoreWith},
		{Kind: StateKind, Own: true, Restore: RestoreWith},
		{Kind: WordKind, Own: true, Restore: RestoreWith},
		{Kind: AccountKind},
		{Kind: UploadsKind, Own: true, Restore: RestoreNever},
		{Kind: BlocksKind, Own: true, Stream: PersonalStream, Restore: RestoreMissing},
		{Kind: NotifyKind, Own: true, Stream: PersonalStream, Restore: RestoreMissing},
		{Kind: MentionKind, Own: true, Room: MentionRoom, Stream: PersonalStream, Restore: RestoreNever},
		{Kind: RoomRequestKind, Own: true, Room: statedRoom, Restore: RestoreMissing},

		{Kind: RoomKind, Room: roomAfter(PK, RoomPK("")), Stream: FeedStream},
		{Kind: PermissionsKind, Room: roomAfter(PK, RoomPK("")), Restore: RestoreWith},
		{Kind: ShardsKind, Own: true, Room: roomAfter(PK, RoomPK("")), Restore: RestoreWith},
		{Kind: PinsKind, Own: true, Room: roomAfter(PK, RoomItemsPK("")), Stream: FeedStream, Restore: RestoreInRoom},
		{Kind: ReportKind, Room: roomAfter(PK, RoomItemsPK("")), Restore: RestoreInRoom},
		{Kind: UploadKind, Own: true, Room: roomAfter(PK, RoomItemsPK("")), Removals: true},
		{Kind: ImportedKind, Own: true, Room: roomAfter(PK, RoomItemsPK("")), Restore: RestoreInRoom},
		{Kind: ReactedKind, Own: true, Room: roomAfter(PK, RoomItemsPK("")), Restore: RestoreInRoom},
		{Kind: ImportKeyKind, Own: true, Restore: RestoreMissing},
		{Kind: HookKind, Own: true, Restore: RestoreMissing},
		{Kind: RoomHookKind, Room: roomAfter(SK, RoomHookPrefix), Restore: RestoreNever}, // a deleted one stays so
		// A restored cursor would be of the feed before the restore.
		{Kind: HookCursorKind, Own: true, Room: roomAfter(SK, HookCursorPrefix), Restore: RestoreNever},
		{Kind: HookDueKind, Own: true, Room: roomAfter(SK, HookDuePrefix), Restore: RestoreNever},
		{Kind: HookAnswerKind, Own: true, Restore: RestoreNever},
		{Kind: HookDeliveryKind, Own: true, Restore: RestoreMissing}, // with the secret, which its receiver has
		{Kind: TimerKind, Own: true, Restore: RestoreMissing},
		{Kind: InvitesKind, Room: roomAfter(PK, RoomItemsPK("")), Restore: RestoreNever},
		{Kind: InviteKind, Room: statedRoom, Restore: RestoreNever}, // a revoked link must not open again
		// A removed webhook must not post again.
		{Kind: IncomingKind, Room: statedRoom, Restore: RestoreNever},
		{Kind: IncomingListKind, Room: roomAfter(PK, RoomItemsPK("")), Restore: RestoreNever},
		{Kind: DirectKind, Own: true, Room: statedRoom},
		{Kind: DocumentKind, Own: true, Room: documentRoom},
		{Kind: DocumentPermissionsKind, Own: true, Room: documentRoom, Restore: RestoreWith},
		{Kind: PartKind, Own: true, Room: documentRoom},
		{Kind: FeedKind, Own: true, Room: roomAfter(PK, FeedPK("")), Restore: RestoreNever},
		{Kind: FeedHeadKind, Own: true, Room: roomAfter(PK, FeedPK(""))},
	}
	for i := range rows {
		if rows[i].Prefix != "" {
			rows[i].Room = roomAfter(SK, rows[i].Prefix)
		}
	}
	return rows
}

// PersonalKinds returns the kinds of a person's rows in a room, in the order in which they may be
// deleted.
func PersonalKinds() []KindRow {
	return slices.DeleteFunc(Kinds(), func(k KindRow) bool { return k.Prefix == "" })
}

// SortKey returns the sort key of a person's row in a room, or the prefix of the rows' keys if
// there may be many.
func (k KindRow) SortKey(room chat.RoomID) string {
	sk := k.Prefix + string(room)
	if k.Many {
		sk += "#"
	}
	return sk
}

// StreamKinds returns the kinds whose new and changed items a receiver gets.
func StreamKinds(s Stream) []string {
	return kindsWhere(func(k KindRow) bool { return k.Stream == s })
}

// StreamTypes returns the types of new and changed items that the stream's consumer receives.
func StreamTypes() []string {
	return slices.Concat(StreamKinds(FeedStream), StreamKinds(PersonalStream), StreamKinds(RowStream))
}

// StreamRemovedTypes returns the types of removed items that the stream's consumer receives: a
// removed membership means that the user left. Rooms are never removed, and removing a whole
// message item is not a change.
func StreamRemovedTypes() []string {
	return slices.Concat(
		kindsWhere(func(k KindRow) bool { return k.Removals && k.Stream == FeedStream }),
		kindsWhere(func(k KindRow) bool { return k.Removals && k.Stream == RowStream }),
		kindsWhere(func(k KindRow) bool { return k.Removals && k.Stream == NoStream }),
	)
}

// OutboxTypes returns the types of new and changed items that the outbox receives: segments, rooms,
// which may be deleted, and hooks.
func OutboxTypes() []string {
	return []string{string(FeedKind), string(RoomKind), string(HookKind), string(RoomHookKind)}
}

func kindsWhere(is func(KindRow) bool) []string {
	var names []string
	for _, k := range Kinds() {
		if is(k) {
			names = append(names, string(k.Kind))
		}
	}
	return names
}

// KindOf returns the kind of an item, or "" if it has none.
func KindOf(item Item) Kind { return Kind(KeyPart(item, attrType)) }

// KeyText returns the key of an item for people to read.
func KeyText(item Item) string { return KeyPart(item, PK) + " " + KeyPart(item, SK) }

// roomAfter returns the function that finds a room in a key: the text from a prefix to the next
// "#".
func roomAfter(key, prefix string) func(Item) (chat.RoomID, bool) {
	return func(item Item) (chat.RoomID, bool) {
		text, ok := strings.CutPrefix(KeyPart(item, key), prefix)
		text, _, _ = strings.Cut(text, "#")
		room, err := chat.ParseRoomID(text)
		return room, ok && err == nil
	}
}

// messageRoom returns the room of a message from its shard's key.
func messageRoom(item Item) (chat.RoomID, bool) {
	room, err := MessageRoom(item)
	return room, err == nil
}

// roomOfMessage returns the room of an item in the partition of a message.
func roomOfMessage(item Item) (chat.RoomID, bool) {
	room, _, err := ParseMessageVersionsPK(KeyPart(item, PK))
	return room, err == nil
}

// documentRoom returns the room of a document's item.
func documentRoom(item Item) (chat.RoomID, bool) {
	f := strings.Split(KeyPart(item, PK), "#")
	if len(f) != 3 || f[0] != "d" {
		return "", false
	}
	room, err := chat.ParseRoomID(f[1])
	return room, err == nil
}

// statedRoom returns the room of an item that names it in an attribute.
func statedRoom(item Item) (chat.RoomID, bool) {
	room, err := chat.ParseRoomID(KeyPart(item, AttrRoom))
	return room, err == nil
}
