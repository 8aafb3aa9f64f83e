package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// listPage reads a page of q.Limit items by a query. It returns the position of the last one if the
// list goes on. It reads the items that it returns and at most one more: half a read unit for every
// 4 KB of an eventual query.
func listPage[T any](ctx context.Context, t *Table, q Query, parse func(table.Item) (T, error), position func(T) chat.ListPosition) ([]T, chat.ListPosition, error) {
	var items []table.Item
	limit := q.Limit
	for {
		q.Limit = limit + 1 - len(items)
		found, next, err := t.Query(ctx, q)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		items = append(items, found...)
		if q.Start = next; next == nil || len(items) > limit {
			break
		}
	}
	page, err := parseItems(q.Operation, items[:min(len(items), limit)], parse)
	if err != nil || len(items) <= limit {
		return page, chat.ListPosition{}, err
	}
	return page, position(page[len(page)-1]), nil
}

// indexStart returns the start of an index query that continues after a position. pk and sk are the
// keys of the item there. It returns nil for the zero position.
func indexStart(indexPK string, after chat.ListPosition, pk, sk string) table.Item {
	return keyStart(indexPK, after, table.Key(pk, sk))
}

// keyStart is indexStart with the primary key of the item at the position, which it changes.
func keyStart(indexPK string, after chat.ListPosition, key table.Item) table.Item {
	if after == (chat.ListPosition{}) {
		return nil
	}
	key[table.IndexPK] = &types.AttributeValueMemberS{Value: indexPK}
	key[table.IndexSK] = &types.AttributeValueMemberS{Value: after.Sort}
	return key
}
