package table

import (
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/growth"
	"parley/internal/shard"
)

func epochList(epochs shard.Epochs) *types.AttributeValueMemberL {
	list := &types.AttributeValueMemberL{}
	for _, e := range epochs {
		list.Value = append(list.Value, &types.AttributeValueMemberM{Value: Item{
			attrFrom: number(e.From.Unix()), attrShards: number(int64(e.N)),
		}})
	}
	return list
}

// pinned reports whether an owner has set the number of shards. Rooms from before growth do not say
// so: one with several shards was given them by its owner.
func pinned(item Item, epochs shard.Epochs) bool {
	if b, ok := item[attrShardsPinned].(*types.AttributeValueMemberBOOL); ok {
		return b.Value
	}
	return epochs.Last().N > 1
}

// ParseShardPlan reads the epochs of a room with what their changes need.
func ParseShardPlan(item Item) (growth.Plan, error) {
	epochs, err := ParseShards(item)
	if err != nil {
		return growth.Plan{}, err
	}
	r := reader{item: item}
	p := growth.Plan{Epochs: epochs, Pinned: pinned(item, epochs), Writes: r.optionalNumber(attrWrites)}
	if at := r.optionalNumber(attrMarkAt); at != 0 {
		p.Mark = growth.Mark{At: time.Unix(at, 0).UTC(), Count: r.optionalNumber(attrMarked)}
	}
	if r.err != nil {
		return growth.Plan{}, fmt.Errorf("shards item: %w", r.err)
	}
	return p, nil
}

// ShardPlanAttributes returns the attributes of rooms that the feed function may write: those of a
// plan, with its keys.
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
			":after": number(after.Writes), ":pinned": &types.AttributeValueMemberBOOL{Value: after.Pinned},
			":markAt": number(0), ":marked": number(after.Mark.Count), ":before": number(before.Writes),
		},
	}
	if !after.Mark.At.IsZero() {
		u.Values[":markAt"] = number(after.Mark.At.Unix())
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
	r := reader{item: item}
	r.expect(ShardsKind)
	list, ok := item[attrEpochs].(*types.AttributeValueMemberL)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%s is not a list", attrEpochs)
	}
	if r.err != nil {
		return nil, fmt.Errorf("shards item: %w", r.err)
	}
	var epochs shard.Epochs
	for _, v := range list.Value {
		m, _ := v.(*types.AttributeValueMemberM)
		if m == nil {
			return nil, fmt.Errorf("shards item: an epoch is not a map")
		}
		e := reader{item: m.Value}
		epochs = append(epochs, shard.Epoch{From: time.Unix(e.number(attrFrom), 0).UTC(), N: int(e.number(attrShards))})
		if e.err != nil {
			return nil, fmt.Errorf("shards item: %w", e.err)
		}
	}
	if err := epochs.Validate(chat.MaxShards); err != nil {
		return nil, fmt.Errorf("shards item: %w", err)
	}
	return epochs, nil
}
