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
	// MaxTitle and MaxState bound a person's title and state, in bytes: they
	// are keys, and a line in a list.
	MaxTitle = 100
	MaxState = 64
	// MaxFormer bounds the former titles that are kept of a person: more than a working
	// life has, and all facts together still fit one transaction of 100 items.
	MaxFormer = 20
	// MinHiredYear is before anyone who can sign in was hired.
	MinHiredYear = 1900
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
	// MaxDocumentID bounds the ids of documents and of their parts, as those of rooms.
	MaxDocumentID = 64
	// MaxVersion is the last version of a part: nobody saves so often, and a
	// number of nine digits is an int everywhere.
	MaxVersion = 999_999_999
	// MaxEdits and MaxKept bound how often a message is edited, and the bytes of
	// text in all its versions. A deletion takes the text out of every one in a
	// single transaction: that holds 100 items, and its writes, two units for each KB, must stay
	// below the 1,000 a second of the one partition that the versions are in.
	MaxEdits = 90
	MaxKept  = 8 * MaxText
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
	// maxChangeTries bounds how often a change is made anew because
	// somebody else's came first.
	maxChangeTries = 4
	// busyRetryAfter is when to come back after that.
	busyRetryAfter = time.Second

	// MaxDeviceID bounds a device id: room for a UUID and a word.
	MaxDeviceID = 64
	// MaxEvents bounds a batch of events: each is a write of its own or two, and takes
	// a token of its sender's; all together must fit a function's time.
	MaxEvents = 25
	// MaxEventType bounds an event's type, a word or two.
	MaxEventType = 32
	// MaxEventDetail bounds what else an event says, in bytes: with it an
	// entry costs one or two write units.
	MaxEventDetail = 1000
	// LogStep is the precision of a log's times, and how far an entry moves
	// on from an instant that is taken.
	LogStep = time.Microsecond
	// MaxPerInstant bounds how many microseconds in a row hold what happened at one
	// instant: whoever looks for a free one reads them all.
	MaxPerInstant = 100
	// MaxAppendPuts bounds the writes of one entry. Two are enough but for those who write at
	// the same instant at the same moment: more than a room has moderators at work.
	MaxAppendPuts = 16
	// DefaultLogLife is how long log entries are kept: long enough to look
	// into a complaint, short enough to be no archive of people's habits.
	DefaultLogLife = 30 * 24 * time.Hour

	// MaxSegmentChanges bounds a segment of the feed: at most 100 bytes a change keep it
	// within 100 KB, and a stream batch, which holds at most so many, is one segment a room.
	MaxSegmentChanges = 1000
	// MaxChangeKey bounds what is told of a change that could not be read.
	MaxChangeKey = 80
	// MaxChangePayload bounds the entry of a framed change without its type and user: as much as
	// keeps a full segment of them well below the 400 KB of an item.
	MaxChangePayload = 128
	// MaxSeq is the last sequence number: the largest that every JSON reader keeps exactly.
	MaxSeq = 1<<53 - 1
	// GenerationGap is how far numbers jump when a feed begins a new generation: further than a feed can
	// have gone on before its table was restored to an older state, so that
	// no position of then is one of now.
	GenerationGap = 1_000_000_000
	// IndexLag is longer than the index, or an eventually consistent read, is ever behind the
	// table: it is behind for less than a second, but nothing promises that.
	IndexLag = 10 * time.Second
	// DefaultFeedLife is how long segments are kept: a client that was away for
	// three months catches up, one that was away longer begins anew.
	DefaultFeedLife = 90 * 24 * time.Hour
	// recallBatch is how many messages surely fit in a page of changes, so that
	// none is read in vain unless it was edited often.
	recallBatch = 25

	// RoomCacheAge is how long a sender may act on a room's former settings.
	RoomCacheAge = 5 * time.Second
	// RoomCacheSize bounds the rooms whose shards a process remembers; past it the cache
	// starts over, which costs one read a room and changes no answer: shards that a
	// message may be placed by are final.
	RoomCacheSize = 10_000
)
