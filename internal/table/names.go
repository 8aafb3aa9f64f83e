// Package table is the key chart as code: the names of the table's
// attributes, and how rooms and messages are written as items and read back.
// It holds no client.
//
//	item         PK           SK                                       GSI1PK      GSI1SK
//	message      seattle-1    amsg#2018-08-29:12:00:00.123#<uuid>      seattle-1   2018-08-29:12:00:00.123#amsg#<uuid>
//	version      m#seattle#<uuid>~amsg   v0_message, v1_message, v2_message
//	room         r#seattle    metadata                                 rooms       USA#WA#Seattle#seattle
//	permissions  r#seattle    permissions
//	shards       r#seattle    shards
//	membership   u#amsg       member#seattle                           member#seattle   Amsel Gruber (the person's name)
//	standing     u#amsg       standing#seattle
//	slow mode    u#amsg       slow#seattle
//	person       u#e129       root                                     root        Rhianna Cohen (the person's name)
//	title        u#e129       current_title#Director of Technology     (the SK)    Rhianna Cohen
//	former one   u#e129       previous_title#System Architect          (the SK)    Rhianna Cohen
//	state        u#e129       state#CA                                 (the SK)    Rhianna Cohen
//	document     d#seattle#charter   metadata, permissions             d#seattle   charter (metadata alone)
//	part         d#seattle#charter   v0_preamble, v1_preamble, v2_preamble
//	feed         feed#seattle   0000000000000000001 (a segment's first sequence number), head
//	read marker  u#amsg       read#seattle
//
// The partition r#seattle holds these three items alone, which are read together. New items of a
// room go under p#seattle.
//
// A shard's partition key is the room, "-" and the shard's number from 1. A room
// may itself be called seattle-1: the last "-" decides. "#" separates
// fields and stands in no field.
//
// The sort key of a message is the template user#yyyy-MM-dd:HH:mm:ss, fixed in
// width, in UTC, least specific field first, continued by milliseconds and
// the message's UUID; the index holds the template reversed, datetime#user. In
// the table the time is when the message was sent, in the index when it was received.
package table

// The names of the table's keys and of its one index.
const (
	PK      = "PK"
	SK      = "SK"
	Index   = "GSI1"
	IndexPK = "GSI1PK"
	IndexSK = "GSI1SK"
)

// The other attributes. They are short where every message has them, since
// DynamoDB bills names too.
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

	attrPlace      = "place"
	attrRevision   = "rev"
	attrVisibility = "visibility"
	attrPosting    = "posting"
	attrSlow       = "slow"
	attrRole       = "role"
	attrLeft       = "left"
	attrSince      = "since"
	attrLast       = "last"

	attrTitle   = "title"
	attrRead    = "read"
	attrWrite   = "write"
	attrNumber  = "version"
	attrBy      = "by"
	attrSavedAt = "savedAt"

	attrEdited    = "editedAt"
	attrDeleted   = "deletedAt"
	attrDeletedBy = "deletedBy"
	attrKept      = "kept"

	attrState    = "state"
	attrPrevious = "previous"
	attrHired    = "hired"
)

// The types of items, and the schema version that is written today.
const (
	typeMessage     = "message"
	typeVersion     = "message version"
	typeRoom        = "room"
	typePermissions = "permissions"
	typeShards      = "shards"
	typeMember      = "member"
	typeStanding    = "standing"
	typeSlow        = "slow"
	typePerson      = "person"

	typeDocument            = "document"
	typeDocumentPermissions = "document permissions"
	typePart                = "document part"

	typeFeed     = "feed"
	typeFeedHead = "feed head"
	typeRead     = "read"

	schemaVersion = 1
)

// The sort keys of a room's own items.
const (
	skMetadata    = "metadata"
	skPermissions = "permissions"
	skShards      = "shards"
)

// directory is the index partition of all public rooms.
const directory = "rooms"
