// Package throttle limits the rate of calls to the local engine as DynamoDB limits an on-demand
// table's: by token buckets, one for the writes and one for the reads of each partition.
//
// A table has as many partitions as its writes need, and the hash of a partition key selects one.
// As in a new table of DynamoDB, no partition is split, and no partition lends its units to
// another. Index units count for the partition of the table; DynamoDB counts them separately.
package throttle

import (
	"errors"
	"hash/fnv"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const (
	// PartitionWrites is the number of write units a second of one partition, a fixed limit of
	// DynamoDB.
	PartitionWrites = 1000
	// PartitionReads is its number of read units a second.
	PartitionReads = 3000
	// NewTable is the number of write units a second that a new table has.
	NewTable = 4000
	// saved is the time whose units a bucket holds. DynamoDB may keep more, but does not guarantee
	// it.
	saved = time.Second
)

// Limits limit the calls to the tables of an engine. They are safe for concurrent use.
type Limits struct {
	writes int
	clock  func() time.Time

	mu      sync.Mutex
	tables  map[string][]*partition
	refused int
}

// New returns limits by which each table has the given number of write units a second, at least 1,
// and three times as many read units.
func New(writes int, clock func() time.Time) (*Limits, error) {
	if writes < 1 {
		return nil, errors.New("a table has at least one write unit a second")
	}
	return &Limits{writes: writes, clock: clock, tables: map[string][]*partition{}}, nil
}

// Options adds the limits to a client. Pass it after the options that set the HTTP client.
func (l *Limits) Options(o *dynamodb.Options) {
	next := o.HTTPClient
	if next == nil {
		next = http.DefaultClient
	}
	o.HTTPClient = &client{limits: l, next: next}
}

// Refused returns the number of calls that were refused.
func (l *Limits) Refused() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// partition holds the units that the keys in one range of hashes share.
type partition struct{ writes, reads bucket }

// bucket holds units, and gains them at a rate. It may owe units.
type bucket struct {
	rate, units float64
	at          time.Time
}

func newBucket(rate float64, now time.Time) bucket {
	return bucket{rate: rate, units: rate * saved.Seconds(), at: now}
}

// refill adds the units that the bucket has gained.
func (b *bucket) refill(now time.Time) {
	if now.After(b.at) {
		b.units = min(b.rate*saved.Seconds(), b.units+b.rate*now.Sub(b.at).Seconds())
	}
	b.at = now
}

// bucketsOf returns the bucket of each key of a call.
func (l *Limits) bucketsOf(c call) []*bucket {
	buckets := make([]*bucket, len(c.keys))
	for i, k := range c.keys {
		p := l.partition(k)
		if buckets[i] = &p.reads; c.write {
			buckets[i] = &p.writes
		}
		buckets[i].refill(l.clock())
	}
	return buckets
}

func (l *Limits) partition(k key) *partition {
	all := l.tables[k.table]
	if all == nil {
		n := int(math.Ceil(float64(l.writes) / PartitionWrites))
		writes := float64(l.writes) / float64(n)
		for range n {
			all = append(all, &partition{
				writes: newBucket(writes, l.clock()),
				reads:  newBucket(writes*PartitionReads/PartitionWrites, l.clock()),
			})
		}
		l.tables[k.table] = all
	}
	return all[hash(k.partition)%uint64(len(all))]
}

// hash spreads partition keys, even similar ones, over all hashes.
func hash(partition string) uint64 {
	f := fnv.New64a()
	_, _ = f.Write([]byte(partition)) // it never fails
	h := f.Sum64()
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// take takes the fewest units that a call can consume, and returns a function that takes the rest.
// ok is false if a partition has too little left; then nothing is taken.
func (l *Limits) take(c call) (rest func(units float64), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	buckets, least := l.bucketsOf(c), c.least()
	for i, b := range buckets {
		if b.units < min(least, b.rate) {
			for _, before := range buckets[:i] {
				before.units += least
			}
			l.refused++
			return nil, false
		}
		b.units -= least
	}
	return func(units float64) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, b := range buckets {
			b.units -= max(0, units/float64(len(buckets))-least)
		}
	}, true
}
