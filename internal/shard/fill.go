package shard

import "math"

// unitBytes is the number of bytes that half a read unit pays for in an eventually consistent
// query. A query is billed for the sum of its items, rounded up to a multiple of it.
const unitBytes = 4096

// Reserve is how many standard deviations above its expected share a shard is assumed to hold. It
// is a trade-off. With a higher value more items are read and discarded. With a lower value shards
// run dry before the page is full more often. The benchmark, make bench, measures both.
type Reserve float64

// The reserves.
const (
	// Full is for a page that must be full: in 96 of 100 pages no shard runs dry.
	Full Reserve = 2.25
	// Short is for a page that may end where a shard runs dry.
	Short Reserve = 1
)

// margin is the factor by which the items of a unit may exceed their expected size before they cost
// another unit. Item sizes vary, so without it about every other query would cost one more.
const margin = 1.05

// Fill returns how many items to query from a shard for the next want items of about itemBytes
// each. The shard is expected to hold the given share of them, from 0 to 1. The result is the
// expected number plus the reserve, rounded up to the number of items that the same read units pay
// for. It is at least 1.
func Fill(want int, share float64, itemBytes int, reserve Reserve) int {
	itemBytes = max(itemBytes, 1)
	mean := float64(want) * share
	deviation := math.Sqrt(mean * (1 - share))
	likely := max(1, min(want, int(math.Ceil(mean+float64(reserve)*deviation))))
	bytes := float64(itemBytes) * margin
	units := math.Ceil(float64(likely) * bytes / unitBytes)
	return max(likely, int(units*unitBytes/bytes))
}
