package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

const (
	// maxCalls and maxBytes bound what one search reads of blocks and of messages that are not
	// indexed yet: about a second's worth. The indexes of 1.5 million messages are within it.
	maxCalls = 600
	maxBytes = 48 << 20
	// freshRooms is the number of a person's rooms, most active first, whose newest messages are
	// listed at first because their feeds are behind by about a second. Each costs a query.
	freshRooms = 100
	// freshMargin is how much older than the end of the feed a message may be that the feed lacks:
	// shards arrive in the feed independently.
	freshMargin = time.Minute
	// freshPages bounds the pages of newest messages of one room.
	freshPages = 5
	// partsAtOnce is the number of parts of indexes that are read at once. A request that was not
	// needed costs less than the time of one that is made later.
	partsAtOnce = 16
)

// budget counts what a search reads. It is safe for concurrent use.
type budget struct{ calls, bytes atomic.Int64 }

// spend counts a call that reads so many bytes.
func (b *budget) spend(bytes int) {
	b.calls.Add(1)
	b.bytes.Add(int64(bytes))
}

func (b *budget) empty() bool { return b.calls.Load() >= maxCalls || b.bytes.Load() >= maxBytes }

// Search returns a page of the messages that a query matches and that the caller may read now,
// newest first.
//
// It reads a head for each of the caller's rooms, and the newest messages of the first 100. Then it
// reads indexes and blocks of the rooms, newest first, until the page is full. It reads the
// messages of the page again, consistently, and the rooms and memberships that they need.
//
// The error is Invalid for a limit out of range, BadCursor for a cursor of another query, and
// otherwise as for Authorizer, for the room of the query.
func (s *Service) Search(ctx context.Context, caller chat.UserID, r Request) (Results, error) {
	scope := chat.NewCursorScope("search").Text(string(caller)).Text(fmt.Sprintf("%+v", r.Query))
	p := &searching{service: s, caller: caller, query: r.Query, around: r.Around, limit: r.Page.Limit, now: s.Clock(), seen: map[place]bool{}}
	if err := r.Page.Read(scope, &p.after); err != nil {
		return Results{}, err
	}
	if err := p.start(ctx); err != nil {
		return Results{}, err
	}
	end, err := p.run(ctx)
	if err != nil {
		return Results{}, err
	}
	p.save(ctx)
	out := Results{Items: p.results}
	if end != nil {
		out.Next, out.SearchedTo = chat.EncodeCursor(scope, end), end.At
	}
	return out, nil
}

// searching is one page of a search.
type searching struct {
	service *Service
	caller  chat.UserID
	query   Query
	around  bool
	limit   int
	after   place // zero for the first page
	now     time.Time
	spent   budget

	blocked map[chat.UserID]bool
	sources []*source

	mu         sync.Mutex
	candidates []candidate
	seen       map[place]bool
	results    []Result
	bytes      int // of results
}

// candidate is a message that matched when it was indexed.
type candidate struct {
	place
	source *source
}

// start finds the rooms, and lists their newest messages.
func (p *searching) start(ctx context.Context) error {
	var err error
	if p.blocked, err = p.service.Blocks.Blocked(ctx, p.caller); err != nil {
		return err
	}
	heads, err := p.heads(ctx)
	if err != nil {
		return err
	}
	for _, head := range heads {
		src := &source{head: head, bound: p.now.UnixMilli()}
		if head.Newest.Known() {
			src.bound = head.Newest.ReceivedAt.UnixMilli()
		}
		p.sources = append(p.sources, src)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(readsAtOnce)
	for _, src := range p.sources[:min(len(p.sources), freshRooms)] {
		group.Go(func() error { return p.open(inner, src) })
	}
	return group.Wait()
}

// heads returns the heads of the rooms to search.
func (p *searching) heads(ctx context.Context) ([]feed.Head, error) {
	if p.query.Room == "" {
		return p.service.Rooms.Heads(ctx, p.caller)
	}
	if _, err := p.service.Access.Authorize(ctx, p.caller, p.query.Room, policy.Read); err != nil {
		return nil, err
	}
	head, err := p.service.head(ctx, p.query.Room)
	return []feed.Head{head}, err
}

// add adds a candidate that follows the cursor, unless it was added before.
func (p *searching) add(src *source, d Doc) {
	c := candidate{place{d.ReceivedAt, src.head.Room, d.ID}, src}
	if p.after != (place{}) && p.after.compare(c.place) >= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.seen[c.place] {
		p.seen[c.place] = true
		p.candidates = append(p.candidates, c)
	}
}

// run fills the page. It returns where the next page begins, or nil at the end.
func (p *searching) run(ctx context.Context) (*place, error) {
	for {
		frontier := p.frontier()
		full, err := p.confirm(ctx, frontier)
		switch {
		case err != nil:
			return nil, err
		case full && (len(p.candidates) > 0 || frontier != none):
			last := placeOf(p.results[len(p.results)-1].Message)
			return &last, nil
		case full || frontier == none:
			return nil, nil
		case p.spent.empty():
			return &place{At: time.UnixMilli(frontier).UTC()}, nil
		}
		if err := p.step(ctx); err != nil {
			return nil, err
		}
	}
}

// frontier returns the newest time of what was not searched yet.
func (p *searching) frontier() int64 {
	frontier := int64(none)
	for _, src := range p.sources {
		frontier = max(frontier, src.bound)
	}
	return frontier
}

// confirm reads the candidates that are newer than the frontier, in order, and adds those that
// still match to the results. It reports whether the page is full. It may leave candidates that
// it has read.
func (p *searching) confirm(ctx context.Context, frontier int64) (full bool, err error) {
	slices.SortFunc(p.candidates, func(a, b candidate) int { return a.compare(b.place) })
	for len(p.candidates) > 0 {
		if len(p.results) == p.limit {
			return true, nil
		}
		n := 0
		for n < len(p.candidates) && n < p.limit-len(p.results) && p.candidates[n].At.UnixMilli() > frontier {
			n++
		}
		if n == 0 {
			return false, nil
		}
		batch, err := p.read(ctx, p.candidates[:n])
		if err != nil {
			return false, err
		}
		for _, r := range batch {
			if p.bytes += r.pageBytes(); p.bytes > chat.MaxPageBytes && len(p.results) > 0 {
				return true, nil
			}
			p.results = append(p.results, r)
		}
		p.candidates = p.candidates[n:]
	}
	return len(p.results) == p.limit, nil
}

// read returns the results for candidates that still match, and that the caller may read.
func (p *searching) read(ctx context.Context, candidates []candidate) ([]Result, error) {
	ids := map[*source][]chat.MessageID{}
	for _, c := range candidates {
		ids[c.source] = append(ids[c.source], c.ID)
	}
	var mu sync.Mutex
	current := map[place]chat.Message{}
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(readsAtOnce)
	for src, of := range ids {
		reads.Go(func() error {
			if ok, err := p.authorize(inner, src); !ok {
				return err
			}
			found, err := p.service.Store.MessagesByID(inner, src.head.Room, of)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range found {
				current[placeOf(m)] = m
			}
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	var results []Result
	for _, c := range candidates {
		if m, ok := current[c.place]; ok && p.query.Match(m) {
			text, files := p.query.marks(m)
			results = append(results, Result{Message: m, Room: c.source.access.Room, Marks: text, FileMarks: files})
		}
	}
	if p.around {
		return results, p.service.addNeighbors(ctx, results)
	}
	return results, nil
}

// pageBytes returns the bytes of a result that count against chat.MaxPageBytes.
func (r Result) pageBytes() int {
	n := r.Message.PageBytes()
	for _, m := range []*chat.Message{r.Before, r.After} {
		if m != nil {
			n += m.PageBytes()
		}
	}
	return n
}

// save stores the indexes that changed much. A failure only means that others read the same again.
func (p *searching) save(ctx context.Context) {
	saves := errgroup.Group{}
	saves.SetLimit(readsAtOnce)
	for _, src := range p.sources {
		x := src.index
		if x == nil {
			continue
		}
		p.service.memory.put(keyOf(x.room, indexName), x)
		if x.unsaved < p.service.saveChanges || src.head.Generation == "" {
			continue
		}
		saves.Go(func() error {
			if _, err := p.service.save(ctx, x); err != nil && !errors.Is(err, context.Canceled) {
				p.service.log.WarnContext(ctx, "an index was not stored", "room", x.room, "error", err)
			}
			return nil
		})
	}
	_ = saves.Wait()
}
