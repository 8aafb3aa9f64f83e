package search_test

import (
	"fmt"
	"testing"
)

// TestSearch_FindsWhatAScanFinds compares searches with plain scans, while people write, edit,
// delete, reply and react, processes start again, and sweeps run.
func TestSearch_FindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seed)
			for range 100 {
				for range w.rand.IntN(7) {
					w.act()
				}
				w.check(w.Search, w.query())
			}
		})
	}
}
