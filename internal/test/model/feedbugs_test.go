package model

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

type slipping struct{ store }

func (b slipping) PutReadMarker(ctx context.Context, m feed.ReadMarker) (feed.ReadMarker, error) {
	if _, err := b.store.PutReadMarker(ctx, m); err != nil {
		return feed.ReadMarker{}, err
	}
	return m, nil
}

type cutting struct{ store }

func (b cutting) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	if n := len(s.Changes); n > 2 {
		s.Changes = s.Changes[:n-1]
	}
	return b.store.AppendSegment(ctx, s)
}

type leaping struct {
	store
	n atomic.Int64 // rooms are told of side by side
}

func (b *leaping) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	if b.n.Add(1)%10 == 0 {
		return true, nil
	}
	return b.store.AppendSegment(ctx, s)
}

type blind struct{ store }

func (b blind) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	tail, head, err := b.store.FeedTail(ctx, room, after, since)
	for i, s := range tail {
		tail[i].CreatedFrom, tail[i].CreatedTo = s.CreatedTo.Add(time.Hour), s.CreatedTo.Add(time.Hour)
	}
	return tail, head, err
}

type deaf struct{ store }

func (b *deaf) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	_, err := b.store.AppendSegment(ctx, s)
	return true, err
}

type holed struct{ store }

func (b *holed) FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (feed.Head, []feed.Segment, error) {
	head, segments, err := b.store.FeedFrom(ctx, room, seq, limit)
	if len(segments) > 1 && len(segments[1].Changes) > 1 {
		segments = slices.Clone(segments)
		segments[1].First++
		segments[1].Changes = segments[1].Changes[1:]
	}
	return head, segments, err
}

type undying struct{ store }

func (b undying) FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (feed.Head, []feed.Segment, error) {
	head, segments, err := b.store.FeedFrom(ctx, room, seq, limit)
	for i := range segments {
		segments[i].Expires = time.Time{}
	}
	return head, segments, err
}

type reminiscent struct {
	store
	once map[chat.MessageID]chat.Message
}

func (b *reminiscent) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := b.store.MessagesByID(ctx, room, ids)
	for id, m := range maps.Clone(found) {
		if was, ok := b.once[id]; ok && was.Room == room {
			found[id] = was
		} else {
			b.once[id] = m
		}
	}
	return found, err
}

type rash struct{ store }

func (b rash) FeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, err := b.store.FeedHead(ctx, room)
	head.Settled = head.Last
	return head, err
}

type headless struct{ store }

func (b headless) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	tail, _, err := b.store.FeedTail(ctx, room, after, since)
	return tail, feed.Head{}, err
}
