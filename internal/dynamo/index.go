package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// list is a question to the table or its index: the items of one partition whose sort keys begin
// with a prefix, in order.
type list struct {
	operation string // for errors and Usage
	index     bool   // of the index, not of the table
	pk        string
	prefix    string // of the sort keys; "" is all
	// start is where the list goes on, exclusively: all key attributes of the last item; nil is the
	// beginning.
	start table.Item
	limit int
}

// listItems returns at most l.limit items and whether there are more. It touches what it returns
// and at most one item beyond: half a read unit for every 4 KB.
func (s *Store) listItems(ctx context.Context, l list) (items []table.Item, more bool, err error) {
	q := Query{Operation: l.operation, Index: l.index, Partition: l.pk, Consistency: Eventual, Start: l.start}
	if l.prefix != "" {
		q.Keys = withPrefix(l.prefix)
	}
	for {
		q.Limit = l.limit + 1 - len(items)
		found, next, err := s.table.Query(ctx, q)
		if err != nil {
			return nil, false, err
		}
		items = append(items, found...)
		if len(items) > l.limit {
			return items[:l.limit], true, nil
		}
		if q.Start = next; next == nil {
			return items, false, nil
		}
	}
}

// indexStart is the start of a list of the index that goes on behind a position. pk and sk are the
// item's own keys.
func indexStart(indexPK string, after chat.ListPosition, pk, sk string) table.Item {
	if after == (chat.ListPosition{}) {
		return nil
	}
	key := table.Key(pk, sk)
	key[table.IndexPK] = &types.AttributeValueMemberS{Value: indexPK}
	key[table.IndexSK] = &types.AttributeValueMemberS{Value: after.Sort}
	return key
}

// parsePage parses the items of a page, and returns the position of the last one if there are more.
func parsePage[T any](items []table.Item, more bool, parse func(table.Item) (T, error), position func(T) chat.ListPosition) ([]T, chat.ListPosition, error) {
	var entries []T
	for _, item := range items {
		e, err := parse(item)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		entries = append(entries, e)
	}
	if !more {
		return entries, chat.ListPosition{}, nil
	}
	return entries, position(entries[len(entries)-1]), nil
}
