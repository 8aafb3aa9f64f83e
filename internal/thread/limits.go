package thread

import "time"

const (
	// MaxUnread bounds a count of unread replies. A count of MaxUnread means this many or more:
	// nobody reads a larger number.
	MaxUnread = 1000
	// maxScanned bounds the changes of a room that one answer reads to count unread replies: 36 KB
	// in a busy room and 600 KB in a quiet one. Replies before them count as read.
	maxScanned = 2000
	// segmentsAtOnce is the number of segments that one query reads: 30 KB in a quiet room, where
	// each holds one change.
	segmentsAtOnce = 100
	// readsAtOnce bounds the concurrent reads for one list.
	readsAtOnce = 16
	// clockSkew is how far the clocks of functions and of the stream may differ.
	clockSkew = time.Minute
)
