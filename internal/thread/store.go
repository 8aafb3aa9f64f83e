package thread

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
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

// Messages reads roots and replies. Ranges and lists are eventually consistent: a reply of about
// the last second may be missing, and a reply that the room lists appears once Projection has
// written its row.
type Messages interface {
	chat.MessageGetter
	// Replies returns the first replies of a range in order, including deleted ones, and whether
	// more follow. It returns at most r.Limit replies, fewer if they would exceed
	// chat.MaxPageBytes, but at least one if there is any.
	Replies(ctx context.Context, r chat.ReplyRange) (replies []chat.Message, more bool, err error)
	// ThreadsOf lists the roots of a room's threads after a position, newest reply first, to the
	// minute: at most limit.
	ThreadsOf(
		ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
	) (roots []chat.MessageID, next chat.ListPosition, err error)
}

// Source reads the messages and the feeds of rooms.
type Source interface {
	Messages
	// CurrentFeedHeads returns the existing heads of rooms' feeds. It is consistent.
	CurrentFeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error)
	// SegmentsBack is as in inbox.Store.
	SegmentsBack(ctx context.Context, r feed.SegmentRange) (segments []feed.Segment, more bool, err error)
}

// Store reads and writes the rows that follow from replies, and people's relations to threads. It
// checks no rights. All methods return a *chat.Error of kind Unavailable if the table cannot answer
// at present. Each write may be repeated.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the threads in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// PutFollow makes a person follow a thread, or not. A person without a marker gets f.Seq as theirs.
// It is one update: 1 write unit, and another for the index when it begins or ends.
func (s Store) PutFollow(ctx context.Context, f Follow) error {
	_, _, err := s.table.UpdateItem(ctx, "put follow", f.Key(), FollowUpdate(f))
	return err
}

// PutMarker moves a person's marker in a thread forward, never back. It returns the stored row. It
// is one conditional update: 1 write unit, and another for the index of a thread that the person
// follows.
func (s Store) PutMarker(ctx context.Context, f Follow) (stored Follow, err error) {
	const op = "put thread marker"
	before, failed, err := s.table.ReplaceItem(ctx, op, f.Key(), markerUpdate(f))
	if err != nil || table.KindOf(before) == "" {
		return f, err // an engine may return the keys of a new item
	}
	stored, _, err = dynamo.ParseItem(op, before, nil, ParseFollow)
	if !failed {
		stored.Seq = f.Seq
	}
	return stored, err
}

// FollowsOf returns the threads that a person follows, in no order. Changes of about the last
// second may be missing. It is one eventual query: half a read unit for every 4 KB, which holds
// some 20 threads.
func (s Store) FollowsOf(ctx context.Context, user chat.UserID) ([]Follow, error) {
	all, err := dynamo.OwnItems(ctx, s.table, user, table.FollowPrefix(""), ParseFollow)
	return slices.DeleteFunc(all, func(f Follow) bool { return !f.Following }), err
}

// PutReference puts the row of a reply unless there is one. A deleted reply's row replaces it. It
// is one conditional update: 1 write unit, and another in the index for a reply that the room
// lists.
func (s Store) PutReference(ctx context.Context, ref Reference) error {
	return s.table.UpdateBlindly(ctx, "put reference", ref.Key(), ReferenceUpdate(ref))
}

// PutThread lists a thread in its room by the time of its newest reply. It never moves back. It is
// one conditional update. In a new minute it costs 2 write units, one of them for the index;
// otherwise its condition fails, for 1.
func (s Store) PutThread(ctx context.Context, root Root, at time.Time) error {
	return s.table.UpdateBlindly(ctx, "put thread", table.ThreadKey(root.Room, root.ID), Update(root, at))
}

// PutFollower makes a person follow a thread, unless they ever started or stopped following it. A
// person without a marker gets f.Seq as theirs. It reads the row: half a read unit. A new follower
// is one conditional update of 2 write units, one of them for the index.
func (s Store) PutFollower(ctx context.Context, f Follow) error {
	const op = "put follower"
	item, err := s.table.GetItem(ctx, op, f.Key(), dynamo.Eventual)
	if err != nil || decided(item) {
		return err
	}
	return s.table.UpdateBlindly(ctx, op, f.Key(), followerUpdate(f))
}
