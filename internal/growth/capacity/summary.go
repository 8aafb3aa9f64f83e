package capacity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Summary is how a load went on several rooms.
type Summary struct {
	Rooms         int
	Median, Worst Result // by the throttled part
	Last          Result // which shrank last, or least
}

// Try runs a load on several rooms: the luck of their hashes differs.
func Try(ctx context.Context, l Load, rooms int, retries Retries) (Summary, error) {
	var all []Result
	for n := range rooms {
		l.Room = fmt.Sprint("room-", n)
		r, err := Run(ctx, l, retries)
		if err != nil {
			return Summary{}, err
		}
		all = append(all, r)
	}
	last := slices.MaxFunc(all, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Epochs.Last().N, b.Epochs.Last().N), cmp.Compare(a.ShrunkAfter(), b.ShrunkAfter()))
	})
	slices.SortStableFunc(all, func(a, b Result) int { return cmp.Compare(a.Share(), b.Share()) })
	return Summary{Rooms: rooms, Median: all[rooms/2], Worst: all[rooms-1], Last: last}, nil
}

// Header is the head of a table of summaries.
const Header = "table\tramp\tfailed\trefused\tthrottled\tfeed behind by\tworst room\tof\tshards, median room\tthey end with"

// Row returns the summary as a row of that table.
func (s Summary) Row() string {
	m, w := s.Median, s.Worst
	return fmt.Sprintf("%d units/s\t%v\t%d\t%d\t%.2f %%\t%d\t%d failed, %.2f %%\t%d\t%s\t%d after %v",
		m.Warm, m.Ramp, m.Failed, m.Refused, m.Share(), m.Behind, w.Failed, w.Share(), s.Rooms, m.Growth(), s.Last.Epochs.Last().N, s.Last.ShrunkAfter())
}
