package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// Membership is one consistent read of the standing: 1 read unit, whatever the person is.
func (s *Store) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	item, err := s.getItem(ctx, "read membership", table.StandingKey(room, user))
	if err != nil {
		return chat.Membership{}, err
	}
	if item == nil {
		return chat.Membership{}, nil
	}
	m, err := table.ParseStanding(item)
	return m, translate("read membership", err)
}

// ChangeMembership is one transaction: 2 to 10 write units. The standing decides; what the lists
// read is written with it, for whoever is in the room, and taken away otherwise.
func (s *Store) ChangeMembership(ctx context.Context, c chat.MemberChange) (bool, error) {
	items := []types.TransactWriteItem{s.standingWrite(c)}
	if c.After.In() {
		items = append(items, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: table.MemberItem(c.After)}})
	} else if c.Before.In() {
		items = append(items, types.TransactWriteItem{Delete: &types.Delete{
			TableName: &s.table, Key: table.MemberKey(c.Before.Room, c.Before.User),
		}})
	}
	if c.By.Room != "" {
		holds := table.StandingCondition(c.By)
		items = append(items, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &s.table, Key: table.StandingKey(c.By.Room, c.By.User),
			ConditionExpression:       aws.String(holds.Condition),
			ExpressionAttributeNames:  holds.Names,
			ExpressionAttributeValues: holds.Values,
		}})
	}
	err := s.transact(ctx, "change membership", items)
	if anyRefused(err) {
		return false, nil
	}
	return err == nil, translate("change membership", err)
}

// standingWrite is the put or the delete of a change, where the standing is as it was read.
func (s *Store) standingWrite(c chat.MemberChange) types.TransactWriteItem {
	before := table.StandingCondition(c.Before)
	if c.After.Room == "" {
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: &s.table, Key: table.StandingKey(c.Before.Room, c.Before.User),
			ConditionExpression:       aws.String(before.Condition),
			ExpressionAttributeNames:  before.Names,
			ExpressionAttributeValues: before.Values,
		}}
	}
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &s.table, Item: table.StandingItem(c.After),
		ConditionExpression:       aws.String(before.Condition),
		ExpressionAttributeNames:  before.Names,
		ExpressionAttributeValues: before.Values,
	}}
}

// Members reads the index by the room: half a read unit for every 4 KB.
func (s *Store) Members(ctx context.Context, room chat.RoomID, after chat.Mark, limit int) ([]chat.Membership, chat.Mark, error) {
	indexPK := table.MemberSK(room)
	items, more, err := s.listItems(ctx, list{
		operation: "list members", index: true, pk: indexPK, limit: limit,
		start: indexStart(indexPK, after, table.PersonPK(chat.UserID(after.ID)), table.MemberSK(room)),
	})
	if err != nil {
		return nil, chat.Mark{}, err
	}
	return marked(items, more, table.ParseMember, func(m chat.Membership) chat.Mark {
		return chat.Mark{Sort: m.Name, ID: string(m.User)}
	})
}

// RoomsOf reads the person's partition by the prefix of memberships: half a read unit for every 4 KB.
func (s *Store) RoomsOf(ctx context.Context, user chat.UserID, after chat.Mark, limit int) ([]chat.Membership, chat.Mark, error) {
	l := list{operation: "list rooms of a person", pk: table.PersonPK(user), prefix: table.MemberSK(""), limit: limit}
	if after.Sort != "" {
		l.start = table.MemberKey(chat.RoomID(after.Sort), user)
	}
	items, more, err := s.listItems(ctx, l)
	if err != nil {
		return nil, chat.Mark{}, err
	}
	return marked(items, more, table.ParseMember, func(m chat.Membership) chat.Mark {
		return chat.Mark{Sort: string(m.Room)}
	})
}

// TakeSlot is one conditional update, 1 write unit, and a read of 1 unit when
// it is refused.
func (s *Store) TakeSlot(ctx context.Context, slot chat.Slot) (time.Duration, error) {
	update := table.SlotUpdate(slot.ID.UUID.String(), slot.Now, slot.Now.Add(-slot.Every))
	old, refused, err := s.updateItem(ctx, "take slot", table.SlotKey(slot.Room, slot.ID.User), update)
	if err != nil || !refused {
		return 0, err
	}
	taken, err := table.ParseSlot(old)
	// At least a moment, also when the clocks of two servers differ.
	return max(time.Millisecond, taken.Add(slot.Every).Sub(slot.Now)), translate("take slot", err)
}
