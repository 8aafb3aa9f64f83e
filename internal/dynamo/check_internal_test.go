package dynamo

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
)

// TestCheckPage_RefusesWhatWasNotAskedFor checks pages of the items b to d, of which two were
// requested after a, in both orders and of both tables.
func TestCheckPage_RefusesWhatWasNotAskedFor(t *testing.T) {
	t.Parallel()
	of := func(sk string) table.Item { return table.Key("p", sk) }
	indexed := func(pk, sk string) table.Item {
		item := table.Key(pk, "x")
		item[table.IndexPK], item[table.IndexSK] = textOfKey("p"), textOfKey(sk)
		return item
	}
	plain := Query{Partition: "p", Keys: Between("b", "d"), Limit: 2}
	after, newest, index, projected := plain, plain, plain, plain
	after.Start, newest.NewestFirst, index.Index, projected.Projection = of("c"), true, true, "#sk"
	indexAfter := index
	indexAfter.Start = indexed("a", "c")
	for name, c := range map[string]struct {
		q     Query
		items []table.Item
		next  table.Item
		ok    bool
	}{
		"none":                             {plain, nil, nil, true},
		"two in order":                     {plain, []table.Item{of("b"), of("c")}, of("c"), true},
		"an empty page that goes on":       {plain, nil, of("c"), true},
		"three":                            {plain, []table.Item{of("b"), of("c"), of("d")}, nil, false},
		"one twice":                        {plain, []table.Item{of("b"), of("b")}, nil, false},
		"out of order":                     {plain, []table.Item{of("c"), of("b")}, nil, false},
		"newest first":                     {newest, []table.Item{of("c"), of("b")}, of("b"), true},
		"oldest first, unasked":            {newest, []table.Item{of("b"), of("c")}, nil, false},
		"below the range":                  {plain, []table.Item{of("a")}, nil, false},
		"above the range":                  {plain, []table.Item{of("e")}, nil, false},
		"another partition":                {plain, []table.Item{table.Key("q", "b")}, nil, false},
		"without a key":                    {plain, []table.Item{{}}, nil, false},
		"a number for a text":              {plain, []table.Item{{table.PK: textOfKey("p"), table.SK: &types.AttributeValueMemberN{Value: "1"}}}, nil, false},
		"after the start":                  {after, []table.Item{of("d")}, nil, true},
		"the start again":                  {after, []table.Item{of("c")}, nil, false},
		"before the start":                 {after, []table.Item{of("b")}, nil, false},
		"goes on at its start":             {after, nil, of("c"), false},
		"goes on before its start":         {after, nil, of("b"), false},
		"goes on before its items":         {plain, []table.Item{of("c")}, of("b"), false},
		"goes on elsewhere":                {plain, nil, table.Key("q", "c"), false},
		"goes on outside of the range":     {plain, nil, of("e"), false},
		"goes on at half a key":            {plain, nil, table.Item{table.SK: textOfKey("c")}, false},
		"an empty next":                    {plain, nil, table.Item{}, true},
		"projected":                        {projected, []table.Item{{table.SK: textOfKey("b")}}, nil, true},
		"projected, outside":               {projected, []table.Item{{table.SK: textOfKey("e")}}, nil, false},
		"an index, two alike":              {index, []table.Item{indexed("a", "b"), indexed("b", "b")}, indexed("b", "b"), true},
		"an index, out of order":           {index, []table.Item{indexed("a", "c"), indexed("b", "b")}, nil, false},
		"an index that goes on":            {indexAfter, nil, indexed("b", "c"), true},
		"an index that goes on at a start": {indexAfter, nil, indexed("a", "c"), false},
	} {
		err := NewTable(nil, "chat", nil).checkPage(c.q, c.items, c.next)
		if (err == nil) != c.ok || err != nil && (!errors.Is(err, errAnswer) || passing(err)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func textOfKey(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// TestCheckItem_RefusesAnotherKey compares keys of texts and of numbers.
func TestCheckItem_RefusesAnotherKey(t *testing.T) {
	t.Parallel()
	n := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	log := func(at types.AttributeValue) table.Item {
		return table.Item{table.LogPK: textOfKey("d"), table.LogSK: at}
	}
	for name, c := range map[string]struct {
		item, key table.Item
		projected bool
		ok        bool
	}{
		"none":                   {nil, table.Key("p", "s"), false, true},
		"its own":                {table.Key("p", "s"), table.Key("p", "s"), false, true},
		"another sort key":       {table.Key("p", "t"), table.Key("p", "s"), false, false},
		"another partition":      {table.Key("q", "s"), table.Key("p", "s"), false, false},
		"no key":                 {table.Item{"x": n("1")}, table.Key("p", "s"), false, false},
		"no key, projected":      {table.Item{"x": n("1")}, table.Key("p", "s"), true, true},
		"another key, projected": {table.Key("q", "s"), table.Key("p", "s"), true, false},
		"a number":               {log(n("1535544000.000001")), log(n("1535544000.000001")), false, true},
		"a number, respelt":      {log(n("1.5E1")), log(n("15.0")), false, true},
		"a close number":         {log(n("1535544000.000001")), log(n("1535544000.000002")), false, false},
		"no number":              {log(n("NaN")), log(n("1")), false, false},
		"a huge exponent":        {log(n("1e999999999")), log(n("1")), false, false},
	} {
		if err := checkItem("test", c.item, c.key, c.projected); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckBatch_RefusesOtherKeys checks the items and the keys that are left.
func TestCheckBatch_RefusesOtherKeys(t *testing.T) {
	t.Parallel()
	a, b, c := table.Key("p", "a"), table.Key("p", "b"), table.Key("p", "c")
	for name, tt := range map[string]struct {
		items, left []table.Item
		ok          bool
	}{
		"both":                  {[]table.Item{b, a}, nil, true},
		"one, and one is left":  {[]table.Item{a}, []table.Item{b}, true},
		"another item":          {[]table.Item{a, c}, nil, false},
		"an item without a key": {[]table.Item{{}}, nil, false},
		"another key is left":   {nil, []table.Item{c}, false},
		"a key is left thrice":  {nil, []table.Item{a, a, a}, false},
	} {
		if err := checkBatch("test", []table.Item{a, b}, tt.items, tt.left); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// startTable is tabletest.Start, which a test inside this package cannot import.
func startTable(t *testing.T) *dynamodb.Client {
	t.Helper()
	client := LocalClient(enginetest.Start(t))
	if err := CreateTable(t.Context(), client, "chat"); err != nil {
		t.Fatal(err)
	}
	return client
}
