package chat

import "time"

// The limits of the domain, each with its reason. The OpenAPI document repeats the limits that
// affect clients.
const (
	// MaxRoomID keeps keys short, because every key of a message repeats the room id.
	MaxRoomID = 64
	// MaxUserID is enough for common issuers. A Cognito subject has 36 bytes.
	MaxUserID = 64
	// MaxRooms is the maximum number of a person's rooms that are not archived, including direct
	// rooms. Only joining is checked: unarchiving a room refuses nobody.
	MaxRooms = 1000
	// MaxName is the maximum length of the name of a room or a person, which is one line in a list.
	MaxName = 100
	// MaxTopic is the maximum length of a room's topic in bytes: a few lines.
	MaxTopic = 1000
	// digestKeySize is the size of a room's digest key, which is the output size of SHA-256.
	digestKeySize = 32
	// MaxPlaceLevels and MaxPlaceLevel limit a place: country, region, state, county, city and
	// neighborhood, with the given number of bytes each.
	MaxPlaceLevels = 6
	MaxPlaceLevel  = 64
	// MaxSlowMode is the longest interval between a person's messages in slow mode: a day.
	MaxSlowMode = 24 * time.Hour
	// MaxVersion is the highest version number of a part. Nobody saves that often, and nine digits
	// fit in an int on every platform.
	MaxVersion = 999_999_999
	// MaxEdits and MaxVersionBytes limit the edits of a message and the bytes of content in all
	// its versions. A deletion removes the content of every version in one transaction, which
	// holds at most 100 items. It consumes two write units per KB, which must stay below the 1,000
	// units per second of the versions' partition.
	MaxEdits        = 90
	MaxVersionBytes = 8 * MaxText
	// MaxText is the maximum length of a message's text in bytes. It is one WebSocket frame of API
	// Gateway, so that every message can be delivered in one frame.
	MaxText = 32 << 10
	// MaxMetadata is the maximum length of metadata in bytes: enough for links and flags. A
	// message with this much still fits in a page and in a transaction of its versions.
	MaxMetadata = 4 << 10
	// MaxMentions is the maximum number of people mentioned in a message: each costs a separate
	// row. A message to more people mentions the room.
	MaxMentions = 20
	// MaxShards is the maximum number of shards of a room. With 64 shards a room accepts 64,000
	// messages a second. A reader can still query all shards concurrently.
	MaxShards = 64

	// MaxLimit is the maximum number of items in a page.
	MaxLimit = 200
	// MaxPageBytes bounds the text in a page, as encoded in JSON. It keeps a response well under
	// the 6 MB that a function may return.
	MaxPageBytes = 1 << 20

	// MaxAge is how old a message may be when it arrives: a day in an offline queue. For an older
	// message the service only looks up whether it exists.
	MaxAge = 24 * time.Hour
	// MaxAhead is how far a client's clock may be ahead of the server's.
	MaxAhead = 2 * time.Second

	// DefaultSendRate and DefaultSendBurst limit one person's messages, edits and events through
	// one process. They are faster than anyone types and slow enough to stop a loop.
	DefaultSendRate  = 10
	DefaultSendBurst = 100
	// MaxChangeTries is how often a change is tried when concurrent changes interfere.
	MaxChangeTries = 4
	// busyRetryAfter is when a client may retry once all tries have failed.
	busyRetryAfter = time.Second

	// MaxSeq is the last sequence number: the largest integer that every JSON reader represents
	// exactly.
	MaxSeq = 1<<53 - 1

	// RoomCacheAge is how long a process may use the previous settings of a room. The store keeps
	// shards a little longer. An expired room is read together with its shards while the
	// membership is read, so no later call waits for the shards.
	RoomCacheAge = time.Second
	// EpochMaxAge is the maximum age of the shards by which a process places a message. New shards
	// come into use only when all processes know them. The last second covers the rest of a
	// request after its access check. If the check found the room in the cache, its shards are
	// cached too, unless the check took longer.
	EpochMaxAge = RoomCacheAge + time.Second
	// ArchivedAge is how long a process may refuse a person's joins without looking again which of
	// 1,000 rooms are archived, which costs 500 units. Then a room that was archived frees a place.
	ArchivedAge = 10 * time.Second
	// RoomCacheSize is the number of rooms whose shards a process caches. When it is exceeded, the
	// cache starts over. That costs one read per room and changes no result, because the shards
	// that a message may be in are final.
	RoomCacheSize = 10_000
)

// LastRune sorts after all other runes and is not a character. Names never contain it, so it can
// end a range of names.
const LastRune = '\U0010FFFF'
