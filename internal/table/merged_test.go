package table

import (
	"bytes"
	"encoding/hex"
	"math"
	"testing"

	"example.com/parley/internal/feed"
)

// TestPackMerged_KeepsTheStoredForm checks that the bytes of stored segments do not change.
func TestPackMerged_KeepsTheStoredForm(t *testing.T) {
	merged := []feed.Merged{{Into: 0, Mark: 3}, {Into: 200, Mark: math.MaxUint64}}
	if got, want := hex.EncodeToString(packMerged(merged)), "0003"+"c801ffffffffffffffffff01"; got != want {
		t.Errorf("packed as %s, want %s", got, want)
	}
}

// TestPackMerged_FitsAFullSegment merges as many changes as a batch has into one entry.
func TestPackMerged_FitsAFullSegment(t *testing.T) {
	merged := make([]feed.Merged, feed.MaxSegmentChanges-1)
	for i := range merged {
		merged[i].Mark = math.MaxUint64
	}
	b := packMerged(merged)
	if got, err := unpackMerged(b, 1); err != nil || len(got) != len(merged) || len(b) > 12<<10 {
		t.Errorf("%d bytes are read as %d merged changes, %v", len(b), len(got), err)
	}
	if _, err := unpackMerged(append(b, 0, 1), 1); err == nil {
		t.Error("more merged changes than a batch has are read")
	}
}

// FuzzUnpackMerged reads any bytes as the merged changes of a segment of three entries.
func FuzzUnpackMerged(f *testing.F) {
	f.Add([]byte{})
	f.Add(packMerged([]feed.Merged{{Into: 1, Mark: 300}, {Into: 2, Mark: math.MaxUint64}}))
	f.Add([]byte{3, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		merged, err := unpackMerged(b, 3)
		if err != nil {
			return
		}
		if again := packMerged(merged); !bytes.Equal(again, b) {
			t.Errorf("%x is read as %+v, which is written as %x", b, merged, again)
		}
		for _, m := range merged {
			if m.Into > 2 {
				t.Errorf("%x names entry %d of 3", b, m.Into)
			}
		}
	})
}
