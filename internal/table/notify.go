package table

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/notify"
)

// The attributes of a person's notification settings.
const (
	attrLevel          = "level" // also of a marker
	attrPausedUntil    = "pausedUntil"
	attrQuietZone      = "quietZone"
	attrQuietFrom      = "quietFrom"
	attrQuietTo        = "quietTo"
	attrQuietDays      = "quietDays"
	attrMentionsAlways = "mentionsAlways"
	attrShow           = "show"
)

// NotifyKey returns the primary key of a person's notification settings.
func NotifyKey(user chat.UserID) Item { return Key(PersonPK(user), skNotify) }

// NotifyUpdate changes a person's notification settings, or creates them. Values that are absent by
// default are removed.
func NotifyUpdate(c notify.Change) Update {
	u := Update{
		Names:  map[string]string{},
		Values: Item{},
	}.Stamped(NotifyKind)
	var all []optional
	put := func(attr string, after types.AttributeValue) {
		all = append(all, optional{attr, attr, Number(0), after}) // whatever it was
	}
	if c.Level != nil {
		put(attrLevel, optionalText(c.Level.String()))
	}
	if c.PausedUntil != nil {
		put(attrPausedUntil, optionalTime(*c.PausedUntil))
	}
	if q := c.Quiet; q != nil {
		put(attrQuietZone, optionalText(q.Zone))
		put(attrQuietFrom, optionalNumber(q.From))
		put(attrQuietTo, optionalNumber(q.To))
		put(attrQuietDays, optionalNumber(int(q.Days)))
	}
	if c.MentionsAlways != nil {
		put(attrMentionsAlways, optionalTrue(*c.MentionsAlways))
	}
	if c.Show != nil {
		put(attrShow, optionalText(c.Show.String()))
	}
	u.setOrRemove(all)
	return u
}

// ParseNotify reads a person's notification settings. A level or a form of a later version reads as
// the default.
func ParseNotify(item Item) (notify.Settings, error) {
	r := Reader{Item: item}
	r.Expect(NotifyKind)
	s := notify.Settings{
		PausedUntil: r.OptionalTime(attrPausedUntil), MentionsAlways: item[attrMentionsAlways] != nil,
		Quiet: notify.QuietHours{
			Zone: r.OptionalText(attrQuietZone),
			From: int(r.OptionalNumber(attrQuietFrom)), To: int(r.OptionalNumber(attrQuietTo)),
			Days: notify.Days(r.OptionalNumber(attrQuietDays) & int64(notify.EveryDay)),
		},
	}
	s.Level, _ = notify.ParseLevel(r.OptionalText(attrLevel))
	s.Show, _ = notify.ParseShow(r.OptionalText(attrShow))
	if r.Err != nil {
		return notify.Settings{}, fmt.Errorf("notification settings: %w", r.Err)
	}
	return s, nil
}
