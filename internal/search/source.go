package search

import (
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// none is the bound of a room that was searched to its end.
const none = math.MinInt64

// source is a room that is searched, newest messages first: the recent documents of its index, its
// blocks, and the past.
type source struct {
	head   feed.Head
	opened bool         // the newest messages were searched
	access *chat.Access // nil until the caller was authorized
	denied bool         // the caller may not read the room
	index  *index       // nil until it was read
	behind *index       // which lacks the last changes, because the budget became empty
	recent int          // the documents of index.recent that were not searched yet, the oldest
	next   int          // the next block
	block  *Block       // the next block, if a part of it was searched
	left   int          // the documents of block that were not searched yet, the oldest
	// bound is the newest time, in Unix milliseconds, of what was not searched yet; none at the
	// end.
	bound int64
}

// open searches the newest messages of a room, which may not be in its feed yet. Later pages begin
// with older ones.
func (p *searching) open(ctx context.Context, src *source) error {
	src.opened = true
	span := chat.MessageRange{Room: src.head.Room, Order: chat.Newest, Limit: chat.MaxLimit}
	if src.head.Newest.Known() {
		span.From = earlier(src.head.Newest.ReceivedAt, p.now).Add(-freshMargin)
	}
	own := chat.MessageRange{
		Room: src.head.Room, User: p.caller, Order: chat.Newest, Limit: chat.MaxLimit, From: p.now.Add(-freshMargin),
	}
	ranges := []chat.MessageRange{span, own}
	if at := p.after.At; !at.IsZero() {
		ranges[0].To = at.Add(time.Millisecond)
		ranges = slices.DeleteFunc(
			ranges, func(r chat.MessageRange) bool { return at.Before(r.From.Add(-chat.MaxAhead)) },
		)
	}
	both, inner := errgroup.WithContext(ctx)
	for _, r := range ranges {
		both.Go(func() error { return p.fresh(inner, src, r) })
	}
	return both.Wait()
}

// authorize reports whether the caller may read a room now. A room is asked for only when it has a
// candidate, and once in a search.
func (p *searching) authorize(ctx context.Context, src *source) (bool, error) {
	if src.access == nil {
		access, err := p.service.Access.Authorize(ctx, p.caller, src.head.Room, policy.Read)
		kind := chat.KindOf(err)
		if err != nil && kind != chat.NotFound && kind != chat.Forbidden {
			return false, err
		}
		src.access, src.denied = &access, err != nil || p.query.Room == "" && p.hides(access.Room.Direct)
	}
	return !src.denied, nil
}

// hides reports whether a room is the direct room with one person whom the caller has blocked,
// which lists leave out.
func (p *searching) hides(direct []chat.UserID) bool {
	return len(direct) == 2 && slices.ContainsFunc(direct, func(user chat.UserID) bool { return p.blocked[user] })
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// fresh searches the newest messages of a range: a page of them, and more within the budget.
func (p *searching) fresh(ctx context.Context, src *source, r chat.MessageRange) error {
	for n := 0; n < freshPages && (n == 0 || !p.spent.freshEnds()); n++ {
		messages, more, err := p.service.Store.Messages(ctx, r)
		if chat.KindOf(err) == chat.NotFound {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		for _, m := range messages {
			if err := ctx.Err(); err != nil {
				return err
			}
			if p.spent.freshEnds() { // confirm matches it
				p.add(src, Doc{ID: m.ID, ReceivedAt: m.ReceivedAt})
				continue
			}
			matches, steps := p.query.matchMessage(m)
			if p.spent.spend(steps); matches {
				p.add(src, Doc{ID: m.ID, ReceivedAt: m.ReceivedAt})
			}
		}
		if !more {
			break
		}
		last := r.PositionOf(messages[len(messages)-1])
		r.After = &last
	}
	return nil
}
