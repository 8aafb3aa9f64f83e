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
	blocks Blocks
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
	Blocks   Blocks
	Mentions Mentions
	Clock    func() time.Time
}

// Blocks reads whom people have blocked.
type Blocks interface {
	// Blocked returns the people whom a user has blocked.
	Blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error)
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
