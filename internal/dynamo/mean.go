package dynamo

import "sync/atomic"

const (
	// firstItemBytes is the size of a message item with some 80 characters of text. It is the mean
	// until real ones have been read.
	firstItemBytes = 300
	// itemBytesWeight is the inverse of a new item's weight in the mean.
	itemBytesWeight = 64
)

// meanSize is the running mean size of a message item. Reads derive from it how many items a read
// unit holds. It is stored itemBytesWeight times as large: a mean in whole bytes would not follow
// items that differ from it by less.
type meanSize struct{ scaled atomic.Int64 }

func newMeanSize() *meanSize {
	m := &meanSize{}
	m.scaled.Store(firstItemBytes * itemBytesWeight)
	return m
}

func (m *meanSize) bytes() int { return int(m.scaled.Load() / itemBytesWeight) }

// learn takes an item's size into account. Two concurrent calls may lose one sample, which does not
// matter.
func (m *meanSize) learn(size int) {
	scaled := m.scaled.Load()
	m.scaled.Store(scaled + int64(size) - scaled/itemBytesWeight)
}
