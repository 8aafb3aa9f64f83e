package notify

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

// Store stores the settings of people. The error is a *chat.Error of kind Unavailable if the store
// cannot answer now.
type Store interface {
	// NotificationSettings returns the settings of a person, without a change of the last second.
	NotificationSettings(ctx context.Context, user chat.UserID) (Settings, error)
	// ChangeNotificationSettings makes a change, and returns all settings.
	ChangeNotificationSettings(ctx context.Context, user chat.UserID, c Change) (Settings, error)
}

// Change is a change of settings. Fields that are nil stay.
type Change struct {
	Level          *Level
	PausedUntil    *time.Time // to the millisecond; the zero time ends the pause
	Quiet          *QuietHours
	MentionsAlways *bool
	Show           *Show
}

// Service stores the settings of people. It is safe for concurrent use.
type Service struct{ store Store }

// NewService returns a Service.
func NewService(s Store) *Service { return &Service{store: s} }

// Settings returns the caller's settings. A change of the last second may be missing.
func (s *Service) Settings(ctx context.Context, caller chat.UserID) (Settings, error) {
	return s.store.NotificationSettings(ctx, caller)
}

// Change changes the caller's settings, and returns them. The error is Invalid for quiet hours that
// QuietHours.Check refuses.
func (s *Service) Change(ctx context.Context, caller chat.UserID, c Change) (Settings, error) {
	if c.Quiet != nil {
		if err := c.Quiet.Check(); err != nil {
			return Settings{}, err
		}
	}
	return s.store.ChangeNotificationSettings(ctx, caller, c)
}
