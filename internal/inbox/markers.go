package inbox

import (
	"cmp"
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// ReadMarker is how far a person has read in a room, as stored.
type ReadMarker struct {
	Room chat.RoomID
	User chat.UserID
	Seq  int64 // the person has seen all changes up to this one
	// Count is the number of messages created in the room up to Seq.
	Count       int64
	Receipt     Receipt
	Preferences Preferences
}

// Receipt is the last message that a person marked as read. Marking messages as unread does not
// change it.
type Receipt struct {
	Message chat.MessageID
	At      time.Time // when the person marked it
	Seq     int64     // the number that the marker had
}

// Reading is how far a person has read in a room, and how much is unread.
type Reading struct {
	Seq    int64 // the person has seen all changes up to this one; 0 means none
	Unread int64 // messages created after Seq, at most MaxUnread; see Service.RoomsOf
	// Mentions is the number of messages after Seq that mention the person; see Mentions.
	Mentions int64
}

// MarkRead records that the caller has seen all changes of a room up to seq. A marker never moves
// back: for a lower seq, MarkRead returns the current marker.
//
// The error is Invalid if seq is negative or beyond the head, and otherwise as for the method
// Authorize of chat.Authorizer.
func (s *Service) MarkRead(ctx context.Context, caller chat.UserID, room chat.RoomID, seq int64) (Reading, error) {
	if seq < 0 || seq > chat.MaxSeq {
		return Reading{}, chat.Invalidf("seq", "must be 0 to %d", int64(chat.MaxSeq))
	}
	a, head, segment, err := s.readableSegment(ctx, caller, room, seq)
	if err != nil {
		return Reading{}, err
	}
	at := place{seq: seq}
	var last chat.MessageID
	if segment.First > 0 {
		// If the segment of seq was removed, this is the count before the first remaining segment.
		at.count, last = segment.CountAt(seq), lastCreated(segment, seq)
	}
	switch {
	case seq > head.Last:
		return Reading{}, chat.Invalidf("seq", "must be at most the head of the room's changes")
	case seq == head.Last:
		at.count = head.Count // correct even if all segments have expired
		if last == (chat.MessageID{}) && head.Newest.Known() {
			last = head.Newest.Message
		}
	}
	return s.forward(ctx, a.Membership, ReadMarker{Room: room, User: caller, Seq: at.seq, Count: at.count}, last, head)
}

// readableSegment returns the head of a feed that the caller may read, and the segment that holds
// seq. If that segment was removed, it returns the next one, or else the last one before it, or
// the zero Segment. It reads both concurrently with the access check. Callers who may not know
// about the room thus make the same calls.
func (s *Service) readableSegment(
	ctx context.Context, caller chat.UserID, room chat.RoomID, seq int64,
) (a chat.Access, head feed.Head, segment feed.Segment, err error) {
	var headErr, segmentErr error
	var segments []feed.Segment
	var all sync.WaitGroup
	all.Go(func() { head, headErr = s.source.CurrentFeedHead(ctx, room) })
	all.Go(func() {
		segments, _, segmentErr = s.source.SegmentsBack(
			ctx, feed.SegmentRange{Room: room, Last: seq, Limit: 1, Consistent: true},
		)
	})
	a, err = s.rooms.Authorize(ctx, caller, room, policy.Read)
	all.Wait()
	if err = cmp.Or(err, headErr, segmentErr); err != nil {
		return a, head, segment, err
	}
	if seq <= head.Last && (len(segments) == 0 || segments[0].Last() < seq) { // removed, or written since
		if segments, err = s.source.SegmentsFrom(ctx, head, seq, 1); err != nil {
			return a, head, segment, err
		}
	}
	if len(segments) > 0 && seq > 0 {
		segment = segments[0]
	}
	return a, head, segment, nil
}

// lastCreated returns the last message that a segment created up to a number. It is zero if there
// is none, or if the segment does not contain the number because the number's segment has expired.
func lastCreated(s feed.Segment, seq int64) (last chat.MessageID) {
	if seq > s.Last() {
		return last
	}
	for i, c := range s.Changes {
		if c.CreatesInRoom() && s.First+int64(i) <= seq {
			last = c.Message
		}
	}
	return last
}

// MarkMessage records that the caller has seen all changes of a room up to the creation of a
// message, like MarkRead. A message that is not yet in the feed counts as the head.
//
// The error is NotFound if the message does not exist. It is Invalid if the feed no longer has the
// message's creation, and otherwise as for the method Authorize of chat.Authorizer.
func (s *Service) MarkMessage(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID,
) (Reading, error) {
	a, l, err := s.find(ctx, caller, room, id)
	if err != nil {
		return Reading{}, err
	}
	return s.forward(
		ctx, a.Membership, ReadMarker{Room: room, User: caller, Seq: l.after.seq, Count: l.after.count}, id, l.head,
	)
}

// MarkUnread places the caller's marker directly before the creation of a message, which marks it
// and all later messages as unread. A marker moves back in no other way. The error is as for
// MarkMessage.
func (s *Service) MarkUnread(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID,
) (Reading, error) {
	a, l, err := s.find(ctx, caller, room, id)
	if err != nil {
		return Reading{}, err
	}
	marker := ReadMarker{Room: room, User: caller, Seq: l.before.seq, Count: l.before.count}
	if err := s.store.SetReadMarker(ctx, marker); err != nil {
		return Reading{}, err
	}
	return s.reading(ctx, l.head, marker, a.Membership)
}

// find locates a message for a caller who may read its room.
func (s *Service) find(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID,
) (chat.Access, location, error) {
	a, err := s.rooms.Authorize(ctx, caller, room, policy.Read)
	if err != nil {
		return chat.Access{}, location{}, err
	}
	l, err := s.locate(ctx, room, id)
	return a, l, err
}

// forward moves a marker forward. Its receipt is the last message before it, if known.
func (s *Service) forward(
	ctx context.Context, m chat.Membership, marker ReadMarker, last chat.MessageID, head feed.Head,
) (Reading, error) {
	if last != (chat.MessageID{}) {
		marker.Receipt = Receipt{Message: last, At: chat.ServerTime(s.clock()), Seq: marker.Seq}
	}
	stored, err := s.store.PutReadMarker(ctx, marker)
	if err != nil {
		return Reading{}, err
	}
	return s.reading(ctx, head, stored, m)
}

// Receipts returns the last message that each of some users marked as read in a room; users who
// never did have none. The caller must have authorized the reader. It consumes half a read unit
// per user.
func (s *Service) Receipts(
	ctx context.Context, room chat.RoomID, users []chat.UserID,
) (map[chat.UserID]Receipt, error) {
	markers, err := s.store.ReadMarkers(ctx, room, users)
	if err != nil {
		return nil, err
	}
	receipts := map[chat.UserID]Receipt{}
	for user, m := range markers {
		if m.Receipt != (Receipt{}) {
			receipts[user] = m.Receipt
		}
	}
	return receipts, nil
}

// MarkersOf returns the markers of a person in rooms, which they need not be in. rooms must not
// contain duplicates. It consumes half a read unit per room.
func (s *Service) MarkersOf(
	ctx context.Context, user chat.UserID, rooms []chat.RoomID,
) (map[chat.RoomID]ReadMarker, error) {
	markers := make([]ReadMarker, len(rooms))
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for i, room := range rooms {
		reads.Go(func() error {
			found, err := s.store.ReadMarkers(inner, room, []chat.UserID{user})
			markers[i] = found[user]
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	byRoom := make(map[chat.RoomID]ReadMarker, len(rooms))
	for i, room := range rooms {
		byRoom[room] = markers[i]
	}
	return byRoom, nil
}

// ReadingOf returns how far a person has read in a room that they may see. The result is not ok if
// the person is not in the room. It reads the marker and the head of the feed, and segments only
// if there are messages after the marker.
func (s *Service) ReadingOf(ctx context.Context, a chat.Access) (r Reading, ok bool, err error) {
	m := a.Membership.At(s.clock())
	if !m.In() {
		return Reading{}, false, nil
	}
	var markers map[chat.UserID]ReadMarker
	var heads map[chat.RoomID]feed.Head
	both, inner := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		markers, err = s.store.ReadMarkers(inner, m.Room, []chat.UserID{m.User})
		return err
	})
	both.Go(func() (err error) { heads, err = s.source.FeedHeads(inner, []chat.RoomID{m.Room}); return err })
	if err := both.Wait(); err != nil {
		return Reading{}, false, err
	}
	marker := markers[m.User]
	marker.User = m.User // even without a marker
	r, err = s.reading(ctx, heads[m.Room], marker, m)
	return r, err == nil, err
}

// reading returns how far a person has read, by their marker in a feed and the membership in
// effect: a stranger whose mute has expired joined at no number.
func (s *Service) reading(ctx context.Context, head feed.Head, marker ReadMarker, m chat.Membership) (Reading, error) {
	m = m.At(s.clock())
	r := Reading{Seq: marker.Seq}
	seen := seenBy(marker, m)
	if head.Last <= marker.Seq && head.Count <= seen.count {
		return r, nil
	}
	by := &reader{user: marker.User}
	var err error
	if by.blocked, err = s.blocked(ctx, marker.User); err != nil {
		return Reading{}, err
	}
	both, inner := errgroup.WithContext(ctx)
	both.Go(func() (err error) { r.Mentions, err = s.unreadMentions(inner, head, marker, m); return err })
	if head.Count > seen.count {
		both.Go(func() (err error) { r.Unread, err = s.unread(inner, by, head, seen); return err })
	}
	err = both.Wait()
	return r, err
}
