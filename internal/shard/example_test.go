package shard_test

import (
	"cmp"
	"fmt"

	"example.com/parley/internal/shard"
)

// A reader asks each shard for a part of a page and merges the answers. It stops when the page is
// full, which may be before it has read every shard to the end.
func ExampleMerge() {
	shards := [][]int{{1, 4, 5, 9}, {2, 3, 8}, {6, 7}}
	const page, part = 5, 2

	m := shard.NewMerge(len(shards), cmp.Less[int])
	var items []int
	for len(items) < page {
		if item, ok := m.Pop(); ok {
			items = append(items, item)
			continue
		}
		needs := m.Needs()
		if len(needs) == 0 {
			break // all shards have ended
		}
		for _, i := range needs {
			n := min(part, len(shards[i]))
			fmt.Println("read", n, "of shard", i)
			m.Feed(i, shards[i][:n], n == len(shards[i]))
			shards[i] = shards[i][n:]
		}
	}
	fmt.Println(items)
	// Output:
	// read 2 of shard 0
	// read 2 of shard 1
	// read 2 of shard 2
	// read 1 of shard 1
	// read 2 of shard 0
	// [1 2 3 4 5]
}

// A page of 50 messages and one more, which shows whether another page follows, is spread over the
// shards of a room. Items have about 300 bytes, so that half a read unit pays for 13 of them.
func ExampleFill() {
	for _, shards := range []int{1, 4, 16} {
		fmt.Println(shards, "shards:", shard.Fill(51, 1/float64(shards), 300, shard.Full), "items each")
	}
	// Output:
	// 1 shards: 52 items each
	// 4 shards: 26 items each
	// 16 shards: 13 items each
}
