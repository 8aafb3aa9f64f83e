package table

import (
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/shard"
)

func epochList(epochs shard.Epochs) *types.AttributeValueMemberL {
	list := &types.AttributeValueMemberL{}
	for _, e := range epochs {
		list.Value = append(list.Value, &types.AttributeValueMemberM{Value: Item{
			attrFrom: Number(e.From.Unix()), attrShards: Number(int64(e.N)),
		}})
	}
	return list
}

// pinned reports whether an owner has set the number of shards.
func pinned(item Item) bool {
	b, ok := item[attrShardsPinned].(*types.AttributeValueMemberBOOL)
	return ok && b.Value
}

// ParseShardPlan reads the epochs of a room with the data that changing them needs.
func ParseShardPlan(item Item) (growth.Plan, error) {
	epochs, err := ParseShards(item)
	if err != nil {
		return growth.Plan{}, err
	}
	r := Reader{Item: item}
	p := growth.Plan{Epochs: epochs, Pinned: pinned(item), Writes: r.OptionalNumber(attrWrites)}
	if at := r.OptionalNumber(attrMarkAt); at != 0 {
		p.Mark = growth.Mark{At: time.Unix(at, 0).UTC(), Count: r.OptionalNumber(attrMarked)}
	}
	if r.Err != nil {
		return growth.Plan{}, fmt.Errorf("shards item: %w", r.Err)
	}
	return p, nil
}

// ShardPlanAttributes returns the attributes of rooms that the feed function may write: a plan's
// attributes and its keys.
func ShardPlanAttributes() []string {
	return []string{PK, SK, attrEpochs, attrShardsPinned, attrWrites, attrMarkAt, attrMarked}
}

// ShardPlanUpdate replaces a plan that has not changed since it was read. It appends the new
// epochs.
func ShardPlanUpdate(before, after growth.Plan) Update {
	u := Update{
		Expression: "SET #writes = :after, #pinned = :pinned, #markAt = :markAt, #marked = :marked",
		Condition:  "#writes = :before",
		Names: map[string]string{
			"#writes": attrWrites, "#pinned": attrShardsPinned, "#markAt": attrMarkAt, "#marked": attrMarked,
		},
		Values: Item{
			":after": Number(after.Writes), ":pinned": Bool(after.Pinned),
			":markAt": Number(0), ":marked": Number(after.Mark.Count), ":before": Number(before.Writes),
		},
	}
	if !after.Mark.At.IsZero() {
		u.Values[":markAt"] = Number(after.Mark.At.Unix())
	}
	if before.Writes == 0 {
		u.Condition = "attribute_exists(PK) AND attribute_not_exists(#writes)"
		delete(u.Values, ":before")
	}
	if added := after.Epochs[len(before.Epochs):]; len(added) > 0 {
		u.Expression += ", #epochs = list_append(#epochs, :epochs)"
		u.Names["#epochs"], u.Values[":epochs"] = attrEpochs, epochList(added)
	}
	return u
}

// ParseShards reads the epochs of a room.
func ParseShards(item Item) (shard.Epochs, error) {
	r := Reader{Item: item}
	r.Expect(ShardsKind)
	list, ok := item[attrEpochs].(*types.AttributeValueMemberL)
	if !ok && r.Err == nil {
		r.Err = fmt.Errorf("%s is not a list", attrEpochs)
	}
	if r.Err != nil {
		return nil, fmt.Errorf("shards item: %w", r.Err)
	}
	var epochs shard.Epochs
	for _, v := range list.Value {
		m, _ := v.(*types.AttributeValueMemberM)
		if m == nil {
			return nil, fmt.Errorf("shards item: an epoch is not a map")
		}
		e := Reader{Item: m.Value}
		epochs = append(epochs, shard.Epoch{From: time.Unix(e.Number(attrFrom), 0).UTC(), N: int(e.Number(attrShards))})
		if e.Err != nil {
			return nil, fmt.Errorf("shards item: %w", e.Err)
		}
	}
	if err := epochs.Validate(chat.MaxShards); err != nil {
		return nil, fmt.Errorf("shards item: %w", err)
	}
	return epochs, nil
}
