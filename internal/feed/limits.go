package feed

import "time"

const (
	// MaxSegmentChanges bounds the changes of a segment. At 100 bytes or less per change, a
	// segment stays within 100 KB. A batch of the stream holds no more records than this, so it
	// becomes one segment for each room.
	MaxSegmentChanges = 1000
	// MaxChangeKey bounds the Key of an unknown change, in bytes.
	MaxChangeKey = 80
	// MaxChangePayload bounds the entry of a framed change without its type and user. It keeps a
	// full segment of such entries well below the 400 KB of an item.
	MaxChangePayload = 128
	// GenerationGap is how far sequence numbers jump when a feed begins a new generation. No feed
	// appends this many changes between a backup and its restore, so no number of an older
	// generation is one of the new generation.
	GenerationGap = 1_000_000_000
	// IndexLag is the assumed lag of an index, or of an eventually consistent read, behind the
	// table. The usual lag is less than a second, but DynamoDB promises no bound.
	IndexLag = 10 * time.Second
	// maxBeside is how long after the beginning of a listing the head may be read for its
	// position. Clocks differ, so a head that was written meanwhile may seem older. The position
	// is then ahead by at most this time, a tenth of IndexLag.
	maxBeside = time.Second
	// DefaultRetention is how long segments are stored. A client that was away for three months
	// catches up; a client that was away longer starts over.
	DefaultRetention = 90 * 24 * time.Hour
	// messagesPerRead is the number of messages that one consistent read of a page requests: as
	// many as one call can return. Messages of 2 KB or less all fit in the page.
	messagesPerRead = 100
	// receiptMargin bounds the usual time between the receipt of a message and the time of its
	// change, including the difference of their clocks. It affects only how messages are read: a
	// message received earlier or later is read by its key.
	receiptMargin = 250 * time.Millisecond
	// createdUnit is the resolution of the times of changes, which the stream rounds down.
	createdUnit = time.Second
)
