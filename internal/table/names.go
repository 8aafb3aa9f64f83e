// Package table is the key chart as code: the names of the table's attributes, and the encoding of
// rooms, messages and everything else as items. It has no client.
//
// docs/keys.md shows every kind of item with its keys.
//
// Only the metadata of a document has its index keys. The sort key of a feed's segment is its
// first sequence number. A name is the person's. A direct room of more than two people is under
// set# and a hash of their ids.
//
// The partition r#seattle holds only these three items, which are read together. New items of a
// room go under p#seattle.
//
// A reply has the index key t#seattle#<root> instead of its shard's, unless the room lists it.
// Then its reference has that key.
//
// A shard's partition key is the room, "-" and the shard's number from 1. A room may itself be
// called seattle-1, so the last "-" decides. "#" separates fields, and no field contains it.
//
// The sort key of a message is the template user#yyyy-MM-dd:HH:mm:ss in UTC, with a fixed width
// and the least specific field first. Milliseconds and the message's UUID follow. The index has
// the template reversed, datetime#user. The time in the table is when the message was sent, and
// the time in the index when it was received.
package table

// The names of the table's keys and of its only index.
const (
	PK      = "PK"
	SK      = "SK"
	Index   = "GSI1"
	IndexPK = "GSI1PK"
	IndexSK = "GSI1SK"
)

// The other attributes. Attributes of every message are short, because DynamoDB bills names too.
const (
	attrType    = "type"
	attrVersion = "v"
	attrText    = "text"
	attrDigest  = "digest"
	attrName    = "name"
	attrTopic   = "topic"
	attrMaker   = "maker"
	attrMadeAt  = "madeAt"
	attrKey     = "digestKey"
	attrEpochs  = "epochs"
	attrFrom    = "from"
	attrShards  = "n"

	attrShardsPinned = "pinned"
	attrWrites       = "writes"
	attrMarkAt       = "markAt"
	attrMarked       = "marked"

	attrPlace        = "place"
	attrRevision     = "rev"
	attrPosting      = "posting"
	attrPinning      = "pinning"
	attrRoomMentions = "roomMentions"
	attrSlow         = "slow"
	attrArchived     = "archived"
	attrReceipts     = "receipts"
	attrSilent       = "silent"
	attrService      = "service"
	attrChannel      = "channel"
	attrRole         = "role"
	attrLeft         = "left"
	attrLeftCount    = "closed"
	attrSince        = "since"
	attrLast         = "last"
	attrUntil        = "until"
	attrReason       = "reason"
	attrFormer       = "back"
	attrAnnounce     = "announce"

	attrRead    = "read"
	attrWrite   = "write"
	attrNumber  = "version"
	attrBy      = "by"
	attrSavedAt = "savedAt"

	attrEdited      = "editedAt"
	attrDeleted     = "deletedAt"
	attrDeletedBy   = "deletedBy"
	attrImported    = "imported"
	attrMetadata    = "meta"
	attrKept        = "kept"
	AttrVia         = "via"
	attrQuote       = "quote"
	attrPoll        = "poll"
	attrSystem      = "system"
	attrAttachments = "files"
	AttrChoices     = "choices"

	attrThread     = "thread"
	attrShowInRoom = "inRoom"

	attrMentions    = "mentions"
	attrMentionRoom = "mentionRoom"

	AttrUsers = "users"

	AttrSuspendedAt     = "suspendedAt"
	AttrSuspended       = "suspendedBy"
	AttrSuspensionEnd   = "suspensionEnd"
	AttrSuspensionEndBy = "suspensionEndBy"
	AttrSuspendReason   = "suspendReason"

	AttrErasedAt  = "erasedAt"
	AttrErasedBy  = "erasedBy"
	AttrEraseStep = "eraseStep" // which a step of an erasure writes

	attrDirect = "direct"
	AttrRoom   = "room" // of an invitation too, which a purge finds by it
	attrAway   = "away"

	attrChanged      = "changed"
	attrPinned       = "pinned"
	attrTally        = "tally"
	attrTallyVersion = "tv"
)

// schemaVersion is the current schema version of items.
const schemaVersion = 1

// The sort keys of a room's own items.
const (
	skMetadata    = "metadata"
	skPermissions = "permissions"
	skShards      = "shards"
)

// skBlocks is the sort key of the list of people whom a person has blocked.
const skBlocks = "blocks"

// skNotify is the sort key of a person's notification settings.
const skNotify = "notify"

// skAccount is the sort key of a person's account.
const skAccount = "account"

// skPins is the sort key of the pinned messages of a room.
const skPins = "pins"

// directory is the index partition of all public rooms.
const directory = "rooms"
