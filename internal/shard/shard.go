// Package shard spreads the messages of a room over partitions and merges them for readers. It
// computes the shard of each user's messages (jump hash) and keeps the history of the number of
// shards (epochs). It also computes the number of items to query from each shard (unit fill) and
// merges the results. All of it is pure: no clock, no I/O.
package shard

import "time"

// ForUser returns the shard, from 0 to n-1, that holds a user's messages among n shards. When n
// grows from a to b, a user either keeps the shard or moves to a new one. Only (b-a)/b of all users
// move.
func ForUser(user string, n int) int { return jump(hash(user), n) }

// jump is the consistent hash of Lamping and Veach (arXiv:1406.2294).
func jump(key uint64, n int) int {
	b, j := int64(-1), int64(0)
	for j < int64(n) {
		b = j
		key = key*2862933555777941757 + 1
		j = int64(float64(b+1) * (float64(1<<31) / float64(key>>33+1)))
	}
	return int(b)
}

// hash is FNV-1a with the finalizer of MurmurHash3, which spreads names that differ only in their
// last letters. It is part of the storage format: a change would lose messages. Golden values guard
// it.
func hash(s string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// The rule of growth. A shard accepts 1,000 messages a second, because its end in the index cannot
// be split.
const (
	// growAbove is the rate of messages a second and shard above which a room grows: half of what
	// a shard accepts, so a rate that meanwhile doubles still fits.
	growAbove = 500
	// growTo is the rate for which a room gets another shard. Shards are a power of two, so each
	// then has between half and all of it.
	growTo = 350
	// shrinkTo is the part of its shards to which a room shrinks at most. With a smaller step it
	// would soon grow again.
	shrinkTo = 1.0 / 4
	// ShrinkAfter is the minimum time before a room's shards shrink automatically. Each change
	// adds an epoch, which readers keep forever.
	ShrinkAfter = 24 * time.Hour
	// MaxEpochs is the maximum number of epochs of a room. They fit in two read units.
	MaxEpochs = 256
	// growthEpochs is the part of MaxEpochs that only growth may use: a room doubles six times.
	growthEpochs = 8
)

// Load is the rate of writes to a room.
type Load struct {
	Rate float64       // messages a second, soon
	Mean float64       // messages a second since the last epoch
	Age  time.Duration // since the start of the last epoch
}

// Rule defines when a room grows, and to how many shards.
type Rule struct {
	GrowAbove float64 // messages a second and shard
	GrowTo    float64 // messages a second and shard
	One       bool    // every room has one shard, at any rate
}

// StandardRule returns the rule for the partitions of DynamoDB.
func StandardRule() Rule { return Rule{GrowAbove: growAbove, GrowTo: growTo} }

// OneShard returns the rule for a local engine, whose partitions accept any rate: each further
// shard only makes pages slower. A room that has more shrinks to one.
func OneShard() Rule { return Rule{One: true} }

// Target returns how many shards a room with these epochs should have under a load, up to most. It
// returns the current number if that may stay.
func (r Rule) Target(e Epochs, l Load, most int) int {
	n := e.Last().N
	if r.One {
		if len(e) < MaxEpochs {
			return 1
		}
		return n
	}
	if r.Busy(l.Rate, n) && len(e) < MaxEpochs {
		return min(r.shardsFor(l.Rate), most)
	}
	fits := r.shardsFor(max(l.Rate, l.Mean))
	if l.Age >= ShrinkAfter && float64(fits) <= float64(n)*shrinkTo && len(e) < MaxEpochs-growthEpochs {
		return fits
	}
	return n
}

// Busy reports whether a rate, in messages a second, is too much for n shards in the long run.
func (r Rule) Busy(rate float64, n int) bool { return !r.One && rate > r.GrowAbove*float64(n) }

// shardsFor returns the smallest power of two above rate/GrowTo.
func (r Rule) shardsFor(rate float64) int {
	n := 1
	for float64(n) <= rate/r.GrowTo {
		n *= 2
	}
	return n
}
