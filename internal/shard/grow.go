package shard

import "time"

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
