package inbox

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Store stores read markers, and reads the data for lists of rooms. All methods return a
// *chat.Error of kind Unavailable if the store cannot answer at present.
//
// Reads are eventually consistent, so a write of the last second may be missing. Only FeedFrom,
// Message and consistent ranges are consistent.
type Store interface {
	FeedReader
	// PutReadMarker moves a person's marker in a room forward, never back. It returns the stored
	// marker, whose Receipt is set only if the marker's is. The stored Receipt never moves back
	// either: if the marker is behind it, only the marker moves. Preferences are not changed.
	PutReadMarker(ctx context.Context, marker ReadMarker) (stored ReadMarker, err error)
	// SetReadMarker moves a person's marker in a room forward or back. It changes neither its
	// Receipt nor its Preferences.
	SetReadMarker(ctx context.Context, marker ReadMarker) error
	// PutPreferences replaces a person's preferences about a room. The marker, which contains them,
	// stays where it is; without one, it is placed at the beginning of the feed.
	PutPreferences(ctx context.Context, of chat.MemberOf, p Preferences) error
	// ReadMarkers returns the existing markers of users in a room. users must not contain
	// duplicates.
	ReadMarkers(ctx context.Context, room chat.RoomID, users []chat.UserID) (map[chat.UserID]ReadMarker, error)
	// OwnRooms returns the Listed memberships of a person in the rooms of among, and their
	// markers. among is nil for all rooms, and must not contain duplicates.
	OwnRooms(
		ctx context.Context, user chat.UserID, among []chat.RoomID,
	) ([]chat.Membership, map[chat.RoomID]ReadMarker, error)
	// Summaries returns the summaries of rooms, in their order. rooms must not contain duplicates.
	Summaries(ctx context.Context, rooms []SummaryRequest) ([]Summary, error)
	// Message is as in chat.Store.
	Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error)
	// Messages is as in chat.Store.
	Messages(ctx context.Context, r chat.MessageRange) (messages []chat.Message, more bool, err error)
}

// FeedReader reads feeds.
type FeedReader interface {
	// CurrentFeedHead is as in feed.Store.
	CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error)
	// SegmentsFrom is as in feed.Store.
	SegmentsFrom(ctx context.Context, head feed.Head, seq int64, limit int) ([]feed.Segment, error)
	// FeedHeads returns the existing heads of rooms' feeds.
	FeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error)
	// SegmentsBack returns the segments whose first numbers are from first to last, newest first:
	// at most limit, and fewer if they are large. more reports whether the range may hold further
	// segments.
	SegmentsBack(ctx context.Context, r feed.SegmentRange) (segments []feed.Segment, more bool, err error)
}

// SummaryRequest requests the summary of a room.
type SummaryRequest struct {
	Room chat.RoomID
	// Newest is the newest message. Unless it is Known, the summary has no message.
	Newest feed.Newest
}

// Summary is a room's entry in a list. A field is nil if there is no such item. The Room of a
// deleted room is nil.
type Summary struct {
	Room    *chat.Room // only the metadata
	Message *chat.Message
}
