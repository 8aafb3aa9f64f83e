package table

// Kind is the type of an item, as in its type attribute.
type Kind string

// The kinds of items of the table.
const (
	MessageKind             Kind = typeMessage
	VersionKind             Kind = typeVersion
	RoomKind                Kind = typeRoom
	PermissionsKind         Kind = typePermissions
	ShardsKind              Kind = typeShards
	MemberKind              Kind = typeMember
	RoleKind                Kind = typeRole
	SlowKind                Kind = typeSlow
	PersonKind              Kind = typePerson
	PersonMetadataKind      Kind = typePersonMeta
	TitleKind               Kind = factTitle
	PreviousTitleKind       Kind = factPrevious
	StateKind               Kind = factState
	WordKind                Kind = factWord
	DocumentKind            Kind = typeDocument
	DocumentPermissionsKind Kind = typeDocumentPermissions
	PartKind                Kind = typePart
	FeedKind                Kind = typeFeed
	FeedHeadKind            Kind = typeFeedHead
	ReadKind                Kind = typeRead
	BlocksKind              Kind = typeBlocks
	AccountKind             Kind = typeAccount
	DirectKind              Kind = typeDirect
	ReportKind              Kind = typeReport
	RoomRequestKind         Kind = typeRoomRequest
	ReplyKind               Kind = typeReply
	ThreadKind              Kind = typeThread
	FollowKind              Kind = typeFollow
	InviteKind              Kind = typeInvite
	InvitesKind             Kind = typeInvites
	PinsKind                Kind = typePins
	ReactionKind            Kind = typeReaction
	SavedKind               Kind = typeSaved
	MentionKind             Kind = typeMention
	MentionedKind           Kind = typeMentioned
)

// The kinds of items of the activity log's table.
const (
	EventKind Kind = typeEvent
	AuditKind Kind = typeAudit
)

// The kinds of items of the table of live connections.
const (
	ConnectionKind   Kind = typeConnection
	SubscriptionKind Kind = typeSubscription
)

// KindOf returns the kind of an item, or "" if it has none.
func KindOf(item Item) Kind { return Kind(keyPart(item, attrType)) }

// KeyText returns the key of an item for people to read.
func KeyText(item Item) string { return keyPart(item, PK) + " " + keyPart(item, SK) }
