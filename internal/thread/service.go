// Package thread lists the replies to messages and the threads of rooms and people. It stores who
// follows which thread and how far they have read.
//
// A reply is a message, which package chat posts. All rows below its root follow from the feed:
// Projection writes them.
package thread

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
)

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

// Service reads threads for people, and stores which ones they follow. It is safe for concurrent
// use.
type Service struct {
	store    Store
	source   Source
	rooms    *chat.Service
	readable chat.MessageReader // rooms may be out of date
	blocks   chat.Blocks
}

// NewService returns a service.
func NewService(t *dynamo.Table, source Source, rooms *chat.Service, blocks chat.Blocks) *Service {
	return &Service{
		store: NewStore(t), source: source, rooms: rooms,
		readable: chat.MessageReader{Authorize: rooms.AuthorizeRecent, Source: source},
		blocks:   blocks,
	}
}

// Thread is a thread with its reader's state.
type Thread struct {
	Root   chat.Message // in its current state
	Seq    int64        // the reader has seen all replies up to this change of the room
	Unread int64        // replies after Seq, at most MaxUnread

	Following bool // whether the reader follows it
}

// root returns the message at the root of a thread in a room that the caller may read.
//
// The error is NotFound if the message does not exist, and Invalid if it is a reply itself.
// Otherwise it is as for Authorize.
func (s *Service) root(ctx context.Context, caller chat.UserID, of Root) (chat.Message, error) {
	if _, err := s.rooms.Authorize(ctx, caller, of.Room, policy.Read); err != nil {
		return chat.Message{}, err
	}
	m, err := s.source.Message(ctx, of.Room, of.ID)
	if err == nil && m.IsReply() {
		err = chat.Invalidf("id", "must not be of a reply; the root of its thread is %s", m.Thread)
	}
	if err != nil {
		return chat.Message{}, err
	}
	return m, nil
}

// head returns the number of the newest change of a room. The error is NotFound if the room is
// deleted.
func (s *Service) head(ctx context.Context, room chat.RoomID) (int64, error) {
	heads, err := s.source.CurrentFeedHeads(ctx, []chat.RoomID{room})
	if err == nil && heads[room].Closed {
		err = chat.NoSuchRoom()
	}
	return heads[room].Last, err
}

// Follow makes the caller follow a thread, or permanently stop following it: a later reply of
// theirs changes nothing. It may be repeated. A newly followed thread counts as read up to now.
//
// The error is NotFound if the message does not exist, and Invalid if it is a reply. Otherwise it
// is as for Authorize.
func (s *Service) Follow(ctx context.Context, caller chat.UserID, of Root, following bool) error {
	if _, err := s.root(ctx, caller, of); err != nil {
		return err
	}
	seq, err := s.head(ctx, of.Room)
	if err != nil {
		return err
	}
	return s.store.PutFollow(ctx, Follow{Root: of, User: caller, Following: following, Seq: seq})
}

// MarkRead records that the caller has seen all replies of a thread up to a change of the room. A
// marker never moves back: for a lower seq, the answer has the current marker.
//
// The error is Invalid if seq is negative or beyond the head, and otherwise as for Follow.
func (s *Service) MarkRead(ctx context.Context, caller chat.UserID, of Root, seq int64) (Thread, error) {
	if seq < 0 || seq > chat.MaxSeq {
		return Thread{}, chat.Invalidf("seq", "must be 0 to %d", int64(chat.MaxSeq))
	}
	root, err := s.root(ctx, caller, of)
	if err != nil {
		return Thread{}, err
	}
	last, err := s.head(ctx, of.Room)
	if err != nil {
		return Thread{}, err
	}
	if seq > last {
		return Thread{}, chat.Invalidf("seq", "must be at most the head of the room's changes")
	}
	stored, err := s.store.PutMarker(ctx, Follow{Root: of, User: caller, Seq: seq})
	if err != nil {
		return Thread{}, err
	}
	t := Thread{Root: root, Seq: stored.Seq, Following: stored.Following}
	unread, err := s.unread(ctx, caller, map[chat.RoomID]*count{of.Room: newCount(last, stored)})
	t.Unread = unread[of]
	return t, err
}
