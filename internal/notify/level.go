// Package notify decides of which messages a person is notified, by the page, by an app, or by a
// push. The decision is pure; web/client/src/notify.ts makes the same one, and both are compared
// with testdata/decisions.golden (ADR 88).
package notify

import "time"

// Level selects the messages of which a person is notified.
type Level int

// The levels. Each includes the messages of the next one.
const (
	Unset    Level = iota // of a room: the person's level applies
	All                   // every message that the room lists
	Direct                // messages in direct rooms, replies in followed threads, and mentions
	Mentions              // mentions of the person or of everyone
	None
)

var levelNames = [...]string{Unset: "", All: "all", Direct: "direct", Mentions: "mentions", None: "none"}

// String returns the level's name on the wire, which is empty for Unset.
func (l Level) String() string { return levelNames[l] }

// ParseLevel parses a level's name, and reports whether there is such a level. The empty name is
// Unset.
func ParseLevel(name string) (Level, bool) {
	for l, n := range levelNames {
		if n == name {
			return Level(l), true
		}
	}
	return Unset, false
}

// Choice is a person's level for one room. The zero Choice leaves it to the person's level.
type Choice struct {
	Level Level
	Until time.Time // the choice ends then, to the millisecond; zero means no end
}

// At returns the choice that applies at a time: after its end, the zero Choice.
func (c Choice) At(now time.Time) Choice {
	if !c.Until.IsZero() && !now.Before(c.Until) {
		return Choice{}
	}
	return c
}

// Muted reports whether only mentions in the room count as unread.
func (c Choice) Muted() bool { return c.Level == Mentions || c.Level == None }
