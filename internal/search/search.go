package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

const (
	// freshRooms is the number of a person's rooms, most active first, whose newest messages are
	// listed at first because their feeds are behind by about a second. Each costs a query.
	freshRooms = 100
	// freshMargin is how much older than the end of the feed a message may be that the feed lacks:
	// shards arrive in the feed independently.
	freshMargin = time.Minute
	// freshPages bounds the pages of newest messages of one room.
	freshPages = 5
	// freshPart is the part of the steps, one in freshPart, after which newest messages are neither
	// read nor compared, so that each request gets further in the indexes.
	freshPart = 3
	// partsAtOnce is the number of parts of indexes that are read concurrently. An unneeded
	// request costs less than the time of a later one.
	partsAtOnce = 16
)

// Search returns a page of the messages that a query matches and that the caller may read now,
// newest first.
//
// It reads a head for each of the caller's rooms, and the newest messages of the first 100. Then it
// reads indexes and blocks of the rooms, newest first, until the page is full. It reads the
// messages of the page again, consistently, and the rooms and memberships that they need.
//
// A request ends its page after MaxSteps of work. At most as many requests run concurrently as
// there are processors.
//
// The error is Invalid for a limit out of range, BadCursor for a cursor of another query, the
// error of r.Pay if there is no result yet, and otherwise as for Authorizer, for the room of the
// query.
func (s *Service) Search(ctx context.Context, caller chat.UserID, r Request) (Results, error) {
	scope := chat.NewCursorScope("search").Text(string(caller)).Text(fmt.Sprintf("%+v", r.Query))
	p := &searching{
		service: s, caller: caller, query: r.Query, around: r.Around, limit: r.Page.Limit, now: s.Clock(),
		seen:  map[place]bool{},
		spent: &budget{limit: s.maxSteps, pay: r.Pay, part: s.paySteps, paid: s.paySteps},
	}
	if err := r.Page.Read(scope, &p.after); err != nil {
		return Results{}, err
	}
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-ctx.Done():
		return Results{}, &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Cause: ctx.Err()}
	}
	if err := p.start(ctx); err != nil {
		return Results{}, err
	}
	end, err := p.run(ctx)
	if err == nil || chat.KindOf(err) == chat.RateLimited {
		p.save(ctx) // so that the next request continues
	}
	if err != nil {
		return Results{}, err
	}
	if err := p.spent.settle(ctx); err != nil && chat.KindOf(err) != chat.RateLimited {
		return Results{}, err
	}
	out := Results{Items: p.results, Steps: int(p.spent.steps.Load())}
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
	spent   *budget

	blocked map[chat.UserID]bool
	sources []*source

	mu         sync.Mutex
	candidates []candidate
	seen       map[place]bool
	results    []Result
	bytes      int   // of results
	last       place // of the last candidate that was read
	extended   bool  // an index has more of the past
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
		if !head.WrittenAt.IsZero() { // Newest is no reply that the room does not list
			src.bound = earlier(p.now, head.WrittenAt.Add(freshMargin)).UnixMilli()
		}
		src.bound = p.newest(src.bound)
		p.sources = append(p.sources, src)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(readsAtOnce)
	for _, src := range p.sources[:min(len(p.sources), freshRooms)] {
		group.Go(func() error {
			if p.spent.freshEnds() {
				return nil // the room is opened when its turn comes
			}
			return p.open(inner, src)
		})
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
	for begun := p.frontier(); ; {
		frontier := p.frontier()
		full, err := p.confirm(ctx, frontier)
		switch {
		case err != nil:
			return p.refused(err)
		case full && (len(p.candidates) > 0 || frontier != none):
			return &p.last, nil
		case full || frontier == none:
			return nil, nil
		// so that each page gets further than the one before
		case p.spent.empty() && (frontier < begun || p.extended || p.behind()):
			return &place{At: time.UnixMilli(frontier).UTC()}, nil
		}
		if err := p.step(ctx); err != nil {
			return p.refused(err)
		}
	}
}

// refused ends the page with the results that it has, if the error is that the caller cannot pay
// for more. Otherwise it returns the error.
func (p *searching) refused(err error) (*place, error) {
	if chat.KindOf(err) == chat.RateLimited && len(p.results) > 0 {
		return &p.last, nil
	}
	return nil, err
}

// behind reports whether an index lacks changes. The next request adds more of them.
func (p *searching) behind() bool {
	return slices.ContainsFunc(p.sources, func(src *source) bool { return src.behind != nil })
}

// frontier returns the newest time of what was not searched yet.
func (p *searching) frontier() int64 {
	frontier := int64(none)
	for _, src := range p.sources {
		frontier = max(frontier, src.bound)
	}
	return frontier
}

// save stores the indexes that changed much. A failure only means that others read the same again.
func (p *searching) save(ctx context.Context) {
	saves := errgroup.Group{}
	saves.SetLimit(readsAtOnce)
	for _, src := range p.sources {
		x := cmp.Or(src.index, src.behind)
		if x == nil {
			continue
		}
		p.service.memory.put(keyOf(x.room, indexName), x)
		if x.unsaved < p.service.saveChanges || src.head.Generation == "" {
			continue
		}
		saves.Go(func() error {
			if _, err := p.service.save(ctx, x); err != nil && !errors.Is(err, context.Canceled) {
				p.service.log.WarnContext(ctx, NotStoredLine, "room", x.room, "error", err)
			}
			return nil
		})
	}
	_ = saves.Wait()
}

// place is a position in the results of a search: the newest first, then by room.
type place struct {
	At   time.Time
	Room chat.RoomID // empty is before all rooms
	ID   chat.MessageID
}

// CursorFields implements chat.CursorPosition.
func (p *place) CursorFields(f *chat.CursorCodec) {
	var id string
	if p.Room != "" {
		id = p.ID.String()
	}
	f.Time(&p.At)
	f.Text((*string)(&p.Room))
	f.Text(&id)
	f.Check(p.At.Equal(p.At.Truncate(time.Millisecond)))
	if p.Room == "" {
		f.Check(id == "")
		return
	}
	_, err := chat.ParseRoomID(string(p.Room))
	f.Check(err == nil)
	p.ID, err = chat.ParseMessageID(id)
	f.Check(err == nil)
}

func placeOf(m chat.Message) place { return place{m.ReceivedAt, m.Room, m.ID} }

func (p place) compare(q place) int {
	if c := q.At.Compare(p.At); c != 0 {
		return c
	}
	if c := strings.Compare(string(p.Room), string(q.Room)); c != 0 {
		return c
	}
	return chat.Position{ID: q.ID}.Compare(chat.Position{ID: p.ID})
}
