package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/table"
)

// weighty is an item that counts toward a page's size.
type weighty interface{ PageBytes() int }

// versions describes numbered items, each under a key of its own.
type versions[T weighty] struct {
	operation string // for errors and Usage
	key       func(number int) table.Item
	parse     func(table.Item) (T, error)
}

// fitting returns the number of versions that certainly fit in a page of the given weight,
// provided that their texts need no escapes in JSON.
func fitting(weight int) int {
	return (chat.MaxPageBytes - weight) / (document.Part{}.PageBytes() + chat.MaxText)
}

// pageOfVersions reads the newest version and those before it by their keys: 1 read unit for every
// 4 KB of each. One read requests as many as certainly fit in a page, so nothing is read in vain
// unless texts are full of escapes.
func pageOfVersions[T weighty](ctx context.Context, s *Store, v versions[T], newest, limit int) ([]T, error) {
	var page []T
	weight := 0
	for next := newest; next >= 1 && len(page) < limit; {
		fit := fitting(weight)
		if fit < 1 {
			break
		}
		var keys []table.Item
		for ; next >= 1 && len(keys) < min(fit, limit-len(page)); next-- {
			keys = append(keys, v.key(next))
		}
		items, err := s.table.BatchGet(ctx, v.operation, keys, Strong)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			version, err := v.parse(item)
			if err != nil {
				return nil, translate(v.operation, err)
			}
			if weight += version.PageBytes(); weight > chat.MaxPageBytes && len(page) > 0 {
				return page, nil
			}
			page = append(page, version)
		}
	}
	return page, nil
}
