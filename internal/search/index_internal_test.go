package search

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/nightly"
)

// TestIndexWith_AgreesWithAMap adds pages of the past and changes, some of them of one message, to an
// index whose blocks are small, and compares it with a map after each.
func TestIndexWith_AgreesWithAMap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	docOf := func(n int, text string) Doc {
		at := time.UnixMilli(int64(n / 2)).UTC() // two in each millisecond
		return Doc{ID: chat.MessageID{User: "amsg", UUID: chat.NewUUID(at, [10]byte{byte(n)})}, ReceivedAt: at, Text: text}
	}
	x := &index{room: "seattle", full: 10 * minDoc, recent: NewBlock("seattle", nil)}
	want := map[chat.MessageID]string{}
	for past, next := 5000, 5000; past > 0; {
		h, change, n := x.header, r.IntN(2) == 0, r.IntN(20)
		var docs []Doc
		for i := range n {
			text := string(rune('a' + i))
			switch {
			case !change:
				past--
				docs = append(docs, docOf(past, text))
			case r.IntN(2) == 0:
				docs = append(docs, docOf(next, text))
				next++
			default:
				docs = append(docs, docOf(past+r.IntN(next-past+1), text))
			}
		}
		h.PastAt = int64(past / 2)
		r.Shuffle(n, func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		for _, d := range docs {
			want[d.ID] = d.Text
		}
		x = x.with(h, docs, change)
		got := map[chat.MessageID]string{}
		for _, b := range append(blocksOf(x), x.recent) {
			if !slices.IsSorted(b.received) {
				t.Fatal("a block is not sorted")
			}
			for _, d := range b.Docs() {
				got[d.ID] = d.Text
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("it has %d documents, want %d", len(got), len(want))
		}
	}
	if len(x.Blocks) < 100 || x.recent.Len() == 0 {
		t.Errorf("there are %d blocks, and %d recent documents", len(x.Blocks), x.recent.Len())
	}
}

// blocksOf returns the blocks of an index of which none is stored, the oldest first.
func blocksOf(x *index) (blocks []*Block) {
	for _, ref := range slices.Backward(x.Blocks) {
		blocks = append(blocks, ref.block)
	}
	return blocks
}
