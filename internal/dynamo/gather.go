package dynamo

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

const opReadMessages = "read messages"

// shortParts is the number of parts of a page, of which one may be missing if the page continues
// another.
const shortParts = 4

// Messages queries every shard that may hold a part of the span, in parallel, and merges the
// results. The first round reads as many items from each as its read units hold. A shard that runs
// dry before the page is full is queried again, unless the page continues another and is nearly
// full. One read unit is 8 KB, and an empty shard costs half a unit.
func (s *Store) Messages(ctx context.Context, span chat.MessageRange) (messages []chat.Message, more bool, err error) {
	epochs, err := s.epochsOf(ctx, span.Room)
	if err != nil {
		return nil, false, err
	}
	return s.messagesIn(ctx, span, epochs)
}

// messagesIn is Messages for a room with these epochs.
func (s *Store) messagesIn(
	ctx context.Context, span chat.MessageRange, epochs shard.Epochs,
) (messages []chat.Message, more bool, err error) {
	g := s.newGather(span, epochs)
	if g.keys.Empty() {
		return nil, false, nil
	}
	for {
		if err := g.round(ctx); err != nil {
			return nil, false, err
		}
		full, more := g.take()
		if short := g.mayEndShort(); full || short || len(g.merge.Needs()) == 0 {
			g.learn()
			return g.page, more || short, nil
		}
	}
}

// gather collects one page.
type gather struct {
	store   *Store
	span    chat.MessageRange
	keys    table.Range
	sources []*shardScan
	merge   *shard.Merge[sourced]
	page    []chat.Message
	weight  int
	shares  []float64 // the shards' shares before this page

	itemBytes int // the mean size of an item before this round
	pageBytes int // the mean PageBytes of a message before this round; 0 if unknown
}

// sourced is a message and the index of its source.
type sourced struct {
	message chat.Message
	source  int
}

// shardScan reads one shard's part of the span, page by page.
type shardScan struct {
	pk          string
	start       table.Item // the start of the next query
	share       float64    // the share of the page that it is likely to hold
	taken       int        // messages of the page that came from it
	skipsCursor bool       // it holds the message at the cursor, which is left out
}

func (s *Store) newGather(span chat.MessageRange, epochs shard.Epochs) *gather {
	windows := windowsOf(span, epochs)
	g := &gather{store: s, span: span, keys: table.SpanRange(span)}
	if g.shares = equalShares(len(windows)); span.User == "" { // the room's shares do not apply to one user
		g.shares = s.shares.of(span.Room, sharesNow(windows))
	}
	g.merge = shard.NewMerge(len(windows), func(a, b sourced) bool {
		c := span.PositionOf(a.message).Compare(span.PositionOf(b.message))
		if span.Order == chat.Oldest {
			return c < 0
		}
		return c > 0
	})
	for at, w := range windows {
		g.sources = append(g.sources, &shardScan{
			pk: table.ShardPK(span.Room, w.shard), share: g.shares[at],
			skipsCursor: span.After != nil && shardOf(epochs, span.After.ID) == w.shard,
		})
		if w.deferred {
			g.merge.Defer(at, sourced{message: chat.Message{ReceivedAt: w.from}})
		}
	}
	return g
}

// wanted returns the number of messages that the page still needs, or has room for, plus one more,
// which shows whether the span continues.
func (g *gather) wanted() int {
	needs := g.span.Limit - len(g.page)
	if g.pageBytes > 0 {
		needs = min(needs, (chat.MaxPageBytes-g.weight)/g.pageBytes)
	}
	return needs + 1
}

// round queries every source that the merge needs. If one fails, the round fails: a page never
// omits a shard.
func (g *gather) round(ctx context.Context) error {
	needs := g.merge.Needs()
	g.itemBytes = g.store.sizes.of(g.span.Room, unknownItemBytes)
	g.pageBytes = g.store.weights.of(g.span.Room, 0)
	items := make([][]sourced, len(needs))
	ended := make([]bool, len(needs))
	err := atOnce(ctx, len(needs), func(ctx context.Context, i int) (err error) {
		items[i], ended[i], err = g.read(ctx, needs[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, source := range needs {
		g.merge.Feed(source, items[i], ended[i])
	}
	return nil
}

// atOnce makes n calls concurrently. A single call is made in the caller's goroutine, because a
// new goroutine's stack grows several times during an SDK call.
func atOnce(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	if n == 1 {
		return do(ctx, 0)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

// take moves the messages that are proven complete to the page. It reports whether the page is
// full, and if so, whether the span continues.
func (g *gather) take() (full, more bool) {
	for {
		if len(g.page) == g.span.Limit && g.merge.Left() {
			return true, true // whatever comes next, the span continues
		}
		next, ok := g.merge.Pop()
		if !ok {
			break
		}
		weight := next.message.PageBytes()
		if len(g.page) > 0 && g.weight+weight > chat.MaxPageBytes {
			return true, true
		}
		g.page = append(g.page, next.message)
		g.weight += weight
		g.sources[next.source].taken++
	}
	for _, p := range g.sources {
		if len(g.page) > 0 {
			p.share = float64(p.taken) / float64(len(g.page))
		}
	}
	return false, false
}

// mayEndShort reports whether the page may end although it is not full. That is the case only if
// another message is known to follow: the next page must not be empty.
func (g *gather) mayEndShort() bool {
	return g.span.Continued && g.merge.Left() && len(g.page)*shortParts >= g.span.Limit*(shortParts-1)
}

// learn remembers how much of the page came from each shard.
func (g *gather) learn() {
	if g.span.User != "" {
		return
	}
	taken := make([]int, len(g.sources))
	for i, p := range g.sources {
		taken[i] = p.taken
	}
	g.store.shares.learn(g.span.Room, g.shares, taken)
}

// read makes one query of one source and reports whether it was the last.
func (g *gather) read(ctx context.Context, source int) ([]sourced, bool, error) {
	p := g.sources[source]
	reserve := shard.Full
	if g.span.Continued {
		reserve = shard.Short
	}
	limit := shard.Fill(g.wanted(), p.share, g.itemBytes, reserve)
	if p.skipsCursor {
		limit++
	}
	items, next, err := g.store.table.Query(ctx, Query{
		Operation: opReadMessages, Index: g.span.User == "", Partition: p.pk, Keys: Between(g.keys.Low, g.keys.High),
		Consistency: Eventual, NewestFirst: g.span.Order != chat.Oldest, Limit: limit, Start: p.start,
	})
	if err != nil {
		return nil, false, err
	}
	p.start = next
	messages, err := g.parse(items, source)
	return messages, len(next) == 0, err
}

// parse turns the items of a source into messages, without the message at the cursor.
func (g *gather) parse(items []table.Item, source int) ([]sourced, error) {
	messages := make([]sourced, 0, len(items))
	for _, item := range items {
		m, err := table.ParseMessage(item)
		if err != nil {
			return nil, translate(opReadMessages, err)
		}
		g.store.sizes.learn(g.span.Room, table.Size(item))
		g.store.weights.learn(g.span.Room, m.PageBytes())
		if g.span.After != nil && g.span.PositionOf(m) == *g.span.After {
			continue
		}
		messages = append(messages, sourced{message: m, source: source})
	}
	return messages, nil
}
