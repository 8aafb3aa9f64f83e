package dynamo

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"parley/internal/chat"
	"parley/internal/shard"
	"parley/internal/table"
)

// Messages asks every shard that may hold a part of the span, side by side, and
// merges. The first round asks each for as many items as its read units
// hold; a shard that runs dry before the page is full is asked again. One read unit
// is 8 KB, an empty shard costs half a unit.
func (s *Store) Messages(ctx context.Context, span chat.Span) (chat.Page, error) {
	epochs, err := s.epochsOf(ctx, span.Room)
	if err != nil {
		return chat.Page{}, err
	}
	g := s.newGather(span, epochs)
	if g.keys.Empty() {
		return chat.Page{}, nil
	}
	for {
		if err := g.round(ctx); err != nil {
			return chat.Page{}, err
		}
		full, more := g.take()
		if full || len(g.merge.Needs()) == 0 {
			g.learn()
			return chat.Page{Messages: g.page, More: more}, nil
		}
	}
}

// gather is one page in the making.
type gather struct {
	store   *Store
	span    chat.Span
	keys    table.Range
	sources []*partition
	merge   *shard.Merge[found]
	page    []chat.Message
	weight  int
	shares  []float64 // what was known of the shards before
}

// found is a message and the source it came from.
type found struct {
	message chat.Message
	source  int
}

// partition is one shard's part of the span, read from the front.
type partition struct {
	pk    string
	start table.Item // where the next read goes on
	share float64    // the part of the page that it likely holds
	taken int        // messages that came from it so far
	drops bool       // it holds the one key that the range leaves out
}

func (s *Store) newGather(span chat.Span, epochs shard.Epochs) *gather {
	var shards []int
	var known []float64
	if span.User != "" {
		shards = epochs.OfUser(string(span.User), span.From, span.To)
		known = equalShares(len(shards)) // what is known of the room says nothing of one user
	} else {
		for i := range epochs.Reach(span.From, span.To, epochMargins) {
			shards = append(shards, i)
		}
		known = s.shares.of(span.Room, len(shards))
	}
	g := &gather{store: s, span: span, keys: table.SpanRange(span), shares: known}
	for at, i := range shards {
		g.sources = append(g.sources, &partition{
			pk: table.ShardPK(span.Room, i), share: g.shares[at],
			drops: span.After != nil && shardOf(epochs, span.After.ID) == i,
		})
	}
	g.merge = shard.NewMerge(len(g.sources), func(a, b found) bool {
		c := span.PositionOf(a.message).Compare(span.PositionOf(b.message))
		if span.Order == chat.Oldest {
			return c < 0
		}
		return c > 0
	})
	return g
}

// wanted is how many messages the page still needs; the one past its end
// tells whether there is more.
func (g *gather) wanted() int { return g.span.Limit + 1 - len(g.page) }

// round reads on every source that the merge waits for. One that
// fails ends the round: a page never leaves out a shard.
func (g *gather) round(ctx context.Context) error {
	needs := g.merge.Needs()
	items := make([][]found, len(needs))
	ended := make([]bool, len(needs))
	group, ctx := errgroup.WithContext(ctx)
	for i, source := range needs {
		group.Go(func() (err error) {
			items[i], ended[i], err = g.read(ctx, source)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, source := range needs {
		g.merge.Feed(source, items[i], ended[i])
	}
	return nil
}

// take moves what is proven complete to the page. It reports full when the
// page has all that it may hold, and then whether the span goes on.
func (g *gather) take() (full, more bool) {
	for {
		next, ok := g.merge.Pop()
		if !ok {
			break
		}
		weight := next.message.Weight()
		if len(g.page) == g.span.Limit || len(g.page) > 0 && g.weight+weight > chat.MaxPageBytes {
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

// learn remembers which shards the page came from.
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

// read is one query of one source.
func (g *gather) read(ctx context.Context, source int) ([]found, bool, error) {
	p := g.sources[source]
	limit := shard.Fill(g.wanted(), p.share, g.store.itemSize.bytes())
	if p.drops {
		limit++
	}
	in := &dynamodb.QueryInput{
		TableName:                &g.store.table,
		KeyConditionExpression:   aws.String("#pk = :pk AND #sk BETWEEN :low AND :high"),
		ExpressionAttributeNames: map[string]string{"#pk": table.PK, "#sk": table.SK},
		ExpressionAttributeValues: table.Item{
			":pk":   &types.AttributeValueMemberS{Value: p.pk},
			":low":  &types.AttributeValueMemberS{Value: g.keys.Low},
			":high": &types.AttributeValueMemberS{Value: g.keys.High},
		},
		ScanIndexForward:       aws.Bool(g.span.Order == chat.Oldest),
		Limit:                  aws.Int32(int32(limit)),
		ExclusiveStartKey:      p.start,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if g.span.User == "" {
		in.IndexName = aws.String(table.Index)
		in.ExpressionAttributeNames = map[string]string{"#pk": table.IndexPK, "#sk": table.IndexSK}
	}
	out, err := g.store.db.Query(ctx, in)
	if err != nil {
		return nil, false, translate("read messages", err)
	}
	g.store.used(ctx, Usage{Operation: "read messages", Items: len(out.Items)}, out.ConsumedCapacity)
	p.start = out.LastEvaluatedKey
	items, err := g.parse(out.Items, source)
	return items, len(out.LastEvaluatedKey) == 0, err
}

func (g *gather) parse(items []table.Item, source int) ([]found, error) {
	messages := make([]found, 0, len(items))
	for _, item := range items {
		m, err := table.ParseMessage(item)
		if err != nil {
			return nil, fmt.Errorf("read messages: %w", err)
		}
		g.store.itemSize.learn(table.Size(item))
		if g.span.After != nil && g.span.PositionOf(m) == *g.span.After {
			continue
		}
		messages = append(messages, found{message: m, source: source})
	}
	return messages, nil
}
