package irc

import "time"

// clock converts the times of day of one log to increasing times.
type clock struct {
	day    time.Time
	shift  time.Duration // multiple of halfDay added to the log's times of day
	minute time.Time     // minute of the previous line
	n      int           // number of lines in that minute
	last   time.Time
}

// halfDay is added to times that run backward. Some logs continue past midnight, and others use
// a 12-hour clock.
const halfDay = 12 * time.Hour

// next returns the time of a line. The n-th line of a minute gets n milliseconds.
func (c *clock) next(timeOfDay time.Duration) time.Time {
	minute := c.day.Add(timeOfDay + c.shift)
	for minute.Before(c.minute) {
		minute = minute.Add(halfDay)
		c.shift += halfDay
	}
	if !minute.Equal(c.minute) {
		c.minute, c.n = minute, 0
	}
	c.n++
	at := minute.Add(time.Duration(c.n) * time.Millisecond)
	if !at.After(c.last) { // a previous minute has over 60,000 lines
		at = c.last.Add(time.Millisecond)
	}
	c.last = at
	return at
}
