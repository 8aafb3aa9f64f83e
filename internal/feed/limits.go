package feed

import "time"

const (
	// MaxSegmentChanges bounds a segment of the feed: at most 100 bytes a change keep it within 100
	// KB, and a stream batch, which holds at most so many, is one segment a room.
	MaxSegmentChanges = 1000
	// MaxChangeKey bounds what is told of a change that could not be read.
	MaxChangeKey = 80
	// MaxChangePayload bounds the entry of a framed change without its type and user: as much as
	// keeps a full segment of them well below the 400 KB of an item.
	MaxChangePayload = 128
	// GenerationGap is how far numbers jump when a feed begins a new generation: further than a
	// feed can have gone on before its table was restored to an older state, so that no position of
	// then is one of now.
	GenerationGap = 1_000_000_000
	// IndexLag is longer than the index, or an eventually consistent read, is ever behind the
	// table: it is behind for less than a second, but nothing promises that.
	IndexLag = 10 * time.Second
	// DefaultRetention is how long segments are kept: a client that was away for three months
	// catches up, one that was away longer begins anew.
	DefaultRetention = 90 * 24 * time.Hour
	// recallBatch is how many messages surely fit in a page of changes, so that none is read in
	// vain unless it was edited often.
	recallBatch = 25
)
