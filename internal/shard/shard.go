// Package shard spreads the messages of a room over partitions and merges them for readers. It
// computes the shard of each user's messages (jump hash) and keeps the history of the number of
// shards (epochs). It also computes the number of items to query from each shard (unit fill) and
// merges the results. All of it is pure: no clock, no I/O.
package shard

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
