package thread

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Root identifies a thread by the message that its replies reply to.
type Root struct {
	Room chat.RoomID
	ID   chat.MessageID
}

// Reference is the row of a reply below its root. References of deleted replies stay, marked as
// deleted.
type Reference struct {
	Root       Root
	Reply      chat.MessageID
	ReceivedAt time.Time
	ShowInRoom bool
	Deleted    bool
}

// Follow is a person's relation to a thread: whether they follow it, and how far they have read. A
// person who only read it does not follow it.
type Follow struct {
	Root      Root
	User      chat.UserID
	Following bool
	Seq       int64 // the person has seen all replies up to this change of the room
}

// Range is a range of the replies to a message, by when they were received.
type Range struct {
	Root  Root
	Order chat.Order
	After *chat.Position // nil is the beginning
	Limit int            // the maximum number of replies, at least 1
}

// Store stores rows of threads. All methods return a *chat.Error of kind Unavailable if the store
// cannot answer at present.
type Store interface {
	Messages
	Follows
	Feeds
}

// Messages reads roots and replies. Ranges and lists are eventually consistent: a reply of about
// the last second may be missing, and a reply that the room lists appears once Projection has
// written its row.
type Messages interface {
	chat.MessageGetter
	// Replies returns the first replies of a range in order, including deleted ones, and whether
	// more follow. It returns at most r.Limit replies, fewer if they would exceed
	// chat.MaxPageBytes, but at least one if there is any.
	Replies(ctx context.Context, r Range) (replies []chat.Message, more bool, err error)
	// ThreadsOf lists the roots of a room's threads after a position, newest reply first, to the
	// minute: at most limit.
	ThreadsOf(
		ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
	) (roots []chat.MessageID, next chat.ListPosition, err error)
}

// Follows stores people's relations to threads.
type Follows interface {
	// PutFollow makes a person follow a thread, or not. A person without a marker gets f.Seq as
	// theirs.
	PutFollow(ctx context.Context, f Follow) error
	// PutThreadMarker moves a person's marker in a thread forward, never back. It returns the
	// stored row.
	PutThreadMarker(ctx context.Context, f Follow) (stored Follow, err error)
	// FollowsOf returns the threads that a person follows, in no order. It is eventually
	// consistent.
	FollowsOf(ctx context.Context, user chat.UserID) ([]Follow, error)
}

// Feeds reads the feeds of rooms.
type Feeds interface {
	// CurrentFeedHeads returns the existing heads of rooms' feeds. It is consistent.
	CurrentFeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error)
	// FeedBack returns the segments whose first numbers are within a range, newest first: at most
	// limit, and fewer if they are large. more reports whether the range may hold further
	// segments. It is eventually consistent.
	FeedBack(ctx context.Context, r SegmentRange) (segments []feed.Segment, more bool, err error)
}

// SegmentRange selects segments of a room's feed by their first numbers. Both ends are included.
type SegmentRange struct {
	Room        chat.RoomID
	First, Last int64
	Limit       int
}

// Rows stores the rows that follow from replies. Each write may be repeated.
type Rows interface {
	// PutReference puts the row of a reply unless there is one. A deleted reply's row replaces
	// it.
	PutReference(ctx context.Context, ref Reference) error
	// PutThread lists a thread in its room by the time of its newest reply. It never moves
	// back.
	PutThread(ctx context.Context, root Root, at time.Time) error
	// PutFollower makes a person follow a thread, unless they ever started or stopped following
	// it. A person without a marker gets f.Seq as theirs.
	PutFollower(ctx context.Context, f Follow) error
}
