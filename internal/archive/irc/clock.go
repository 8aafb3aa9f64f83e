package irc

import "time"

// clock converts the times of a log to increasing times.
type clock struct {
	zone   *time.Location
	day    time.Time // its date in UTC; zero while no line and no name has stated one
	twelve bool      // the log has a 12-hour clock

	shift time.Duration // multiple of halfDay added to the log's times of day
	base  time.Time     // of the previous line, without its number
	n     int           // number of lines at this time
	last  time.Time
}

const (
	// halfDay is added to times that run backward far, if the log has a 12-hour clock. Otherwise it
	// has continued past midnight.
	halfDay = 12 * time.Hour
	// mostBack is how far a clock is set back within a day: by a minute when it is corrected, and
	// by an hour at the end of summer time. Two of them may coincide.
	mostBack = 2 * time.Hour
)

// begin states the day of the following lines.
func (c *clock) begin(day time.Time) { c.day, c.shift = day, 0 }

// known reports whether a line of a form has a date.
func (c *clock) known(s stamp) bool { return s.dated() && s.year(c.day) != 0 || !c.day.IsZero() }

// next returns the time of a line. The n-th line of a time gets n milliseconds, so that lines stay
// in order.
func (c *clock) next(s stamp) time.Time {
	base := s.at
	switch {
	case !base.IsZero():
	case s.dated():
		base = c.local(s.date(c.day), s.timeOfDay)
		c.begin(s.date(c.day))
	default:
		base = c.local(c.day, s.timeOfDay+c.shift)
		for c.base.Sub(base) > mostBack {
			step := 2 * halfDay
			if c.twelve {
				step = halfDay
			}
			c.shift += step
			base = c.local(c.day, s.timeOfDay+c.shift)
		}
	}
	if back := c.base.Sub(base); 0 < back && back <= mostBack {
		base = c.base // the clock was set back
	}
	if !base.Equal(c.base) {
		c.base, c.n = base, 0
	}
	c.n++
	at := base.Add(time.Duration(c.n) * time.Millisecond)
	if back := c.last.Sub(at); 0 <= back && back <= mostBack { // a previous time has over 60,000 lines
		at = c.last.Add(time.Millisecond)
	}
	c.last = at
	return at
}

// local returns a time of a day in the log's zone. At the end of summer time a time occurs twice:
// it is the first one that does not run backward.
func (c *clock) local(day time.Time, timeOfDay time.Duration) time.Time {
	year, month, date := day.Date()
	hours, rest := int(timeOfDay/time.Hour), int(timeOfDay%time.Hour)
	t := time.Date(year, month, date, hours, 0, 0, rest, c.zone)
	for _, other := range []time.Time{t.Add(-time.Hour), t, t.Add(time.Hour)} {
		if other.Hour() == t.Hour() && other.Minute() == t.Minute() && !other.Before(c.base) {
			return other.UTC()
		}
	}
	return t.UTC()
}
