package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// weighty is an item that counts toward a page's size.
type weighty interface{ PageBytes() int }

// Versions describes numbered items, each under a key of its own.
type Versions[T weighty] struct {
	Operation string // for errors and Usage
	Key       func(number int) table.Item
	Parse     func(table.Item) (T, error)
}

// fitting returns the number of versions that certainly fit in a page of the given weight,
// provided that their texts need no escapes in JSON.
func fitting(weight int) int {
	return (chat.MaxPageBytes - weight) / (chat.Version{}.PageBytes() + chat.MaxText)
}

// PageOfVersions reads the newest version and those before it by their keys: 1 read unit for every
// 4 KB of each. One read requests as many as certainly fit in a page, so nothing is read in vain
// unless texts are full of escapes.
func PageOfVersions[T weighty](ctx context.Context, t *Table, v Versions[T], newest, limit int) ([]T, error) {
	var page []T
	weight := 0
	for next := newest; next >= 1 && len(page) < limit; {
		fit := fitting(weight)
		if fit < 1 {
			break
		}
		var keys []table.Item
		for ; next >= 1 && len(keys) < min(fit, limit-len(page)); next-- {
			keys = append(keys, v.Key(next))
		}
		items, err := t.BatchGet(ctx, v.Operation, keys, Strong)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			version, err := v.Parse(item)
			if err != nil {
				return nil, translate(v.Operation, err)
			}
			if weight += version.PageBytes(); weight > chat.MaxPageBytes && len(page) > 0 {
				return page, nil
			}
			page = append(page, version)
		}
	}
	return page, nil
}
