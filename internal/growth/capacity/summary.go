package capacity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// rooms is on how many rooms a load is tried: the luck of their hashes differs.
const rooms = 10

// Summary is how a load went on several rooms.
type Summary struct {
	Median, Worst Result // by the throttled part
	Shrunk        int    // the most shards of a room, two days later
}

// Try runs a load on several rooms.
func Try(ctx context.Context, ramp time.Duration, warm int, retries Retries) (Summary, error) {
	var all []Result
	for n := range rooms {
		r, err := Run(ctx, Load{Ramp: ramp, Warm: warm, Room: fmt.Sprint("room-", n)}, retries)
		if err != nil {
			return Summary{}, err
		}
		all = append(all, r)
	}
	shrunk := slices.MaxFunc(all, func(a, b Result) int { return cmp.Compare(a.Shrunk, b.Shrunk) }).Shrunk
	slices.SortFunc(all, func(a, b Result) int { return cmp.Compare(a.Share(), b.Share()) })
	return Summary{Median: all[rooms/2], Worst: all[rooms-1], Shrunk: shrunk}, nil
}

// Header is the head of a table of summaries.
const Header = "table\tramp\tfailed\trefused\tthrottled\tfeed behind by\tworst room\tshards, median room\tdays later"

// Row returns the summary as a row of that table.
func (s Summary) Row() string {
	m, w := s.Median, s.Worst
	return fmt.Sprintf("%d units/s\t%v\t%d\t%d\t%.2f %%\t%d\t%d failed, %.2f %%\t%s\t%d",
		m.Warm, m.Ramp, m.Failed, m.Refused, m.Share(), m.Behind, w.Failed, w.Share(), m.Growth(), s.Shrunk)
}
