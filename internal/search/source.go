package search

import (
	"cmp"
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
	recent int          // the documents of index.recent that were not searched yet, the oldest
	next   int          // the next block
	block  *Block       // the next block, if a part of it was searched
	left   int          // the documents of block that were not searched yet, the oldest
	// bound is the newest time, in Unix milliseconds, of what was not searched yet; none at the
	// end.
	bound int64
}

// open searches the newest messages of a room, which may not be in its feed yet.
func (p *searching) open(ctx context.Context, src *source) error {
	src.opened = true
	span := chat.MessageRange{Room: src.head.Room, Order: chat.Newest, Limit: chat.MaxLimit}
	if src.head.Newest.Known() {
		span.From = earlier(src.head.Newest.ReceivedAt, p.now).Add(-freshMargin)
	}
	own := chat.MessageRange{Room: src.head.Room, User: p.caller, Order: chat.Newest, Limit: chat.MaxLimit, From: p.now.Add(-freshMargin)}
	both, inner := errgroup.WithContext(ctx)
	for _, r := range []chat.MessageRange{span, own} {
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

// fresh searches the newest messages of a range.
func (p *searching) fresh(ctx context.Context, src *source, r chat.MessageRange) error {
	for range freshPages {
		messages, more, err := p.service.Store.Messages(ctx, r)
		if chat.KindOf(err) == chat.NotFound {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		for _, m := range messages {
			if d := docOf(m); p.query.match(d) {
				p.add(src, d)
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

// part is a part of a room that can be searched now.
type part struct {
	source *source
	kind   partKind
	block  int // of aBlock
	bound  int64
}

type partKind int

const (
	anIndex partKind = iota // which is read first
	theRecent
	aBlock
	thePast // a page of it
)

// parts returns the parts of a room that can be searched now.
func (p *searching) parts(src *source) (all []part) {
	if src.index == nil {
		return []part{{src, anIndex, 0, src.bound}}
	}
	add := func(kind partKind, block int, bound int64) {
		if since := p.query.Since; since.IsZero() || bound >= since.UnixMilli() {
			all = append(all, part{src, kind, block, bound})
		}
	}
	if src.recent > 0 {
		add(theRecent, 0, src.index.recent.received[src.recent-1])
	}
	for i := src.next; i < min(len(src.index.Blocks), src.next+partsAtOnce); i++ {
		bound := src.index.Blocks[i].To
		if i == src.next && src.block != nil {
			bound = src.block.received[src.left-1]
		}
		add(aBlock, i, bound)
	}
	if len(all) == 0 && !src.index.Whole {
		add(thePast, 0, src.index.PastAt)
	}
	return all
}

// found is what the search of a part leaves: an index that was read, extended or repaired, and of a
// block what was not searched yet.
type found struct {
	index *index
	block *Block
	left  int
}

// step searches the newest parts that were not searched yet.
func (p *searching) step(ctx context.Context) error {
	var parts []part
	for _, src := range p.sources {
		if src.bound != none {
			parts = append(parts, p.parts(src)...)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.bound, a.bound) })
	parts = parts[:min(len(parts), partsAtOnce)]
	results := make([]found, len(parts))
	group, inner := errgroup.WithContext(ctx)
	for i, at := range parts {
		group.Go(func() (err error) { results[i], err = p.search(inner, at); return err })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, at := range parts {
		at.source.take(at, results[i])
	}
	for _, at := range parts {
		at.source.bound = none
		if at.source.index == nil {
			continue // the room was deleted meanwhile
		}
		for _, left := range p.parts(at.source) {
			at.source.bound = max(at.source.bound, left.bound)
		}
	}
	return nil
}

// take records what the search of a part leaves. A block after one of which something is left is
// searched again.
func (src *source) take(at part, f found) {
	switch at.kind {
	case anIndex:
		if src.index = f.index; f.index != nil {
			src.recent = f.index.recent.Len()
		}
	case theRecent:
		src.recent = f.left
	case aBlock:
		if f.index != nil { // the block was built again
			src.index = src.index.replace(src.index.Blocks[at.block], f.block)
		}
		switch {
		case at.block != src.next:
		case f.left > 0:
			src.block, src.left = f.block, f.left
		default:
			src.block, src.next = nil, src.next+1
		}
	case thePast:
		src.next += len(f.index.Blocks) - len(src.index.Blocks) // of what was searched
		src.index = f.index
	}
}

// search searches a part, until it has as many matches as a page.
func (p *searching) search(ctx context.Context, at part) (found, error) {
	src := at.source
	switch at.kind {
	case theRecent:
		return found{left: p.find(src, src.index.recent, src.recent)}, nil
	case aBlock:
		return p.searchBlock(ctx, at)
	case thePast:
		x, page, err := p.service.extend(ctx, src.index, &p.spent)
		if err != nil {
			return found{}, err
		}
		for _, d := range page {
			if p.query.match(d) {
				p.add(src, d)
			}
		}
		return found{index: x}, nil
	}
	if !src.opened {
		if err := p.open(ctx, src); err != nil {
			return found{}, err
		}
	}
	p.spent.spend(0)
	x, err := p.service.current(ctx, src.head)
	if chat.KindOf(err) == chat.NotFound {
		return found{}, nil // the room was deleted meanwhile
	}
	return found{index: x}, err
}

func (p *searching) searchBlock(ctx context.Context, at part) (f found, err error) {
	src := at.source
	ref := src.index.Blocks[at.block]
	if src.block != nil && at.block == src.next {
		f.block, f.left = src.block, src.left
	} else {
		if p.isBefore(ref.From) {
			return f, nil
		}
		var x *index
		if x, f.block, err = p.service.blockOf(ctx, src.index, ref, &p.spent); err != nil {
			return f, err
		}
		if f.left = f.block.Len(); x != src.index {
			f.index = x
		}
	}
	f.left = p.find(src, f.block, f.left)
	return f, nil
}

// find searches the first documents of a block, the newest first, until it has as many matches as a
// page. It returns how many it did not search.
func (p *searching) find(src *source, b *Block, left int) int {
	if at := p.after.At; !at.IsZero() {
		left = min(left, b.since(at.UnixMilli()+1))
	}
	if until := p.query.Until; !until.IsZero() {
		left = min(left, b.since(until.UnixMilli()))
	}
	for matches := 0; left > 0 && matches <= p.limit; {
		if since := p.query.Since; !since.IsZero() && b.received[left-1] < since.UnixMilli() {
			return 0
		}
		from := b.segment(left, p.service.segmentText)
		b.Find(p.query, from, left, func(d Doc) {
			p.add(src, d)
			matches++
		})
		left = from
	}
	return left
}

// isBefore reports whether everything received since a time precedes the page or the query's bound.
func (p *searching) isBefore(from int64) bool {
	return !p.after.At.IsZero() && from > p.after.At.UnixMilli() || !p.query.Until.IsZero() && from >= p.query.Until.UnixMilli()
}
