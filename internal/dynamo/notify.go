package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/table"
)

// NotificationSettings is one eventual read: half a read unit.
func (s *Store) NotificationSettings(ctx context.Context, user chat.UserID) (notify.Settings, error) {
	settings, _, err := ReadEventual(
		ctx, s.table, "read notification settings", table.NotifyKey(user), table.ParseNotify,
	)
	return settings, err
}

// ChangeNotificationSettings is one update and one strong read: 1 write and 1 read unit.
func (s *Store) ChangeNotificationSettings(
	ctx context.Context, user chat.UserID, c notify.Change,
) (notify.Settings, error) {
	if _, _, err := s.table.UpdateItem(
		ctx, "change notification settings", table.NotifyKey(user), table.NotifyUpdate(c),
	); err != nil {
		return notify.Settings{}, err
	}
	settings, _, err := ReadStrong(
		ctx, s.table, "read current notification settings", table.NotifyKey(user), table.ParseNotify,
	)
	return settings, err
}
