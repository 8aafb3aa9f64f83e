package people

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/table"
)

func rhianna() Person {
	return Person{
		User: "e129", Name: "Rhianna Cohen", Title: "Director of Technology", Former: []string{"System Architect"},
		State: "CA", Hired: time.Date(1995, 7, 1, 0, 0, 0, 0, time.UTC), Avatar: "https://example.com/e129.png", Revision: 1,
	}
}

// keysOf returns the four keys of an item.
func keysOf(item table.Item) [4]string {
	var keys [4]string
	for i, name := range []string{table.PK, table.SK, table.IndexPK, table.IndexSK} {
		if s, ok := item[name].(*types.AttributeValueMemberS); ok {
			keys[i] = s.Value
		}
	}
	return keys
}

func TestItems_HasAnItemForEachFact(t *testing.T) {
	want := [][4]string{
		{"u#e129", "current_title#Director of Technology", "current_title#Director of Technology", "Rhianna Cohen"},
		{"u#e129", "previous_title#System Architect", "previous_title#System Architect", "Rhianna Cohen"},
		{"u#e129", "root", "root", "Rhianna Cohen"},
		{"u#e129", "state#CA", "state#CA", "Rhianna Cohen"},
		{"u#e129", "word#COHEN", "words", "COHEN"},
		{"u#e129", "word#RHIANNA COHEN", "words", "RHIANNA COHEN"},
	}
	var got [][4]string
	items := Items(rhianna())
	for _, sk := range slices.Sorted(maps.Keys(items)) {
		got = append(got, keysOf(items[sk]))
		var err error
		switch table.KindOf(items[sk]) {
		case table.PersonKind:
			_, err = Parse(items[sk])
		case table.PersonMetadataKind:
			_, err = ParseMetadata(items[sk])
		case table.WordKind:
			_, err = parseWord(items[sk])
		default:
			_, err = parseMatch(items[sk])
		}
		if err != nil {
			t.Error(err)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("keys (-want +got):\n%s", d)
	}
}

// anyPerson draws a person with few values, so that changes often meet existing items.
func anyPerson(t *rapid.T) Person {
	value := rapid.SampledFrom([]string{"", "CA", "CAL", "State of Washington", "Ingénieur", "☃"})
	p := Person{
		User: "e129", Name: rapid.SampledFrom([]string{"Rhianna Cohen", "a#b", "☃"}).Draw(t, "name"),
		Title: value.Draw(t, "title"), State: value.Draw(t, "state"), Revision: rapid.IntRange(1, 1000).Draw(t, "revision"),
		Former: rapid.SliceOfNDistinct(value.Filter(func(s string) bool { return s != "" }), 0, 5, rapid.ID[string]).Draw(t, "former"),
	}
	p.Avatar, p.Picture, p.Bot = value.Draw(t, "avatar"), value.Draw(t, "picture"), rapid.Bool().Draw(t, "bot")
	p.Metadata = rapid.SampledFrom([]string{"", "{}", `{"a":1}`}).Draw(t, "metadata")
	p.Status = Status{Text: value.Draw(t, "status"), Emoji: value.Draw(t, "emoji")}
	if rapid.Bool().Draw(t, "until") {
		p.Status.Until = time.UnixMilli(rapid.Int64Range(1, 1e13).Draw(t, "end")).UTC()
	}
	if len(p.Former) == 0 {
		p.Former = nil
	}
	if rapid.Bool().Draw(t, "hired") {
		p.Hired = time.Date(rapid.IntRange(MinHiredYear, 9999).Draw(t, "year"), 2, 28, 0, 0, 0, 0, time.UTC)
	}
	return p
}

func TestItems_ReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyPerson(t)
		var own []table.Item
		for sk, item := range Items(want) {
			if sk == skRoot || sk == skRootMeta {
				own = append(own, item)
			}
		}
		got, found, err := parseWhole(own)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("person (-want +got):\n%s", d)
		}
	})
}

func TestChanges_LeavesTheCurrentItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyPerson(t), anyPerson(t)
		items := Items(before)
		puts, deletes := Changes(before, after)
		touched := map[string]bool{}
		for _, item := range puts {
			touched[keysOf(item)[1]] = true
			items[keysOf(item)[1]] = item
		}
		for _, key := range deletes {
			touched[keysOf(key)[1]] = true
			delete(items, keysOf(key)[1])
		}
		if len(touched) != len(puts)+len(deletes) || !touched[skRoot] {
			t.Errorf("puts %v deletes %v: an item twice, or no root", puts, deletes)
		}
		if d := cmp.Diff(fmt.Sprint(shown(Items(after))), fmt.Sprint(shown(items))); d != "" {
			t.Errorf("items (-want +got):\n%s", d)
		}
		if got, err := ParseMetadata(items[skRootMeta]); got != after.Metadata || err != nil {
			t.Errorf("metadata %q, %v, want %q", got, err, after.Metadata)
		}
	})
}

// shown returns items as texts, to compare.
func shown(items map[string]table.Item) map[string][4]string {
	all := map[string][4]string{}
	for sk, item := range items {
		all[sk] = keysOf(item)
	}
	return all
}

func TestChanges_FitsATransaction(t *testing.T) {
	const most = 100 // what a transaction may hold
	var before, after Person
	for i := range MaxFormer {
		before.Former = append(before.Former, fmt.Sprintf("before %d", i))
		after.Former = append(after.Former, fmt.Sprintf("after %d", i))
	}
	before.Title, before.State, before.Revision, after.Title, after.State = "a", "b", 1, "c", "d"
	if puts, deletes := Changes(before, after); len(puts)+len(deletes) > most {
		t.Errorf("a change takes %d items", len(puts)+len(deletes))
	}
}

func TestParse_RefusesOtherItems(t *testing.T) {
	for name, change := range map[string]func(table.Item){
		"another type":     func(i table.Item) { table.Stamp(i, table.RoomKind) },
		"a later version":  func(i table.Item) { i["v"] = table.Number(3) },
		"no user":          func(i table.Item) { i[table.PK] = table.Text("u#a b") },
		"no revision":      func(i table.Item) { delete(i, attrRevision) },
		"a day of nowhere": func(i table.Item) { i[attrHired] = table.Text("1995-02-30") },
		"titles of a line": func(i table.Item) { i[attrPrevious] = table.Text("Clerk") },
		"titles of numbers": func(i table.Item) {
			i[attrPrevious] = &types.AttributeValueMemberL{Value: []types.AttributeValue{table.Number(1)}}
		},
	} {
		item := Items(rhianna())[skRoot]
		change(item)
		if p, err := Parse(item); err == nil {
			t.Errorf("%s is read as %+v", name, p)
		}
	}
	item := Items(rhianna())["state#CA"]
	table.Stamp(item, table.MemberKind)
	if m, err := parseMatch(item); err == nil {
		t.Errorf("a membership is read as %+v", m)
	}
}
