package notify

import (
	"context"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Change is a change of settings. Fields that are nil stay.
type Change struct {
	Level          *Level
	PausedUntil    *time.Time // to the millisecond; the zero time ends the pause
	Quiet          *QuietHours
	MentionsAlways *bool
	Show           *Show
}

// Service stores the settings of people. It is safe for concurrent use.
type Service struct{ table *dynamo.Table }

// NewService returns a service of the settings in a table.
func NewService(t *dynamo.Table) *Service { return &Service{table: t} }

// Settings returns the caller's settings. A change of the last second may be missing. It is one
// eventual read: half a read unit.
func (s *Service) Settings(ctx context.Context, caller chat.UserID) (Settings, error) {
	settings, _, err := dynamo.ReadEventual(
		ctx, s.table, "read notification settings", table.NotifyKey(caller), parse,
	)
	return settings, err
}

// Change changes the caller's settings, and returns them. The error is Invalid for quiet hours that
// QuietHours.Check refuses. It is one update and one strong read: 1 write and 1 read unit.
func (s *Service) Change(ctx context.Context, caller chat.UserID, c Change) (Settings, error) {
	if c.Quiet != nil {
		if err := c.Quiet.Check(); err != nil {
			return Settings{}, err
		}
	}
	key := table.NotifyKey(caller)
	if _, _, err := s.table.UpdateItem(ctx, "change notification settings", key, c.update()); err != nil {
		return Settings{}, err
	}
	settings, _, err := dynamo.ReadStrong(ctx, s.table, "read current notification settings", key, parse)
	return settings, err
}

// The attributes of a person's notification settings.
const (
	attrLevel          = "level"
	attrPausedUntil    = "pausedUntil"
	attrQuietZone      = "quietZone"
	attrQuietFrom      = "quietFrom"
	attrQuietTo        = "quietTo"
	attrQuietDays      = "quietDays"
	attrMentionsAlways = "mentionsAlways"
	attrShow           = "show"
)

// update changes a person's settings, or creates them. Values that are absent by default are
// removed.
func (c Change) update() table.Update {
	values := table.Item{}
	if c.Level != nil {
		values[attrLevel] = table.OptionalText(c.Level.String())
	}
	if c.PausedUntil != nil {
		values[attrPausedUntil] = table.OptionalTime(*c.PausedUntil)
	}
	if q := c.Quiet; q != nil {
		values[attrQuietZone] = table.OptionalText(q.Zone)
		values[attrQuietFrom], values[attrQuietTo] = table.OptionalNumber(q.From), table.OptionalNumber(q.To)
		values[attrQuietDays] = table.OptionalNumber(int(q.Days))
	}
	if c.MentionsAlways != nil {
		values[attrMentionsAlways] = table.OptionalTrue(*c.MentionsAlways)
	}
	if c.Show != nil {
		values[attrShow] = table.OptionalText(c.Show.String())
	}
	u := table.Update{Names: map[string]string{}, Values: table.Item{}}.Stamped(table.NotifyKind)
	u.SetOrRemove(values)
	return u
}

// parse reads a person's notification settings. A level or a form of a later version reads as
// the default.
func parse(item table.Item) (Settings, error) {
	r := table.Reader{Item: item}
	r.Expect(table.NotifyKind)
	s := Settings{
		PausedUntil: r.OptionalTime(attrPausedUntil), MentionsAlways: item[attrMentionsAlways] != nil,
		Quiet: QuietHours{
			Zone: r.OptionalText(attrQuietZone),
			From: int(r.OptionalNumber(attrQuietFrom)), To: int(r.OptionalNumber(attrQuietTo)),
			Days: Days(r.OptionalNumber(attrQuietDays) & int64(EveryDay)),
		},
	}
	s.Level, _ = ParseLevel(r.OptionalText(attrLevel))
	s.Show, _ = ParseShow(r.OptionalText(attrShow))
	if r.Err != nil {
		return Settings{}, fmt.Errorf("notification settings: %w", r.Err)
	}
	return s, nil
}
