package notify

import (
	"slices"
	"time"

	"example.com/parley/internal/chat"
)

// Settings are a person's choices for the notifications of all rooms and devices. The zero
// Settings are the defaults.
type Settings struct {
	Level       Level     // Unset means Direct
	PausedUntil time.Time // there are no notifications until then, to the millisecond
	Quiet       QuietHours
	// MentionsAlways lets notifications of messages that mention the person by name through while
	// others are held back.
	MentionsAlways bool
	Show           Show
}

// Show selects how much a notification shows, also on a locked screen.
type Show int

// The forms of notifications. Each shows less than the one before.
const (
	ShowText    Show = iota // the sender, the room and the text
	ShowSender              // the sender and the room
	ShowNothing             // that there is a message
)

var showNames = [...]string{ShowText: "text", ShowSender: "sender", ShowNothing: "none"}

// String returns the name on the wire.
func (s Show) String() string { return showNames[s] }

// ParseShow parses a name, and reports whether it is known.
func ParseShow(name string) (Show, bool) {
	i := slices.Index(showNames[:], name)
	return Show(max(i, 0)), i >= 0
}

// QuietHours are the hours of some days in which a person is not to be disturbed, by the clock on
// a wall of their time zone. The zero QuietHours are none.
type QuietHours struct {
	Zone     string // a name of the IANA time zone database; empty if there are no quiet hours
	From, To int    // minutes after midnight; if To is not after From, the hours end on the next day
	Days     Days   // the days on which they begin
}

// Days is a set of weekdays: bit d stands for the weekday d, as time.Weekday numbers them.
type Days uint8

// EveryDay is the set of all weekdays.
const EveryDay Days = 1<<7 - 1

// Contains reports whether a weekday is in the set.
func (d Days) Contains(day time.Weekday) bool { return d&(1<<day) != 0 }

// With returns the set and a weekday.
func (d Days) With(day time.Weekday) Days { return d | 1<<day }

// minutesOfDay is the length of a day on the clock.
const minutesOfDay = 24 * 60

// Check returns an Invalid error unless q is zero, or has a known zone, times of a day, and at
// least one day. The program must embed time zones, because Lambda has none.
func (q QuietHours) Check() error {
	if q == (QuietHours{}) {
		return nil
	}
	zone, err := time.LoadLocation(q.Zone)
	switch {
	case q.Zone == "" || err != nil || zone == time.Local:
		return chat.Invalidf("quiet.zone", "must be a time zone, such as Europe/Berlin")
	case q.From < 0 || q.From >= minutesOfDay:
		return chat.Invalidf("quiet.from", "must be 00:00 to 23:59")
	case q.To < 0 || q.To >= minutesOfDay:
		return chat.Invalidf("quiet.to", "must be 00:00 to 23:59")
	case q.Days == 0 || q.Days > EveryDay:
		return chat.Invalidf("quiet.days", "must have 1 to 7 days")
	}
	return nil
}

// Contains reports whether a time is in the quiet hours. Hours that begin on one of the days belong
// to it, even if they end on the next day; they last a whole day if they begin and end at the same
// minute. An hour that the clock repeats when daylight saving ends is quiet twice, or not at all.
// Without a zone, or in an unknown one, nothing is quiet.
func (q QuietHours) Contains(now time.Time) bool {
	if q.Zone == "" {
		return false
	}
	zone, err := time.LoadLocation(q.Zone)
	if err != nil {
		return false
	}
	local := now.In(zone)
	minute, today := local.Hour()*60+local.Minute(), local.Weekday()
	yesterday := (today + 6) % 7
	if q.From < q.To {
		return minute >= q.From && minute < q.To && q.Days.Contains(today)
	}
	return minute >= q.From && q.Days.Contains(today) || minute < q.To && q.Days.Contains(yesterday)
}

// IsQuiet reports whether the settings hold notifications back at a time.
func (s Settings) IsQuiet(now time.Time) bool {
	return now.Before(s.PausedUntil) || s.Quiet.Contains(now)
}
