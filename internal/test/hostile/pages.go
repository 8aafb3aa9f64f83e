package hostile

import "slices"

// pageCorruptions are wrong pages and batches.
func pageCorruptions() []*Corruption {
	return []*Corruption{
		{Name: "a page that never ends", Plausible: true, Always: true, change: neverEnds},
		{Name: "a page that continues elsewhere", change: func(a *Answer) bool {
			return a.Operation == "Query" && a.next(Item{"PK": Item{"S": "x"}, "SK": Item{"S": "x"}, "GSI1PK": Item{"S": "x"}, "GSI1SK": Item{"S": "x"}})
		}},
		{Name: "a page that continues at half a key", change: func(a *Answer) bool {
			return a.Operation == "Query" && a.next(Item{"SK": Item{"S": "x"}})
		}},
		{Name: "more items than asked for", change: func(a *Answer) bool {
			list, _ := a.Body["Items"].([]any)
			if len(list) == 0 {
				return false
			}
			var items []any
			for range 1100 {
				items = append(items, list...)
			}
			a.Body["Items"] = items
			return true
		}},
		{Name: "items in reverse order", change: func(a *Answer) bool {
			list, _ := a.Body["Items"].([]any)
			slices.Reverse(list)
			return len(list) > 1 && a.Request["IndexName"] == nil
		}},
		{Name: "keys that stay unprocessed", Always: true, change: func(a *Answer) bool {
			a.Body = map[string]any{"Responses": map[string]any{}, "UnprocessedKeys": a.Request["RequestItems"]}
			return a.Operation == "BatchGetItem"
		}},
		{Name: "unprocessed keys of others", change: unprocessed(func(a *Answer, _ []any) []any {
			return []any{keyOf(a.foreign[a.turn%len(a.foreign)])}
		})},
		{Name: "more unprocessed keys than asked for", change: unprocessed(func(_ *Answer, keys []any) []any {
			return append(slices.Clone(keys), keys...)
		})},
		{Name: "items of another table", Plausible: true, change: func(a *Answer) bool {
			tables, _ := a.Body["Responses"].(map[string]any)
			for _, items := range tables {
				a.Body["Responses"] = map[string]any{"other": items}
			}
			return len(tables) > 0
		}},
	}
}

// next makes an answer claim that the page continues at a key. It reports whether it could, which
// is always.
func (a *Answer) next(key Item) bool {
	a.Body["LastEvaluatedKey"] = key
	return true
}

// neverEnds claims that each page continues where it began, or after its first item. It reports
// whether there is such a place.
func neverEnds(a *Answer) bool {
	if start, ok := a.Request["ExclusiveStartKey"].(map[string]any); ok {
		return a.next(start)
	}
	list, _ := a.Body["Items"].([]any)
	item, ok := first(list).(Item)
	if !ok {
		return false
	}
	key := keyOf(item)
	if a.Request["IndexName"] == nil {
		delete(key, "GSI1PK")
		delete(key, "GSI1SK")
	}
	return a.next(key)
}

// keyOf returns the attributes of the keys of an item.
func keyOf(item Item) Item {
	key := Item{}
	for _, name := range keyNames {
		if v, ok := item[name]; ok {
			key[name] = v
		}
	}
	return key
}

// unprocessed replaces the keys that a batch leaves unprocessed. left gets the keys of the
// request.
func unprocessed(left func(a *Answer, keys []any) []any) func(*Answer) bool {
	return func(a *Answer) bool {
		requested, _ := a.Request["RequestItems"].(map[string]any)
		for name, request := range requested {
			request, _ := request.(map[string]any)
			keys, _ := request["Keys"].([]any)
			a.Body["UnprocessedKeys"] = map[string]any{name: map[string]any{"Keys": left(a, keys)}}
		}
		return a.Operation == "BatchGetItem"
	}
}
