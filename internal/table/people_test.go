package table

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/people"
)

func rhianna() people.Person {
	return people.Person{
		User: "e129", Name: "Rhianna Cohen", Title: "Director of Technology", Former: []string{"System Architect"},
		State: "CA", Hired: time.Date(1995, 7, 1, 0, 0, 0, 0, time.UTC), Avatar: "https://example.com/e129.png", Revision: 1,
	}
}

// keysOf returns the four keys of an item.
func keysOf(item Item) [4]string {
	var keys [4]string
	for i, name := range []string{PK, SK, IndexPK, IndexSK} {
		if s, ok := item[name].(*types.AttributeValueMemberS); ok {
			keys[i] = s.Value
		}
	}
	return keys
}

func TestPersonItems_HasAnItemForEachFact(t *testing.T) {
	want := [][4]string{
		{"u#e129", "current_title#Director of Technology", "current_title#Director of Technology", "Rhianna Cohen"},
		{"u#e129", "previous_title#System Architect", "previous_title#System Architect", "Rhianna Cohen"},
		{"u#e129", "root", "root", "Rhianna Cohen"},
		{"u#e129", "state#CA", "state#CA", "Rhianna Cohen"},
		{"u#e129", "word#COHEN", "words", "COHEN"},
		{"u#e129", "word#RHIANNA COHEN", "words", "RHIANNA COHEN"},
	}
	var got [][4]string
	items := PersonItems(rhianna())
	for _, sk := range slices.Sorted(maps.Keys(items)) {
		got = append(got, keysOf(items[sk]))
		var err error
		switch KindOf(items[sk]) {
		case PersonKind:
			_, err = ParsePerson(items[sk])
		case PersonMetadataKind:
			_, err = ParsePersonMetadata(items[sk])
		case WordKind:
			_, err = ParseWord(items[sk])
		default:
			_, err = ParsePersonMatch(items[sk])
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
func anyPerson(t *rapid.T) people.Person {
	value := rapid.SampledFrom([]string{"", "CA", "CAL", "State of Washington", "Ingénieur", "☃"})
	p := people.Person{
		User: "e129", Name: rapid.SampledFrom([]string{"Rhianna Cohen", "a#b", "☃"}).Draw(t, "name"),
		Title: value.Draw(t, "title"), State: value.Draw(t, "state"), Revision: rapid.IntRange(1, 1000).Draw(t, "revision"),
		Former: rapid.SliceOfNDistinct(value.Filter(func(s string) bool { return s != "" }), 0, 5, rapid.ID[string]).Draw(t, "former"),
	}
	p.Avatar, p.Picture, p.Bot = value.Draw(t, "avatar"), value.Draw(t, "picture"), rapid.Bool().Draw(t, "bot")
	p.Metadata = rapid.SampledFrom([]string{"", "{}", `{"a":1}`}).Draw(t, "metadata")
	p.Status = people.Status{Text: value.Draw(t, "status"), Emoji: value.Draw(t, "emoji")}
	if rapid.Bool().Draw(t, "until") {
		p.Status.Until = time.UnixMilli(rapid.Int64Range(1, 1e13).Draw(t, "end")).UTC()
	}
	if len(p.Former) == 0 {
		p.Former = nil
	}
	if rapid.Bool().Draw(t, "hired") {
		p.Hired = time.Date(rapid.IntRange(people.MinHiredYear, 9999).Draw(t, "year"), 2, 28, 0, 0, 0, 0, time.UTC)
	}
	return p
}

func TestPersonItems_ReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyPerson(t)
		var own []Item
		for sk, item := range PersonItems(want) {
			if sk >= PersonRange().Low && sk <= PersonRange().High {
				own = append(own, item)
			}
		}
		got, found, err := ParseWholePerson(own)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("person (-want +got):\n%s", d)
		}
	})
}

func TestPersonChange_LeavesTheCurrentItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyPerson(t), anyPerson(t)
		items := PersonItems(before)
		puts, deletes := PersonChange(before, after)
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
		if d := cmp.Diff(fmt.Sprint(shown(PersonItems(after))), fmt.Sprint(shown(items))); d != "" {
			t.Errorf("items (-want +got):\n%s", d)
		}
		if got, err := ParsePersonMetadata(items[skRootMeta]); got != after.Metadata || err != nil {
			t.Errorf("metadata %q, %v, want %q", got, err, after.Metadata)
		}
	})
}

// shown returns items as texts, to compare.
func shown(items map[string]Item) map[string][4]string {
	all := map[string][4]string{}
	for sk, item := range items {
		all[sk] = keysOf(item)
	}
	return all
}

func TestPersonChange_FitsATransaction(t *testing.T) {
	const most = 100 // what a transaction may hold
	var before, after people.Person
	for i := range people.MaxFormer {
		before.Former = append(before.Former, fmt.Sprintf("before %d", i))
		after.Former = append(after.Former, fmt.Sprintf("after %d", i))
	}
	before.Title, before.State, before.Revision, after.Title, after.State = "a", "b", 1, "c", "d"
	if puts, deletes := PersonChange(before, after); len(puts)+len(deletes) > most {
		t.Errorf("a change takes %d items", len(puts)+len(deletes))
	}
}

func TestParsePerson_RefusesOtherItems(t *testing.T) {
	for name, change := range map[string]func(Item){
		"another type":      func(i Item) { i[attrType] = Text(RoomKind) },
		"a later version":   func(i Item) { i[attrVersion] = Number(schemaVersion + 2) },
		"no user":           func(i Item) { i[PK] = Text("u#a b") },
		"no revision":       func(i Item) { delete(i, attrRevision) },
		"a day of nowhere":  func(i Item) { i[attrHired] = Text("1995-02-30") },
		"titles of a line":  func(i Item) { i[attrPrevious] = Text("Clerk") },
		"titles of numbers": func(i Item) { i[attrPrevious] = &types.AttributeValueMemberL{Value: []types.AttributeValue{Number(1)}} },
	} {
		item := PersonItems(rhianna())[skRoot]
		change(item)
		if p, err := ParsePerson(item); err == nil {
			t.Errorf("%s is read as %+v", name, p)
		}
	}
	item := PersonItems(rhianna())["state#CA"]
	item[attrType] = Text(MemberKind)
	if m, err := ParsePersonMatch(item); err == nil {
		t.Errorf("a membership is read as %+v", m)
	}
}
