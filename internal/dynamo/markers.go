package dynamo

import (
	"context"

	"parley/internal/inbox"
	"parley/internal/table"
)

// PutReadMarker is one conditional update: 1 write unit. If the condition does not hold it returns
// the existing marker.
func (s *Store) PutReadMarker(ctx context.Context, m inbox.ReadMarker) (inbox.ReadMarker, error) {
	item, failed, err := s.table.updateItem(ctx, "put read marker", table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerUpdate(m))
	if err != nil || !failed {
		return m, err
	}
	existing, err := table.ParseReadMarker(item)
	return existing, translate("put read marker", err)
}
