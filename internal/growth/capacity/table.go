// Package capacity simulates how a room grows under load: the partitions of DynamoDB, the retries
// of the service, and the code that watches the rate, on a clock of its own.
//
// It is a simulation. DynamoDB documents what a partition takes, and that a hot one is split; it
// does not document when.
package capacity

import (
	"cmp"
	"hash/fnv"
	"slices"
	"time"
)

const (
	// partitionWrites is how many write units a second a partition takes.
	partitionWrites = 1000
	// PartitionReads is how many read units a second a partition takes.
	PartitionReads = 3000
	// newTableWrites is how many write units a second a new table takes, and its index.
	newTableWrites = 4000
	// splitAbove is the part of its units above which a partition is split. When that happens is an
	// assumption: AWS says that it does if a high load is sustained.
	splitAbove = 0.5
	// splitTime is how long a partition must be used that much, and how long the split takes. Both
	// are assumptions.
	splitTime = 30 * time.Second
)

// table is a table or an index. Its partitions divide the hashes of keys among them.
type table struct {
	partitions []*partition
	keys       map[string]*key
}

// partition takes the writes of the keys in a range of hashes.
type partition struct {
	first  uint64        // the lowest hash; the range ends where the next partition begins
	tokens float64       // write units that are left
	used   float64       // write units since the last second
	hot    time.Duration // how long it has been used a lot
}

// key is a partition key.
type key struct {
	hash uint64
	at   *partition
	used float64 // write units since its partition became hot
}

// newTable returns a table that takes so many write units a second.
func newTable(writes int) *table {
	t := &table{keys: map[string]*key{}}
	n := uint64(writes / partitionWrites) //nolint:gosec // it is positive
	for i := range n {
		t.partitions = append(t.partitions, &partition{first: i * (1<<63/n*2 + 1), tokens: partitionWrites})
	}
	return t
}

// key returns a key by its name.
func (t *table) key(name string) *key {
	k := t.keys[name]
	if k == nil {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // it never fails
		k = &key{hash: mix(h.Sum64())}
		k.at = t.partitions[t.index(k.hash)]
		t.keys[name] = k
	}
	return k
}

// mix spreads the hashes of similar names over all hashes.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

func (t *table) index(hash uint64) int {
	i, found := slices.BinarySearchFunc(t.partitions, hash, func(p *partition, h uint64) int { return cmp.Compare(p.first, h) })
	if found {
		return i
	}
	return i - 1
}

// refill gives each partition its units of a part of a second. A partition keeps those of one
// second: DynamoDB may keep more, and does not promise it.
func (t *table) refill(d time.Duration) {
	for _, p := range t.partitions {
		p.tokens = min(partitionWrites, p.tokens+partitionWrites*d.Seconds())
	}
}

// takes reports whether the key's partition has the units of a write.
func (k *key) takes(units float64) bool { return k.at.tokens >= units }

func (k *key) take(units float64) {
	k.at.tokens -= units
	k.at.used += units
	k.used += units
}

// second splits the partitions that have been hot for long enough.
func (t *table) second() {
	for _, p := range slices.Clone(t.partitions) {
		if p.used < splitAbove*partitionWrites {
			p.hot = 0
		} else if p.hot += time.Second; p.hot >= 2*splitTime {
			t.split(p)
			p.hot = 0
		}
		p.used = 0
	}
}

// split divides a partition between two keys, so that each half has about as much to write. The
// messages of one shard arrive in the order of time, so one key cannot be divided.
func (t *table) split(p *partition) {
	var keys []*key
	total := 0.0
	for _, k := range t.keys {
		if k.at == p {
			keys, total = append(keys, k), total+k.used
		}
	}
	if len(keys) < 2 {
		return
	}
	slices.SortFunc(keys, func(a, b *key) int { return cmp.Compare(a.hash, b.hash) })
	half, n := keys[0].used, 1
	for n < len(keys)-1 && half+keys[n].used/2 < total/2 {
		half, n = half+keys[n].used, n+1
	}
	upper := &partition{first: keys[n].hash, tokens: partitionWrites}
	for i, k := range keys {
		if k.used = 0; i >= n {
			k.at = upper
		}
	}
	t.partitions = slices.Insert(t.partitions, t.index(p.first)+1, upper)
}
