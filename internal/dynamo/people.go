package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// Person is one consistent read: 1 read unit.
func (s *Store) Person(ctx context.Context, user chat.UserID) (chat.Person, error) {
	item, err := s.getItem(ctx, "read person", table.PersonKey(user))
	if err != nil {
		return chat.Person{}, err
	}
	if item == nil {
		return chat.Person{}, &chat.Error{Kind: chat.NotFound, Detail: "nothing is known of this person"}
	}
	p, err := table.ParsePerson(item)
	return p, translate("read person", err)
}

// PutPerson is one transaction on root and on the facts that change, all of
// them when the name does: each costs 4 write units, two for the table and two for the index.
func (s *Store) PutPerson(ctx context.Context, before, after chat.Person) (bool, error) {
	puts, deletes := table.PersonChange(before, after)
	holds := table.PersonCondition(before)
	var items []types.TransactWriteItem
	for _, item := range puts {
		put := &types.Put{TableName: &s.table, Item: item}
		if table.IsRoot(item) {
			put.ConditionExpression = aws.String(holds.Condition)
			put.ExpressionAttributeNames, put.ExpressionAttributeValues = holds.Names, holds.Values
		}
		items = append(items, types.TransactWriteItem{Put: put})
	}
	for _, key := range deletes {
		items = append(items, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: key}})
	}
	err := s.transact(ctx, "put person", items)
	if anyRefused(err) {
		return false, nil
	}
	return err == nil, translate("put person", err)
}

// People reads one partition of the index: half a read unit for every 4 KB.
func (s *Store) People(ctx context.Context, span chat.PeopleSpan) ([]chat.PersonMatch, chat.Mark, error) {
	const operation = "list people"
	l := list{operation: operation, index: true, pk: table.FactPK(span.Fact, span.Value), limit: span.Limit}
	// In the index a fact's partition is called as the fact is in the table.
	l.start = indexStart(l.pk, span.After, table.PersonPK(chat.UserID(span.After.ID)), l.pk)
	if span.Fact == chat.ByName {
		l.prefix = span.Value
	}
	items, more, err := s.listItems(ctx, l)
	if err != nil {
		return nil, chat.Mark{}, err
	}
	people, next, err := marked(items, more, table.ParsePersonMatch, func(m chat.PersonMatch) chat.Mark {
		return chat.Mark{Sort: m.Name, ID: string(m.User)}
	})
	return people, next, translate(operation, err)
}
