// Package inbox serves one person's state: their rooms, how far they have read in each, and how
// much is unread. It reads the feeds of rooms and never writes them.
package inbox

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Service lists the rooms of people and maintains their read markers. It is safe for concurrent
// use.
type Service struct {
	store  Store
	source Source
	rooms  *chat.Service
	blocks chat.Blocks
	// mentions is nil if nothing counts them.
	mentions Mentions
	clock    func() time.Time
}

// Mentions counts unread mentions.
type Mentions interface {
	// UnreadMentions returns the number of messages after a number of the room's feed that mention
	// a person, or everyone since the person joined.
	UnreadMentions(ctx context.Context, of chat.MemberOf, after int64, joined time.Time) (int64, error)
}

// Options are the settings of a Service. Without Blocks nobody is blocked, and without Mentions no
// mentions count.
type Options struct {
	Store    Store
	Source   Source
	Rooms    *chat.Service
	Blocks   chat.Blocks
	Mentions Mentions
	Clock    func() time.Time
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: o.Store, source: o.Source, rooms: o.Rooms, blocks: o.Blocks, mentions: o.Mentions, clock: o.Clock,
	}
}

// unreadMentions returns the number of unread mentions of a member, by their marker. It reads
// nothing if they have read up to the head of the feed.
func (s *Service) unreadMentions(
	ctx context.Context, head feed.Head, marker ReadMarker, m chat.Membership,
) (int64, error) {
	if s.mentions == nil || !m.In() || head.Last <= marker.Seq {
		return 0, nil
	}
	return s.mentions.UnreadMentions(ctx, chat.MemberOf{Room: m.Room, User: m.User}, marker.Seq, m.JoinedAt)
}

// blocked returns the people whom a user has blocked.
func (s *Service) blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error) {
	if s.blocks == nil {
		return nil, nil
	}
	return s.blocks.Blocked(ctx, user)
}

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
