package shard

import "math"

// unitBytes is what half a read unit buys in an eventually consistent query:
// a query is billed by the sum of its items, rounded up to this.
const unitBytes = 4096

// spread is how many standard deviations above its part of a page a shard is
// expected to hold. It is a price: more asks for items that are thrown away,
// less asks a second time more often. make bench measures both.
const spread = 2.25

// margin is how much larger than the mean the items of a unit may be together before
// they cost one more: without it every other query would, since items vary.
const margin = 1.05

// Fill is how many items to ask of a shard that likely holds the given share,
// from 0 to 1, of the next want items of about itemBytes each: its part and
// some more, rounded up to what the read units paid for it hold anyway.
// It is at least 1.
func Fill(want int, share float64, itemBytes int) int {
	itemBytes = max(itemBytes, 1)
	mean := float64(want) * share
	deviation := math.Sqrt(mean * (1 - share))
	likely := max(1, min(want, int(math.Ceil(mean+spread*deviation))))
	bytes := float64(itemBytes) * margin
	units := math.Ceil(float64(likely) * bytes / unitBytes)
	return max(likely, int(units*unitBytes/bytes))
}
