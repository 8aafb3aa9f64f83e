package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// ListPage reads a page of q.Limit items by a query. It returns the position of the last item if
// the list continues. It reads the items that it returns and at most one more: half a read unit
// for every 4 KB of an eventual query.
func ListPage[T any](
	ctx context.Context, t *Table, q Query, parse func(table.Item) (T, error), position func(T) chat.ListPosition,
) ([]T, chat.ListPosition, error) {
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
	page, err := ParseItems(q.Operation, items[:min(len(items), limit)], parse)
	if err != nil || len(items) <= limit {
		return page, chat.ListPosition{}, err
	}
	return page, position(page[len(page)-1]), nil
}

// IndexStart returns the start of an index query that continues after a position. key is the
// primary key of the item there; IndexStart modifies it. It returns nil for the zero position.
func IndexStart(indexPK string, after chat.ListPosition, key table.Item) table.Item {
	if after == (chat.ListPosition{}) {
		return nil
	}
	key[table.IndexPK], key[table.IndexSK] = table.Text(indexPK), table.Text(after.Sort)
	return key
}
