package table_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/table"
)

// TestKinds_HaveARowEach compares the table of kinds with the examples of the key chart, which shows
// every kind.
func TestKinds_HaveARowEach(t *testing.T) {
	rows := map[table.Kind]table.KindRow{}
	for _, k := range table.Kinds() {
		if _, twice := rows[k.Kind]; twice {
			t.Errorf("%q has two rows", k.Kind)
		}
		rows[k.Kind] = k
	}
	shown := map[table.Kind]bool{}
	for _, e := range examples() {
		shown[e.kind] = true
		row, ok := rows[e.kind]
		if !ok {
			t.Errorf("%q has no row", e.kind)
		}
		if row.Stream == table.NoStream && e.item[table.AttrFeed] != nil {
			t.Errorf("%q names a feed, but its row has no stream", e.kind)
		}
	}
	for kind := range rows {
		if !shown[kind] {
			t.Errorf("%q has no example: add one to examples in chart_test.go", kind)
		}
	}
}

// TestKinds_FindTheRoom checks that an item is found to be of its room, and that one of a person is
// of none.
func TestKinds_FindTheRoom(t *testing.T) {
	rows := table.Kinds()
	for _, e := range examples() {
		k := rows[slices.IndexFunc(rows, func(k table.KindRow) bool { return k.Kind == e.kind })]
		if names := namesSeattle(e.item); names != (k.Room != nil) {
			t.Errorf("%q has a Room: %t; its example names one: %t", e.kind, k.Room != nil, names)
		}
		if k.Room == nil {
			continue
		}
		if room, ok := k.Room(e.item); room != "seattle" || !ok {
			t.Errorf("%q, %s: is of the room %q, %t", e.kind, table.KeyText(e.item), room, ok)
		}
		for _, other := range []table.Item{{}, table.Key("x#y", "z"), table.Key(table.PersonPK("seattle"), "seattle#seattle")} {
			if room, ok := k.Room(other); ok {
				t.Errorf("%q: %s is of the room %q", e.kind, table.KeyText(other), room)
			}
		}
	}
}

// namesSeattle reports whether an item names the room seattle, in its key or in an attribute.
func namesSeattle(item table.Item) bool {
	for name := range item {
		if strings.Contains(table.KeyPart(item, name), "seattle") {
			return true
		}
	}
	return false
}
