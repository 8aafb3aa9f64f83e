package inbox

import "time"

const (
	// MaxUnread bounds a count of unread messages. A count of MaxUnread means this many or more:
	// nobody reads a larger number, and each counted change is read.
	MaxUnread = 1000
	// maxScanned bounds the changes that one count reads, when few of them are unread messages.
	// The rest is the difference of the feed's counts.
	maxScanned = 5000
	// segmentsAtOnce is the number of segments that one query reads: 30 KB in a quiet room, where
	// each holds one change.
	segmentsAtOnce = 100
	// segmentsFirst is the number in the first query of a room with MaxUnread messages to count.
	// They may all be in one segment.
	segmentsFirst = 8
	// newestChanges is the number of newest changes in which one query finds a message. They are
	// in at most as many segments: 350 KB in a quiet room.
	newestChanges = 1000
	// maxFeedDelay bounds how late a change gets into the feed: the stream keeps it for a day. An
	// older message that is not in the feed has left it.
	maxFeedDelay = 25 * time.Hour
	// maxClockSkew bounds how far the clock of the process that writes a segment is behind the
	// clocks of processes that receive messages.
	maxClockSkew = 5 * time.Second
	// maxListed bounds the rooms of a list: a head is read for each, 2,500 read units in all, which
	// a person may read in 13 seconds.
	maxListed = 5000
	// readsAtOnce bounds the concurrent reads for one list.
	readsAtOnce = 16
)
