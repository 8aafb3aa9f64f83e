package dynamo

import "sync/atomic"

const (
	// firstItemBytes is a message item of about 80 characters of text, until
	// real ones have been seen.
	firstItemBytes = 300
	// itemBytesWeight is the part of the mean that a new item's size replaces: one in this many.
	itemBytesWeight = 64
)

// meanSize is the running mean size of a message item, from which reads learn how many
// items a read unit holds. It is kept itemBytesWeight times as large: a mean
// in whole bytes would not move for items that differ from it by less.
type meanSize struct{ scaled atomic.Int64 }

func newMeanSize() *meanSize {
	m := &meanSize{}
	m.scaled.Store(firstItemBytes * itemBytesWeight)
	return m
}

func (m *meanSize) bytes() int { return int(m.scaled.Load() / itemBytesWeight) }

// learn takes an item's size in. Two readers at once may lose one sample, which does
// not matter.
func (m *meanSize) learn(size int) {
	scaled := m.scaled.Load()
	m.scaled.Store(scaled + int64(size) - scaled/itemBytesWeight)
}
