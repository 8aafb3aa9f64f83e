package dynamo

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

// errAnswer reports a response that does not match the request. A retry does not help, so callers
// see an internal error.
var errAnswer = errors.New("the database's response does not match the request")

func wrongAnswer(op, reason string) error { return fmt.Errorf("%s: %w: %s", op, errAnswer, reason) }

// checkItem returns an error unless an item that was returned for a key has that key. A missing
// item is always valid. A projected item may lack key attributes.
func checkItem(op string, item, key table.Item, projected bool) error {
	if len(item) == 0 {
		return nil
	}
	for name, want := range key {
		got := item[name]
		if got == nil && projected {
			continue
		}
		if order, ok := compareValues(got, want); !ok || order != 0 {
			return wrongAnswer(op, "an item has another key")
		}
	}
	return nil
}

// keyOf returns the attributes of an item that make up the primary key of the table.
func (t *Table) keyOf(item table.Item) table.Item {
	return table.Item{t.pk: item[t.pk], t.sk: item[t.sk]}
}

// checkPage returns an error unless items and next can be the result of a query: items of its
// partition and range, in its order, after its start and within its limit. A next that does not
// advance would be read forever.
func (t *Table) checkPage(q Query, items []table.Item, next table.Item) error {
	if q.Limit > 0 && len(items) > q.Limit {
		return wrongAnswer(q.Operation, "there are more items than asked for")
	}
	c := t.checkerOf(q)
	for _, item := range items {
		if reason := c.item(item); reason != "" {
			return wrongAnswer(q.Operation, reason)
		}
	}
	if reason := c.next(next); reason != "" {
		return wrongAnswer(q.Operation, reason)
	}
	return nil
}

// pageChecker checks the items of one page in turn.
type pageChecker struct {
	q         Query
	pk, sk    string // the attributes of the keys that the query reads
	key       []string
	projected bool
	last      types.AttributeValue // the sort key of the previous item; nil before the first
}

func (t *Table) checkerOf(q Query) *pageChecker {
	c := &pageChecker{q: q, pk: t.pk, sk: t.sk, key: []string{t.pk, t.sk}}
	if q.Index {
		c.pk, c.sk = table.IndexPK, table.IndexSK
		c.key = append(c.key, c.pk, c.sk)
	}
	c.projected = q.Projection != "" || q.Filter.Projection != ""
	c.last = q.Start[c.sk]
	return c
}

// item returns why item cannot be the next one of the page, or "".
func (c *pageChecker) item(item table.Item) string {
	if item[c.pk] != nil || !c.projected {
		if pk, ok := item[c.pk].(*types.AttributeValueMemberS); !ok || pk.Value != c.q.Partition {
			return "an item is of another partition"
		}
	}
	sk := item[c.sk]
	if sk == nil && c.projected {
		return ""
	}
	if !c.q.Keys.contains(sk) {
		return "an item is outside of the range"
	}
	// Items of an index may have the same sort key.
	if order, ok := c.order(sk); !ok || order < 0 || order == 0 && !c.q.Index {
		return "the items are not in order"
	}
	c.last = sk
	return ""
}

// next returns why a key cannot belong to the page's last item, or "". No key means the end of the
// query.
func (c *pageChecker) next(next table.Item) string {
	if len(next) == 0 {
		return ""
	}
	same := len(c.q.Start) > 0
	for _, name := range c.key {
		if next[name] == nil {
			return "the next page begins at an incomplete key"
		}
		if order, ok := compareValues(next[name], c.q.Start[name]); !ok || order != 0 {
			same = false
		}
	}
	if pk, ok := next[c.pk].(*types.AttributeValueMemberS); !ok || pk.Value != c.q.Partition ||
		!c.q.Keys.contains(next[c.sk]) {
		return "the next page begins outside of the range"
	}
	if order, ok := c.order(next[c.sk]); !ok || order < 0 || same {
		return "the next page does not advance"
	}
	return ""
}

// order compares a sort key with the previous item's, in the query's order. It is positive if
// there is no previous item.
func (c *pageChecker) order(sk types.AttributeValue) (order int, ok bool) {
	if c.last == nil {
		return 1, sk != nil
	}
	order, ok = compareValues(sk, c.last)
	if c.q.NewestFirst {
		order = -order
	}
	return order, ok
}

// contains reports whether a sort key is in the range.
func (r KeyRange) contains(sk types.AttributeValue) bool {
	if r.Low != nil {
		if order, ok := compareValues(sk, r.Low); !ok || order < 0 {
			return false
		}
	}
	if r.High != nil {
		if order, ok := compareValues(sk, r.High); !ok || order > 0 {
			return false
		}
	}
	return sk != nil
}

// numberBits is enough for the 38 digits of a DynamoDB number.
const numberBits = 128

// compareValues compares two values of keys. It reports false unless both are texts or both are
// numbers.
func compareValues(a, b types.AttributeValue) (order int, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		if !ok {
			return 0, false
		}
		return strings.Compare(a.Value, b.Value), true
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		if !ok {
			return 0, false
		}
		x, okX := new(big.Float).SetPrec(numberBits).SetString(a.Value)
		y, okY := new(big.Float).SetPrec(numberBits).SetString(b.Value)
		if !okX || !okY {
			return 0, false
		}
		return x.Cmp(y), true
	}
	return 0, false
}

// checkBatch returns an error unless items and left, the keys that are not processed, can be the
// response to a request for keys.
func checkBatch(op string, keys, items, left []table.Item) error {
	asked := make(map[string]bool, len(keys))
	for _, key := range keys {
		asked[keyText(key)] = true
	}
	for _, item := range items {
		if !asked[keyText(item)] {
			return wrongAnswer(op, "an item has another key")
		}
	}
	for _, key := range left {
		if !asked[keyText(key)] {
			return wrongAnswer(op, "a key is left that was not asked for")
		}
	}
	if len(left) > len(keys) {
		return wrongAnswer(op, "more keys are left than were asked for")
	}
	return nil
}
