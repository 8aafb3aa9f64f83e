package dynamo

import (
	"context"
	"time"

	"example.com/parley/internal/live"
	"example.com/parley/internal/table"
)

// missedAtOnce is the number of rows that SomeMissed reads: about 40 KB.
const missedAtOnce = 250

var _ live.MissedRows = (*LiveStore)(nil)

// PutMissed is one conditional put for each row, 32 concurrently: 1 write unit each.
func (s *LiveStore) PutMissed(ctx context.Context, all []live.Missed, now time.Time) error {
	return s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		_, err := s.table.PutItem(ctx, "remember missed changes", table.LiveMissedItem(all[i], now), table.LiveMissedBefore(all[i].Head, false))
		return err
	})
}

// SomeMissed is one eventual query: half a read unit for every 4 KB, and at least half a unit.
func (s *LiveStore) SomeMissed(ctx context.Context) ([]live.Missed, error) {
	q := Query{Operation: "read missed changes", Partition: table.LiveMissedPK, Limit: missedAtOnce}
	items, _, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	return ParseItems(q.Operation, items, table.ParseLiveMissed)
}

// DeleteMissed is one conditional delete for each row, 32 concurrently: 1 write unit each, even for
// a missing row.
func (s *LiveStore) DeleteMissed(ctx context.Context, all []live.Missed) error {
	return s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		_, _, err := s.table.deleteItem(ctx, "forget missed changes", table.LiveMissedKey(all[i]), table.LiveMissedBefore(all[i].Head, true))
		return err
	})
}
