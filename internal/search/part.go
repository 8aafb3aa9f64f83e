package search

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

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
		bound := p.newest(src.index.Blocks[i].To)
		if i == src.next && src.block != nil {
			bound = src.block.received[src.left-1]
		}
		add(aBlock, i, bound)
	}
	if len(all) == 0 && !src.index.Whole {
		add(thePast, 0, p.newest(src.index.PastAt))
	}
	return all
}

// newest returns the earlier of a time and the newest time that the page may have.
func (p *searching) newest(at int64) int64 {
	if after := p.after.At; !after.IsZero() {
		at = min(at, after.UnixMilli())
	}
	if until := p.query.Until; !until.IsZero() {
		at = min(at, until.UnixMilli()-1)
	}
	return at
}

// pagesAtOnce is the number of pages of the past that are read concurrently. Each may have a
// megabyte.
const pagesAtOnce = 2

// loaded is what was read of a part: an index, an index with a page of the past, or a block.
type loaded struct {
	left   bool // the budget was empty
	index  *index
	behind bool // the index lacks changes
	page   []Doc
	block  read
}

// step reads the newest parts that were not searched yet, and searches them one after the other:
// the first one, and others within the budget until there are more matches than a page has.
func (p *searching) step(ctx context.Context) error {
	parts := p.next()
	all := make([]loaded, len(parts))
	pages := make(chan struct{}, pagesAtOnce)
	group, inner := errgroup.WithContext(ctx)
	for i, at := range parts {
		group.Go(func() (err error) {
			if at.kind == thePast {
				pages <- struct{}{}
				defer func() { <-pages }()
			}
			if all[i].left = i > 0 && p.spent.empty(); !all[i].left {
				all[i], err = p.load(inner, at)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, at := range parts {
		scanned := at.kind == theRecent || at.kind == aBlock
		if all[i].left || scanned && i > 0 && (p.spent.empty() || len(p.candidates) > p.limit) || at.kind == aBlock &&
			at.block != at.source.next {
			continue
		}
		if err := p.search(ctx, at, all[i]); err != nil {
			return err
		}
	}
	for i, at := range parts {
		src := at.source
		if all[i].left || src.behind != nil {
			continue
		}
		src.bound = none // also of a room that was deleted meanwhile
		if src.index == nil {
			continue
		}
		parts := p.parts(src)
		if len(parts) > 0 && !src.index.Whole { // recent may have documents that are older than the end of the index
			src.bound = p.newest(src.index.PastAt)
		}
		for _, left := range parts {
			src.bound = max(src.bound, left.bound)
		}
	}
	return nil
}

// next returns the newest parts that were not searched yet.
func (p *searching) next() (parts []part) {
	sources := slices.DeleteFunc(slices.Clone(p.sources), func(src *source) bool { return src.bound == none })
	slices.SortStableFunc(sources, func(a, b *source) int { return cmp.Compare(b.bound, a.bound) })
	for _, src := range sources[:min(len(sources), partsAtOnce)] {
		parts = append(parts, p.parts(src)...)
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.bound, a.bound) })
	return parts[:min(len(parts), partsAtOnce)]
}

// load reads a part.
func (p *searching) load(ctx context.Context, at part) (l loaded, err error) {
	src := at.source
	switch at.kind {
	case anIndex:
		if !src.opened {
			if err := p.open(ctx, src); err != nil {
				return l, err
			}
		}
		l.index, l.behind, err = p.service.current(ctx, src.head, p.spent)
		if chat.KindOf(err) == chat.NotFound {
			return loaded{}, nil // the room was deleted meanwhile
		}
	case aBlock:
		if at.block != src.next || src.block == nil {
			p.spent.call()
			l.block = p.service.read(ctx, src.head.Room, src.index.Blocks[at.block])
		}
	case thePast:
		l.index, l.page, err = p.service.extend(ctx, src.index, p.spent)
	}
	return l, err
}

// search searches a part that was read, and records the rest of it. A block after one of which
// something is left is searched again.
func (p *searching) search(ctx context.Context, at part, l loaded) (err error) {
	src := at.source
	switch at.kind {
	case anIndex:
		src.begin(p, l.index, l.behind)
	case theRecent:
		src.recent, err = p.find(ctx, src, src.index.recent, src.recent)
	case aBlock:
		return p.searchBlock(ctx, at, l.block)
	case thePast:
		src.next += len(l.index.Blocks) - len(src.index.Blocks) // of the page, which is searched now
		src.index, p.extended = l.index, true
		return p.searchPage(ctx, src, l.page)
	}
	return err
}

// begin begins to search an index, unless it lacks changes. A deleted room has a nil index.
func (src *source) begin(p *searching, x *index, behind bool) {
	if src.behind = nil; x == nil {
		return
	}
	if behind {
		src.behind = x
		return
	}
	src.index, src.recent = x, p.reach(x.recent)
	for src.next < len(x.Blocks) && p.isBefore(x.Blocks[src.next].From) {
		src.next++
	}
}

func (p *searching) searchPage(ctx context.Context, src *source, page []Doc) error {
	for _, d := range page {
		matches := p.spent.empty() // then confirm matches it
		if !matches {
			var steps int
			matches, steps = p.query.match(d)
			p.spent.spend(steps)
		}
		if matches {
			p.add(src, d)
		}
		if err := p.spent.settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// searchBlock searches the next block of a room.
func (p *searching) searchBlock(ctx context.Context, at part, r read) (err error) {
	src, b, left := at.source, at.source.block, at.source.left
	if ref := src.index.Blocks[at.block]; b == nil {
		if src.index, b, err = p.service.blockOf(ctx, src.index, ref, r, p.spent); err != nil {
			return err
		}
		left = p.reach(b)
	}
	if left, err = p.find(ctx, src, b, left); err != nil {
		return err
	}
	if src.block, src.left = b, left; left == 0 {
		src.block, src.next = nil, src.next+1
	}
	return nil
}

// find searches the first documents of a block, the newest first, until it has as many matches as a
// page or the budget is empty. It returns how many it did not search.
func (p *searching) find(ctx context.Context, src *source, b *Block, left int) (int, error) {
	for matches := 0; left > 0 && matches <= p.limit; {
		if since := p.query.Since; !since.IsZero() && b.received[left-1] < since.UnixMilli() {
			return 0, nil
		}
		from := b.segment(left, p.service.segmentText)
		steps, err := b.Find(ctx, p.query, from, left, func(d Doc) {
			p.add(src, d)
			matches++
		})
		p.spent.spend(steps)
		if err == nil {
			err = p.spent.settle(ctx)
		}
		if err != nil {
			return left, err
		}
		if left = from; p.spent.empty() {
			break
		}
	}
	return left, nil
}

// reach returns how many documents of a block are old enough for the page and the query's bound.
func (p *searching) reach(b *Block) int {
	n := b.Len()
	if at := p.after.At; !at.IsZero() {
		n = b.since(at.UnixMilli() + 1)
	}
	if until := p.query.Until; !until.IsZero() {
		n = min(n, b.since(until.UnixMilli()))
	}
	return n
}

// isBefore reports whether everything received since a time precedes the page or the query's bound.
func (p *searching) isBefore(from int64) bool {
	return !p.after.At.IsZero() && from > p.after.At.UnixMilli() || !p.query.Until.IsZero() &&
		from >= p.query.Until.UnixMilli()
}
