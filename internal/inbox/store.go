package inbox

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// Source reads messages, and the feeds of rooms. Reads are eventually consistent, so a write of the
// last second may be missing. Only CurrentFeedHead, SegmentsFrom, Message and consistent ranges are
// consistent.
type Source interface {
	// Message is as in chat.Store.
	Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error)
	// Messages is as in chat.Store.
	Messages(ctx context.Context, r chat.MessageRange) (messages []chat.Message, more bool, err error)
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

// Store reads and writes read markers, and reads the data for lists of rooms. It checks no rights.
// All methods return a *chat.Error of kind Unavailable if the table cannot answer at present. Reads
// are eventually consistent.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the markers in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// PutReadMarker moves a person's marker in a room forward, never back. It returns the stored
// marker, whose Receipt is set only if the marker's is. The stored Receipt never moves back either:
// if the marker is behind it, only the marker moves. Preferences are not changed.
//
// It is one conditional update: 1 write unit. A second one follows if the marker is between the
// existing one and its receipt.
func (s Store) PutReadMarker(ctx context.Context, m ReadMarker) (stored ReadMarker, err error) {
	const op = "put read marker"
	for {
		item, failed, err := s.table.UpdateItem(ctx, op, table.ReadMarkerKey(m.Room, m.User), MarkerUpdate(m))
		if err != nil || !failed {
			return m, err
		}
		existing, _, err := dynamo.ParseItem(op, item, nil, ParseMarker)
		if err != nil || existing.Seq >= m.Seq || m.Receipt == (Receipt{}) {
			return existing, err
		}
		m.Receipt = Receipt{}
	}
}

// SetReadMarker moves a person's marker in a room forward or back. It changes neither its Receipt
// nor its Preferences. It is one update: 1 write unit.
func (s Store) SetReadMarker(ctx context.Context, m ReadMarker) error {
	_, _, err := s.table.UpdateItem(ctx, "set read marker", table.ReadMarkerKey(m.Room, m.User), markerMove(m))
	return err
}

// PutPreferences replaces a person's preferences about a room. The marker, which contains them,
// stays where it is; without one, it is placed at the beginning of the feed. It is one update: 1
// write unit.
func (s Store) PutPreferences(ctx context.Context, of chat.MemberOf, p Preferences) error {
	_, _, err := s.table.UpdateItem(
		ctx, "put preferences", table.ReadMarkerKey(of.Room, of.User), preferencesUpdate(p),
	)
	return err
}

// ReadMarkers returns the existing markers of users in a room. users must not contain duplicates.
// It is one eventual batch read for every 100 users: half a read unit each, even for users without
// a marker.
func (s Store) ReadMarkers(
	ctx context.Context, room chat.RoomID, users []chat.UserID,
) (map[chat.UserID]ReadMarker, error) {
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = table.ReadMarkerKey(room, user)
	}
	all, err := existing(ctx, s.table, "read markers", keys, ParseMarker)
	markers := make(map[chat.UserID]ReadMarker, len(all))
	for _, m := range all {
		markers[m.User] = m
	}
	return markers, err
}

// OwnRooms returns the Listed memberships of a person in the rooms of among, and their markers.
// among is nil for all rooms, and must not contain duplicates.
//
// All rooms are two concurrent eventual queries: half a read unit for every 4 KB of memberships,
// and of markers. With 30 of each that is 2 units. Some rooms are two concurrent eventual batch
// reads: 1 unit for each room.
func (s Store) OwnRooms(
	ctx context.Context, user chat.UserID, among []chat.RoomID,
) ([]chat.Membership, map[chat.RoomID]ReadMarker, error) {
	var memberships []chat.Membership
	var markers []ReadMarker
	of := ownRooms{user, among}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		memberships, err = ownItems(ctx, s.table, of, table.MemberSK, table.ParseMember)
		return err
	})
	both.Go(func() (err error) {
		markers, err = ownItems(ctx, s.table, of, table.ReadSK, ParseMarker)
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, nil, err
	}
	byRoom := make(map[chat.RoomID]ReadMarker, len(markers))
	for _, m := range markers {
		byRoom[m.Room] = m
	}
	return memberships, byRoom, nil
}

// ownRooms selects a person's items about rooms: about all if among is nil.
type ownRooms struct {
	user  chat.UserID
	among []chat.RoomID
}

// ownItems reads the existing items of one kind that a person has about rooms.
func ownItems[T any](
	ctx context.Context, t *dynamo.Table, of ownRooms, sortKey func(chat.RoomID) string,
	parse func(table.Item) (T, error),
) ([]T, error) {
	if of.among == nil {
		return dynamo.OwnItems(ctx, t, of.user, sortKey(""), parse)
	}
	keys := make([]table.Item, len(of.among))
	for i, room := range of.among {
		keys[i] = table.Key(table.PersonPK(of.user), sortKey(room))
	}
	return existing(ctx, t, "read own items", keys, parse)
}

// existing reads the existing ones of items with an eventual batch read.
func existing[T any](
	ctx context.Context, t *dynamo.Table, op string, keys []table.Item, parse func(table.Item) (T, error),
) ([]T, error) {
	items, err := t.BatchGet(ctx, op, keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	var all []T
	for _, item := range items {
		v, found, err := dynamo.ParseItem(op, item, nil, parse)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, v)
		}
	}
	return all, nil
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

// Summaries returns the summaries of rooms, in their order. rooms must not contain duplicates. It
// is one eventual batch read for every 100 items, all concurrent: half a read unit for each room,
// and half a unit for every 4 KB of each message.
func (s Store) Summaries(ctx context.Context, rooms []SummaryRequest) ([]Summary, error) {
	const op = "read summaries"
	keys := make([]table.Item, 0, 2*len(rooms))
	for _, r := range rooms {
		keys = append(keys, table.MetadataKey(r.Room))
	}
	for _, r := range rooms {
		if r.Newest.Known() {
			keys = append(keys, table.MessageKey(r.Room, r.Newest.Shard-1, r.Newest.Message))
		}
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	summaries := make([]Summary, len(rooms))
	messages := items[len(rooms):]
	for i, r := range rooms {
		room, found, err := dynamo.ParseItem(op, items[i], nil, table.ParseMetadata)
		if err != nil {
			return nil, err
		}
		if found && !room.Deleted {
			summaries[i].Room = &room
		}
		if !r.Newest.Known() {
			continue
		}
		message, found, err := dynamo.ParseItem(op, messages[0], nil, table.ParseMessage)
		if err != nil {
			return nil, err
		}
		if found {
			summaries[i].Message = &message
		}
		messages = messages[1:]
	}
	return summaries, nil
}
