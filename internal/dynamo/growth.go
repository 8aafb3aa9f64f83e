package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/table"
)

// ShardPlan is a strong read: 1 unit for every 4 KB.
func (s *Store) ShardPlan(ctx context.Context, room chat.RoomID) (growth.Plan, error) {
	plan, found, err := ReadStrong(ctx, s.table, "read shard plan", table.ShardsKey(room), table.ParseShardPlan)
	if err == nil && !found {
		err = chat.NoSuchRoom()
	}
	return plan, err
}

// ReplaceShardPlan is one attempt of a conditional update: 1 write unit for each KB. A second
// attempt could take effect long after the first was sent.
func (s *Store) ReplaceShardPlan(ctx context.Context, room chat.RoomID, before, after growth.Plan) (bool, error) {
	return s.table.TryUpdate(ctx, "change shards", table.ShardsKey(room), table.ShardPlanUpdate(before, after), once)
}

// once is an option for a call that must not be retried.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }
