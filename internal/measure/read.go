package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

const (
	page      = 50
	longPage  = 200
	somePages = 300 // read at random places
	unit      = 4096
)

// readShards are the numbers of shards of the measured rooms.
var readShards = []int{1, 4, 8, 16}

// Reads measures pages of rooms of some shards.
func (b *Bench) Reads(ctx context.Context) ([]Figure, error) {
	var figures []Figure
	for _, shards := range readShards {
		cost, err := b.roomCost(ctx, shards)
		if err != nil {
			return nil, fmt.Errorf("reads of %d shards: %w", shards, err)
		}
		at := fmt.Sprintf("N=%d, b=%.0f", shards, cost.itemBytes)
		ideal := 0.5 * math.Ceil(page*cost.itemBytes/unit)
		figures = append(figures,
			Figure{
				"read units, page of 50, " + at, fmt.Sprintf("%.2f", cost.latest.units), goalUnits(shards, ideal), "",
			},
			Figure{"pages in one round, " + at, fmt.Sprintf("%.1f %%", 100*cost.latest.oneRound), "≥ 95 %", ""},
			Figure{"rounds of a page, p99, " + at, fmt.Sprint(cost.latest.p99), "≤ 2", ""},
			Figure{"whole history backwards, × ideal, " + at, fmt.Sprintf("%.2f", cost.history.units), "≤ 2.2", ""},
			Figure{"the same, the least by page", fmt.Sprintf("%.2f", cost.history.least), "", ""},
			Figure{
				"whole history backwards in pages of 200, × ideal, " + at, fmt.Sprintf("%.2f", cost.longHistory.units),
				"≤ 1.5", "",
			},
			Figure{"the same, the least by page", fmt.Sprintf("%.2f", cost.longHistory.least), "", ""},
			Figure{
				"messages of its pages, and queries after the first round",
				fmt.Sprintf("%.0f, %.2f", cost.longHistory.messages, cost.longHistory.again), "", "",
			})
	}
	cold, err := b.coldPage(ctx)
	return append(figures, cold), err
}

// coldPage measures a page of one message in a room of many shards with the longest texts, in a
// process that knows the room's shards and nothing else.
func (b *Bench) coldPage(ctx context.Context) (Figure, error) {
	const room, shards, longTexts = "read-long", 64, 400
	f := Figure{Name: fmt.Sprintf("read units, cold page of one 32 KB text over %d shards", shards), Goal: "≤ 300"}
	store := b.store()
	made := chat.Room{
		ID: room, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: shards, DigestKey: []byte("k"),
	}
	if _, err := store.CreateRoom(ctx, made, chat.OwnerOf(made, "bench")); err != nil {
		return f, err
	}
	for i, m := range b.talk(room)[:b.scale.of(longTexts)] {
		m.ID.User, m.Text = chat.UserID(fmt.Sprint("talker-", i)), strings.Repeat("a", chat.MaxText)
		if _, _, err := store.PutMessage(ctx, m); err != nil {
			return f, err
		}
	}
	cold := b.store()
	if _, err := cold.Room(ctx, room); err != nil {
		return f, err
	}
	b.reset()
	_, _, err := cold.Messages(ctx, chat.MessageRange{Room: room, Limit: 1})
	f.Value = fmt.Sprintf("%.1f", b.reset().units)
	return f, err
}

// roomCost is the consumption of reads of one room. The figures for its whole history are
// multiples of the ideal, which reads each byte once.
type roomCost struct {
	latest               pageCost
	history, longHistory historyCost
	itemBytes            float64
}

// historyCost is the consumption of reading a whole room in pages, and the least that such pages
// can consume.
type historyCost struct {
	units, least    float64
	messages, again float64 // of a page: what it has, and its queries after the first round
}

// roomCost creates a room of some shards and reads it.
func (b *Bench) roomCost(ctx context.Context, shards int) (c roomCost, err error) {
	store := b.store()
	room := chat.RoomID(fmt.Sprintf("read-%d", shards))
	if err := b.fill(ctx, store, room, shards); err != nil {
		return c, err
	}
	if c.latest, err = b.somePages(ctx, store, room, shards); err != nil {
		return c, err
	}
	if c.itemBytes, err = b.meanItem(ctx, room); err != nil {
		return c, err
	}
	if c.history, err = b.history(ctx, store, room, shards, page); err != nil {
		return c, err
	}
	if c.longHistory, err = b.history(ctx, store, room, shards, longPage); err != nil {
		return c, err
	}
	perfect := 0.5 * math.Ceil(float64(b.scale.of(conversation))*c.itemBytes/unit)
	for _, units := range []*float64{&c.history.units, &c.history.least, &c.longHistory.units, &c.longHistory.least} {
		*units /= perfect
	}
	return c, nil
}

func goalUnits(shards int, ideal float64) string {
	switch shards {
	case 1:
		return fmt.Sprintf("%.1f", ideal)
	case 16:
		return "≤ 8.0"
	}
	return ""
}

type pageCost struct {
	units    float64 // mean
	oneRound float64 // share of pages
	p99      int
}

// somePages reads pages at random places, newest first.
func (b *Bench) somePages(ctx context.Context, store app.Stores, room chat.RoomID, shards int) (pageCost, error) {
	random := rand.New(rand.NewPCG(3, 4))
	var cost pageCost
	var rounds []int
	pages := b.scale.of(somePages)
	for i := range pages {
		to := start.Add(time.Duration(page+random.IntN(b.scale.of(conversation)-page)) * time.Second)
		if _, _, err := store.Messages(ctx, chat.MessageRange{Room: room, To: to, Limit: page}); err != nil {
			return cost, err
		}
		used := b.reset()
		if i == 0 {
			continue // the first page gives the store the size of items
		}
		cost.units += used.units / float64(pages-1)
		// The first round queries every shard. Each further round queries the shards that ran dry,
		// usually one.
		rounds = append(rounds, 1+used.calls-shards)
	}
	slices.Sort(rounds)
	ones, _ := slices.BinarySearch(rounds, 2)
	cost.oneRound = float64(ones) / float64(len(rounds))
	cost.p99 = rounds[len(rounds)*99/100]
	return cost, nil
}

// history reads a room from its newest message to its first, in pages of a limit.
func (b *Bench) history(
	ctx context.Context, store app.Stores, room chat.RoomID, shards, limit int,
) (c historyCost, err error) {
	if c.least, err = b.leastHistory(ctx, room, shards, limit); err != nil {
		return c, err
	}
	b.reset()
	span := chat.MessageRange{Room: room, Limit: limit}
	for read := 1.0; ; read++ {
		messages, more, err := store.Messages(ctx, span)
		if err != nil {
			return c, err
		}
		if !more {
			used := b.reset()
			c.units, c.messages, c.again = used.units, float64(b.scale.of(conversation))/read,
				float64(used.calls)/read-float64(shards)
			return c, nil
		}
		last := span.PositionOf(messages[len(messages)-1])
		span.After, span.Continued = &last, true
	}
}

// meanItem returns the mean size of a room's items.
func (b *Bench) meanItem(ctx context.Context, room chat.RoomID) (float64, error) {
	out, err := b.query(ctx, table.ShardPK(room, 0), "", 1000)
	if err != nil {
		return 0, err
	}
	return meanSize(out.Items), nil
}

// meanSize returns the mean size of items, in bytes. It needs at least one.
func meanSize(items []table.Item) float64 {
	sum := 0
	for _, item := range items {
		sum += table.Size(item)
	}
	return float64(sum) / float64(len(items))
}

// leastHistory reads a room in pages of a limit, by a query in each shard for exactly the page's
// messages from it. It returns the units: pages that start anew cannot use fewer.
func (b *Bench) leastHistory(ctx context.Context, room chat.RoomID, shards, limit int) (units float64, err error) {
	messages, span, before := b.talk(room), chat.MessageRange{Room: room}, ""
	slices.SortFunc(messages, func(a, b chat.Message) int { return span.PositionOf(b).Compare(span.PositionOf(a)) })
	for page := range slices.Chunk(messages, limit) {
		have := make([]int32, shards)
		for _, m := range page {
			have[shard.ForUser(string(m.ID.User), shards)]++
		}
		for i, n := range have {
			if n == 0 {
				continue
			}
			out, err := b.query(ctx, table.ShardPK(room, i), before, n)
			if err != nil {
				return 0, err
			}
			units += aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
		}
		before = indexKey(table.MessageItem(page[len(page)-1], 0))
	}
	return units, nil
}

// indexKey returns the sort key of an item in the index.
func indexKey(item table.Item) string {
	if key, ok := item[table.IndexSK].(*types.AttributeValueMemberS); ok {
		return key.Value
	}
	return ""
}

// query returns the newest items of a partition of the index, before a sort key unless it is empty.
func (b *Bench) query(ctx context.Context, pk, before string, limit int32) (*dynamodb.QueryOutput, error) {
	in := &dynamodb.QueryInput{
		TableName: &b.table, IndexName: aws.String(table.Index),
		KeyConditionExpression:    aws.String("#pk = :pk"),
		ExpressionAttributeNames:  map[string]string{"#pk": table.IndexPK},
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: pk}},
		ScanIndexForward:          aws.Bool(false), Limit: aws.Int32(limit),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if before != "" {
		in.KeyConditionExpression = aws.String("#pk = :pk AND #sk < :before")
		in.ExpressionAttributeNames["#sk"] = table.IndexSK
		in.ExpressionAttributeValues[":before"] = &types.AttributeValueMemberS{Value: before}
	}
	return b.db.Query(ctx, in)
}
