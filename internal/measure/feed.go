package measure

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feed"
	"parley/internal/feedwriter"
	"parley/internal/table"
)

// partitionWrites is the write limit of one partition, in units a second. A room's feed is one
// partition.
const partitionWrites = 1000

// Feeds measures the cost of a change in a room's feed, by batch size and by the number of
// consumers that write one feed. It also derives how many changes a second the feed can take.
func (b *Bench) Feeds(ctx context.Context) ([]Figure, error) {
	naive, err := b.naiveFeed(ctx)
	if err != nil {
		return nil, err
	}
	var figures []Figure
	for _, load := range []struct{ consumers, batch, batches int }{
		{1, 1, 300}, {1, 10, 100}, {1, 100, 50}, {1, 1000, 20}, {4, 100, 25}, {16, 100, 10}, {16, 1000, 4},
	} {
		f, err := b.feedLoad(ctx, load.consumers, load.batch, load.batches)
		if err != nil {
			return nil, err
		}
		f.Naive = naive
		figures = append(figures, f)
	}
	return figures, nil
}

// feedLoad appends batches to one new feed from concurrent consumers.
func (b *Bench) feedLoad(ctx context.Context, consumers, batch, batches int) (Figure, error) {
	room := chat.RoomID(fmt.Sprintf("feed-%d-%d", consumers, batch))
	var units units
	var refused refused
	db := dynamodb.New(b.db.Options(), refused.option)
	store := dynamo.New(db, dynamo.Options{Table: b.table, Clock: time.Now, Observe: units.observe})
	var all sync.WaitGroup
	errs := make([]error, consumers)
	for c := range consumers {
		all.Go(func() {
			appender := feedwriter.NewAppender(feedwriter.Options{Store: store, Clock: time.Now})
			for n := range batches {
				if _, err := appender.Append(ctx, room, "g", someChanges(c, n, batch)); err != nil {
					errs[c] = err
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return Figure{}, err
		}
	}
	changes := float64(consumers * batch * batches)
	perChange := (units.write + refused.units) / changes
	return Figure{
		Name: fmt.Sprintf("feed, %d consumers, %d changes at once", consumers, batch),
		Value: fmt.Sprintf("%.3f write and %.3f read units a change, %.1f refused puts for each batch; up to %.0f changes/s",
			perChange, units.read/changes, float64(refused.puts)/float64(consumers*batches), partitionWrites/perChange),
		Goal: feedGoals[[2]int{consumers, batch}],
	}, nil
}

// feedGoals are the goals of some loads, by consumers and changes at once.
var feedGoals = map[[2]int]string{
	{1, 1}: "≤ 1.1 units", {1, 100}: "≤ 0.05 units", {1, 1000}: "≥ 50,000/s", {16, 1000}: "≥ 20,000/s",
}

// units is the consumption of calls.
type units struct {
	mu          sync.Mutex
	read, write float64
}

func (u *units) observe(_ context.Context, usage dynamo.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if usage.Write {
		u.write += usage.Units
	} else {
		u.read += usage.Units
	}
}

// someChanges returns the new messages of a consumer's nth batch, by twenty users.
func someChanges(consumer, n, size int) []feedwriter.Change {
	now := time.Now().UTC()
	changes := make([]feedwriter.Change, size)
	for i := range changes {
		tail := [10]byte{2: byte(consumer), 3: byte(n), 4: byte(i >> 8), 5: byte(i)}
		id := chat.MessageID{UUID: chat.NewUUID(now, tail), User: chat.UserID(fmt.Sprintf("somebody-%d", i%20))}
		changes[i] = feedwriter.Change{Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: now.Truncate(time.Second)}
	}
	return changes
}

// naiveFeed takes a number from a counter for each change, and puts an item under that number.
func (b *Bench) naiveFeed(ctx context.Context) (string, error) {
	const changes = 200
	var sum float64
	for n := range changes {
		out, err := b.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &b.table, Key: table.Key("feed#naive", "counter"),
			UpdateExpression:          aws.String("ADD seq :one"),
			ExpressionAttributeValues: table.Item{":one": &types.AttributeValueMemberN{Value: "1"}},
			ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return "", err
		}
		item := table.Key("feed#naive", table.FeedSK(int64(n+1)))
		put, err := b.db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: &b.table, Item: item, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return "", err
		}
		sum += aws.ToFloat64(out.ConsumedCapacity.CapacityUnits) + aws.ToFloat64(put.ConsumedCapacity.CapacityUnits)
	}
	return fmt.Sprintf("%.3f write units a change, with gaps", sum/changes), nil
}
