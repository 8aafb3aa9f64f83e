package chat

import "time"

// Every bound of the domain, with its reason. The OpenAPI document repeats
// those that clients meet.
const (
	// MaxRoomID bounds a room id so that keys stay short: every key of a
	// message repeats it.
	MaxRoomID = 64
	// MaxUserID is what common issuers stay under (a Cognito subject has 36).
	MaxUserID = 64
	// MaxName bounds the name of a room or a person: one line in a list.
	MaxName = 100
	// MaxTopic bounds a room's topic, in bytes: a few lines.
	MaxTopic = 1000
	// digestKeySize is the size of a room's digest key: the block of SHA-256.
	digestKeySize = 32
	// MaxPlaceLevels and MaxPlaceLevel bound a place: country, region, state,
	// county, city and neighborhood, each at most so many bytes.
	MaxPlaceLevels = 6
	MaxPlaceLevel  = 64
	// MaxSlowMode is the longest wait between a person's messages: a day.
	MaxSlowMode = 24 * time.Hour
	// MaxVersion is the last version of a part: nobody saves so often, and a
	// number of nine digits is an int everywhere.
	MaxVersion = 999_999_999
	// MaxEdits and MaxVersionBytes bound how often a message is edited, and the bytes of
	// text in all its versions. A deletion takes the text out of every one in a
	// single transaction: that holds 100 items, and its writes, two units for each KB, must stay
	// below the 1,000 a second of the one partition that the versions are in.
	MaxEdits        = 90
	MaxVersionBytes = 8 * MaxText
	// MaxText is a message's text in bytes: one WebSocket frame of API
	// Gateway, so that whatever was posted can be delivered in one.
	MaxText = 32 << 10
	// MaxShards is how far a room can be spread: 64 shards write 64,000
	// messages a second and a reader can still ask all of them at once.
	MaxShards = 64

	// DefaultLimit and MaxLimit bound a page's messages.
	DefaultLimit = 50
	MaxLimit     = 200
	// MaxPageBytes bounds a page's text as written in JSON, so that an answer stays
	// well under the 6 MB a function may return.
	MaxPageBytes = 1 << 20

	// MaxAge is how old a message may be when it arrives: a day of an
	// offline queue. Retries of anything older are only looked up.
	MaxAge = 24 * time.Hour
	// MaxAhead is how far ahead of ours a client's clock may run.
	MaxAhead = 2 * time.Second

	// DefaultSendRate and DefaultSendBurst bound one person's messages, edits and events
	// through one process: faster than anyone types, slow enough to stop a loop.
	DefaultSendRate  = 10
	DefaultSendBurst = 100
	// forgottenPerPut bounds the work of forgetting, in what a process remembers for a while: two
	// for each that is added, so that it shrinks to those of that while.
	forgottenPerPut = 2
	// MaxChangeTries bounds how often a change is made anew because
	// somebody else's came first.
	MaxChangeTries = 4
	// busyRetryAfter is when to come back after that.
	busyRetryAfter = time.Second

	// MaxSeq is the last sequence number: the largest that every JSON reader keeps exactly.
	MaxSeq = 1<<53 - 1

	// RoomCacheAge is how long a sender may act on a room's former settings.
	RoomCacheAge = 5 * time.Second
	// RoomCacheSize bounds the rooms whose shards a process remembers; past it the cache
	// starts over, which costs one read a room and changes no answer: shards that a
	// message may be placed by are final.
	RoomCacheSize = 10_000
)

// LastRune sorts behind all others and means nothing. Names do not hold it, so that it can
// end a range of them.
const LastRune = '\U0010FFFF'
