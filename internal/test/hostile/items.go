package hostile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// each returns a change of every item of an answer.
func each(change func(*Answer, Item)) func(*Answer) bool {
	return func(a *Answer) bool {
		items := a.items()
		for _, item := range items {
			change(a, item)
		}
		return len(items) > 0
	}
}

// itemCorruptions are wrong items.
func itemCorruptions() []*Corruption {
	return []*Corruption{
		{Name: "an empty object", Plausible: true, change: func(a *Answer) bool { a.Body, a.Status = map[string]any{}, 200; return true }},
		{Name: "foreign items", change: smuggle},
		{Name: "a failed condition with a foreign item", Plausible: true, change: smuggleExisting},
		{Name: "moved items", change: each(func(_ *Answer, item Item) {
			for _, name := range partitions {
				if v, ok := item[name].(map[string]any); ok {
					item[name] = Item{"S": fmt.Sprint(v["S"], "x")}
				}
			}
		})},
		{Name: "nothing but keys", change: whole(each(func(_ *Answer, item Item) {
			maps.DeleteFunc(item, func(name string, _ any) bool { return !isKey(name) })
		}))},
		{Name: "items without a type", change: whole(each(func(_ *Answer, item Item) { delete(item, "type") }))},
		{Name: "items of another type", change: whole(each(func(_ *Answer, item Item) { item["type"] = Item{"S": "other"} }))},
		{Name: "items of a later version", change: whole(each(func(_ *Answer, item Item) { item["v"] = Item{"N": "99"} }))},
		{Name: "an item that is no object", change: func(a *Answer) bool {
			return a.replace("Item", 7) || a.replace("Items", map[string]any{}) || a.replace("Responses", []any{})
		}},
	}
}

// valueCorruptions are wrong values within the right items.
func valueCorruptions() []*Corruption {
	return []*Corruption{
		{Name: "a missing attribute", Plausible: true, change: each(func(a *Answer, item Item) { delete(item, a.attribute(item)) })},
		{Name: "a value of the wrong type", change: each(func(a *Answer, item Item) {
			if name := a.attribute(item); name != "" {
				item[name] = retyped(item[name])
			}
		})},
		{Name: "values of the wrong type", change: whole(each(func(_ *Answer, item Item) {
			for name := range item {
				item[name] = retyped(item[name])
			}
		}))},
		{Name: "keys of the wrong type", change: each(func(_ *Answer, item Item) {
			for name := range item {
				if isKey(name) {
					item[name] = retyped(item[name])
				}
			}
		})},
		{Name: "values that are null", change: whole(each(func(_ *Answer, item Item) {
			for name := range item {
				item[name] = Item{"NULL": true}
			}
		}))},
		{Name: "values of an unknown type", change: whole(each(func(_ *Answer, item Item) {
			for name := range item {
				item[name] = Item{"Q": "1"}
			}
		}))},
		{Name: "wild numbers", Plausible: true, change: each(func(a *Answer, item Item) {
			wild := []string{"-1", "9223372036854775807", "1e400", "NaN", "1.5", "99999999999999999999"}
			fill(item, "N", wild[a.turn%len(wild)])
		})},
		{Name: "wild texts", Plausible: true, change: each(func(a *Answer, item Item) {
			wild := []string{"", "#", "\x00", strings.Repeat("z", 300<<10), "\u202e", "~"}
			fill(item, "S", wild[a.turn%len(wild)])
		})},
		{Name: "wild bytes", Plausible: true, change: each(func(a *Answer, item Item) {
			wild := []string{"", "AA==", "/////////////w==", strings.Repeat("AQID", 1000)}
			fill(item, "B", wild[a.turn%len(wild)])
		})},
	}
}

// whole limits a Corruption to items that were requested with all attributes. An update's answer is
// excluded, because some engines return the keys of a new item.
func whole(change func(*Answer) bool) func(*Answer) bool {
	return func(a *Answer) bool {
		return a.Request["ProjectionExpression"] == nil && a.Operation != "UpdateItem" && change(a)
	}
}

// The attributes of keys, of all tables.
var (
	partitions = []string{"PK", "GSI1PK", "device"}
	keyNames   = append([]string{"SK", "GSI1SK", "at"}, partitions...)
)

func isKey(name string) bool { return slices.Contains(keyNames, name) }

// items returns the items of an answer.
func (a *Answer) items() []Item {
	var all []Item
	add := func(v any) {
		if item, ok := v.(Item); ok && len(item) > 0 {
			all = append(all, item)
		}
	}
	add(a.Body["Item"])
	add(a.Body["Attributes"])
	list, _ := a.Body["Items"].([]any)
	for _, item := range list {
		add(item)
	}
	tables, _ := a.Body["Responses"].(map[string]any)
	for _, items := range tables {
		list, _ := items.([]any)
		for _, item := range list {
			add(item)
		}
	}
	return all
}

// attribute returns the attribute of an item that the turn selects; "" for none.
func (a *Answer) attribute(item Item) string {
	names := slices.Sorted(maps.Keys(item))
	names = slices.DeleteFunc(names, isKey)
	if len(names) == 0 {
		return ""
	}
	return names[a.turn%len(names)]
}

func (a *Answer) replace(name string, value any) bool {
	if a.Body[name] == nil {
		return false
	}
	a.Body[name] = value
	return true
}

// retyped returns a value of another type.
func retyped(v any) Item {
	if old, ok := v.(map[string]any); ok && old["S"] != nil {
		return Item{"N": "7"}
	}
	return Item{"S": "seven"}
}

// fill replaces all values of a type, except in keys.
func fill(item Item, kind, value string) {
	for name, v := range item {
		if old, ok := v.(map[string]any); ok && old[kind] != nil && !isKey(name) && name != "type" && name != "v" {
			item[name] = Item{kind: value}
		}
	}
}

// smuggle puts items of others into an answer, and reports whether it has a place for them.
func smuggle(a *Answer) bool {
	if a.Status != 200 {
		return false
	}
	switch a.Operation {
	case "GetItem":
		a.Body["Item"] = a.strange(a.Body["Item"])
	case "Query":
		list, _ := a.Body["Items"].([]any)
		items := []any{a.strange(first(list))}
		if len(list) > 1 {
			items = append(items, list[1:]...)
		}
		a.Body["Items"] = items
	case "BatchGetItem":
		tables, _ := a.Body["Responses"].(map[string]any)
		requested, _ := a.Request["RequestItems"].(map[string]any)
		for name := range requested {
			list, _ := tables[name].([]any)
			a.Body["Responses"] = map[string]any{name: append(slices.Clone(list), a.strange(first(list)))}
		}
	case "UpdateItem", "DeleteItem", "PutItem":
		a.Body["Attributes"] = a.strange(a.Body["Attributes"])
	default:
		return false
	}
	return true
}

// smuggleExisting makes a condition fail because of somebody else's item. It reports whether the
// operation has conditions.
func smuggleExisting(a *Answer) bool {
	if a.Operation != "PutItem" && a.Operation != "UpdateItem" && a.Operation != "DeleteItem" {
		return false
	}
	a.Status = 400
	a.Body = map[string]any{"__type": "x#ConditionalCheckFailedException", "message": Secret, "Item": a.strange(a.Request["Item"])}
	return true
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// strange returns a foreign item, of the same type as another one if there is one.
func (a *Answer) strange(like any) Item {
	kind := func(item Item) string { text, _ := json.Marshal(item["type"]); return string(text) }
	if item, ok := like.(Item); ok {
		for _, f := range a.foreign {
			if kind(f) == kind(item) {
				return f
			}
		}
	}
	return a.foreign[a.turn%len(a.foreign)]
}
