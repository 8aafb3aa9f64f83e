package activity

import "time"

const (
	// MaxDeviceID is the maximum length of a device id: enough for a UUID and a word.
	MaxDeviceID = 64
	// MaxEvents is the maximum size of a batch of events. Each event consumes one or two writes
	// and one of the sender's tokens, and all of them must fit in a function's time limit.
	MaxEvents = 25
	// MaxEventType is the maximum length of an event's type: a word or two.
	MaxEventType = 32
	// MaxEventDetail is the maximum length of an event's detail, in bytes. Even with the longest
	// detail, an entry costs at most two write units.
	MaxEventDetail = 1000
	// LogStep is the precision of times in a log. It is also the step by which an entry moves on
	// from a taken time.
	LogStep = time.Microsecond
	// MaxPerInstant is the maximum number of consecutive microseconds that hold the events of one
	// instant. A search for a free one reads all of them.
	MaxPerInstant = 100
	// MaxAppendPuts is the maximum number of writes for one entry. Two are enough unless others
	// write concurrently at the same instant. The number exceeds the active moderators of a room.
	MaxAppendPuts = 16
	// DefaultRetention is how long log entries are stored by default. It is long enough to
	// investigate a complaint and too short to reveal people's habits.
	DefaultRetention = 30 * 24 * time.Hour
)
