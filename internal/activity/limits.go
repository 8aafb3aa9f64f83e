package activity

import "time"

const (
	// MaxDeviceID bounds a device id: room for a UUID and a word.
	MaxDeviceID = 64
	// MaxEvents bounds a batch of events: each is a write of its own or two, and takes
	// a token of its sender's; all together must fit a function's time.
	MaxEvents = 25
	// MaxEventType bounds an event's type, a word or two.
	MaxEventType = 32
	// MaxEventDetail bounds what else an event says, in bytes: with it an
	// entry costs one or two write units.
	MaxEventDetail = 1000
	// LogStep is the precision of a log's times, and how far an entry moves
	// on from an instant that is taken.
	LogStep = time.Microsecond
	// MaxPerInstant bounds how many microseconds in a row hold what happened at one
	// instant: whoever looks for a free one reads them all.
	MaxPerInstant = 100
	// MaxAppendPuts bounds the writes of one entry. Two are enough but for those who write at
	// the same instant at the same moment: more than a room has moderators at work.
	MaxAppendPuts = 16
	// DefaultRetention is how long log entries are kept: long enough to look
	// into a complaint, short enough to be no archive of people's habits.
	DefaultRetention = 30 * 24 * time.Hour
)
