package table

import (
	"encoding/binary"
	"math"

	"example.com/parley/internal/feed"
)

// packMerged encodes the merged changes of a segment: each is its entry's index and its mark, both
// varints. An origin needs ten bytes, a revision usually one.
func packMerged(merged []feed.Merged) []byte {
	var b []byte
	for _, m := range merged {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(m.Into)), m.Mark)
	}
	return b
}

// unpackMerged decodes the result of packMerged, for a segment with that many entries. It rejects
// anything else.
func unpackMerged(b []byte, entries int) ([]feed.Merged, error) {
	u := unpacker{rest: b}
	var merged []feed.Merged
	for len(u.rest) > 0 && u.err == nil {
		m := feed.Merged{Into: int(u.number(feed.MaxSegmentChanges)), Mark: u.number(math.MaxUint64)}
		if m.Into >= entries || entries+len(merged) >= feed.MaxSegmentChanges {
			u.fail("merged change %d into entry %d of %d", len(merged), m.Into, entries)
		}
		merged = append(merged, m)
	}
	return merged, u.err
}
