package model

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

type truncatedBatches struct{ store }

func (b truncatedBatches) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	if n := len(s.Changes); n > 2 {
		s.Changes = s.Changes[:n-1]
	}
	return b.store.AppendSegment(ctx, s)
}

type unwrittenSegments struct {
	store
	n atomic.Int64 // rooms are written concurrently
}

func (b *unwrittenSegments) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	if b.n.Add(1)%10 == 0 {
		return true, nil
	}
	return b.store.AppendSegment(ctx, s)
}

type hiddenTails struct{ store }

func (b hiddenTails) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	tail, head, err := b.store.FeedTail(ctx, room, after, since)
	for i, s := range tail {
		tail[i].CreatedFrom, tail[i].CreatedTo = s.CreatedTo.Add(time.Hour), s.CreatedTo.Add(time.Hour)
	}
	return tail, head, err
}

type ignoredConflicts struct{ store }

func (b *ignoredConflicts) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	_, err := b.store.AppendSegment(ctx, s)
	return true, err
}

type missingChanges struct{ store }

func (b *missingChanges) SegmentsFrom(ctx context.Context, head feed.Head, seq int64, limit int) ([]feed.Segment, error) {
	segments, err := b.store.SegmentsFrom(ctx, head, seq, limit)
	if len(segments) > 1 && len(segments[1].Changes) > 1 {
		segments = slices.Clone(segments)
		segments[1].First++
		segments[1].Changes = segments[1].Changes[1:]
	}
	return segments, err
}

type ignoredExpiry struct{ store }

func (b ignoredExpiry) SegmentsFrom(ctx context.Context, head feed.Head, seq int64, limit int) ([]feed.Segment, error) {
	segments, err := b.store.SegmentsFrom(ctx, head, seq, limit)
	for i := range segments {
		segments[i].Expires = time.Time{}
	}
	return segments, err
}

type staleChanges struct {
	store
	first firstMessages
}

func (b *staleChanges) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := b.store.MessagesByID(ctx, room, ids)
	for id, m := range found {
		found[id] = b.first.of(m)
	}
	return found, err
}

func (b *staleChanges) MessagesWithin(ctx context.Context, span chat.MessageRange, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := b.store.MessagesWithin(ctx, span, ids)
	for id, m := range found {
		found[id] = b.first.of(m)
	}
	return found, err
}

type earlyPositions struct{ store }

func (b earlyPositions) CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, err := b.store.CurrentFeedHead(ctx, room)
	head.Settled = head.Last
	return head, err
}

type lostHeads struct{ store }

func (b lostHeads) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	tail, _, err := b.store.FeedTail(ctx, room, after, since)
	return tail, feed.Head{}, err
}

type forgottenMerges struct{ store }

func (b forgottenMerges) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	s.Merged = nil
	return b.store.AppendSegment(ctx, s)
}

type mergedPeople struct{ store }

func (b mergedPeople) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	for i, c := range s.Changes[:len(s.Changes)-1] {
		if next := s.Changes[i+1]; c.Type == feed.MemberChanged && next.Type == feed.MemberChanged {
			s.Changes = slices.Delete(slices.Clone(s.Changes), i, i+1)
			break
		}
	}
	return b.store.AppendSegment(ctx, s)
}
