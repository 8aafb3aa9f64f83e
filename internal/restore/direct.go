package restore

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/table"
)

// copyDirectRoom puts back the record of a direct room, or replaces an earlier revision. People
// whose membership has changed since the restore point count as having left. When the room is
// opened again, the absent ones return.
func (r *run) copyDirectRoom(ctx context.Context, item table.Item) error {
	d, s, err := readInRoom(ctx, r, item, table.ParseDirect, func(d direct.Record) chat.RoomID { return d.Room.ID })
	if s == nil || err != nil {
		return err
	}
	for _, user := range d.Room.Direct {
		if s.since.members[user] && !slices.Contains(d.Away, user) {
			d.Away = append(d.Away, user)
		}
	}
	return r.settle(ctx, table.DirectKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, table.DirectKey(d.Room.Direct), table.ParseDirect)
		switch {
		case err != nil:
			return "", nil, err
		case existing == nil:
			return Put, change{r.to.PutNew(table.DirectAway(item, d.Away))}, nil
		case ours.Revision > d.Revision || ours.Room.ID != d.Room.ID:
			return Newer, nil, nil
		case ours.Revision == d.Revision:
			return Same, nil, nil
		}
		return Replaced, change{r.to.Put(table.DirectAway(item, d.Away), table.RevisionIs(ours.Revision))}, nil
	})
}
