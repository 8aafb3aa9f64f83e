package irc

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// form is the form of the times of a log. A log has one form.
type form int

// The forms of times, by the clients that write them.
const (
	noForm    form = iota
	brackets       // [12:34] or [12:34:56]: mIRC, ZNC, EnergyMech, eggdrop
	bare           // 12:34 or 12:34:56: irssi
	monthDay       // Mar 05 12:34:56: HexChat, XChat
	dateTime       // 2024-03-05 12:34:56, with a T, a fraction or a zone: WeeChat, and newer clients
	epoch          // 1709642096: seconds since 1970
	formCount = int(epoch) + 1
)

// forms returns the expressions of the forms. The groups have the names of the parts.
func forms() map[form]*regexp.Regexp {
	const (
		timeOfDay = `(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))?`
		month     = `(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`
		date      = `(?P<year>\d{4})-(?P<monthNumber>\d\d)-(?P<day>\d\d)`
		end       = `(?:[ \t]|$)`
	)
	return map[form]*regexp.Regexp{
		brackets: regexp.MustCompile(`^[\[(]` + timeOfDay + `[\])]`),
		bare:     regexp.MustCompile(`^` + timeOfDay + end),
		monthDay: regexp.MustCompile(`^\[?` + month + ` +(?P<day>\d{1,2}) ` + timeOfDay + `\]?` + end),
		dateTime: regexp.MustCompile(`^\[?` + date + `[T ]` + timeOfDay +
			`(?P<fraction>\.\d+)?(?P<zone>Z|[+-]\d\d:?\d\d)?\]?` + end),
		epoch: regexp.MustCompile(`^\[?(?P<epoch>\d{9,10})(?P<fraction>\.\d{1,9})?\]?` + end),
	}
}

// stamp is the time of a line.
type stamp struct {
	form      form
	at        time.Time // if the line has a date and a zone
	timeOfDay time.Duration
	// written is the date of the line, in the year 0 if it states none; zero if it has no date.
	written time.Time
}

// dated reports whether the line has a date.
func (s stamp) dated() bool { return !s.at.IsZero() || !s.written.IsZero() }

// year returns the year of a line with a date, which may be stated by an earlier day. It is 0 if it
// is unknown.
func (s stamp) year(before time.Time) int {
	switch {
	case !s.at.IsZero():
		return s.at.Year()
	case s.written.Year() != 0:
		return s.written.Year()
	case before.IsZero():
		return 0
	case before.Month() == time.December && s.written.Month() == time.January:
		return before.Year() + 1
	}
	return before.Year()
}

// date returns the date of a line with a date.
func (s stamp) date(before time.Time) time.Time {
	return time.Date(s.year(before), s.written.Month(), s.written.Day(), 0, 0, 0, 0, time.UTC)
}

// reader reads the times of lines.
type reader struct{ forms map[form]*regexp.Regexp }

// cut cuts a time from the beginning of a line. If only is not noForm, it must have this form.
func (r reader) cut(line string, only form) (s stamp, rest string, ok bool) {
	for f := range form(formCount) {
		expression := r.forms[f]
		if expression == nil || only != noForm && f != only {
			continue
		}
		at := expression.FindStringSubmatchIndex(line)
		if at == nil {
			continue
		}
		part := func(name string) string {
			i := 2 * expression.SubexpIndex(name)
			if i < 0 || at[i] < 0 {
				return ""
			}
			return line[at[i]:at[i+1]]
		}
		if s, ok = parseStamp(f, part); ok {
			return s, line[at[1]:], true
		}
	}
	return stamp{}, line, false
}

// parseStamp reads the parts of a time.
func parseStamp(f form, part func(name string) string) (stamp, bool) {
	number := func(name string) int { n, _ := strconv.Atoi(part(name)); return n } // 0 if it is absent
	fraction, _ := strconv.ParseFloat("0"+part("fraction"), 64)
	s := stamp{form: f}
	if f == epoch {
		s.at = time.Unix(
			int64(number("epoch")), 0,
		).UTC().Add(time.Duration(fraction * float64(time.Second))).Truncate(time.Millisecond)
		return s, true
	}
	hour, minute, second := number("hour"), number("minute"), number("second")
	if hour > 23 || minute > 59 || second > 60 {
		return stamp{}, false
	}
	s.timeOfDay = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	s.timeOfDay += time.Duration(fraction * float64(time.Second)).Truncate(time.Millisecond)
	year, month, day := number("year"), time.Month(number("monthNumber")), number("day")
	if name := part("month"); name != "" {
		named, err := time.Parse("Jan", name)
		if err != nil {
			return stamp{}, false
		}
		month = named.Month()
	}
	if f != monthDay && f != dateTime {
		return s, true
	}
	s.written = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	valid := s.written.Month() == month && s.written.Day() == day
	if zone := part("zone"); zone != "" && valid {
		offset, err := time.Parse("Z0700", strings.Replace(zone, ":", "", 1))
		s.at = s.written.Add(s.timeOfDay)
		if err == nil {
			_, seconds := offset.Zone()
			s.at = s.at.Add(-time.Duration(seconds) * time.Second)
		}
	}
	return s, valid
}

// marker is a line that states a day: of irssi, HexChat, mIRC and eggdrop.
var marker = regexp.MustCompile(`^(?:\[?\d\d:\d\d(?::\d\d)?\]? )?(?:--- (?:Log opened |Log closed |Day changed )?|\*{4} (?:BEGIN|ENDING) LOGGING AT |Session (?:Start|Time|Close): )` +
	`(?:\pL+,? +)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(\d{1,2})(?: \d\d:\d\d:\d\d)? (\d{4})$`)

// dayOf returns the day that a marker states.
func dayOf(line string) (time.Time, bool) {
	parts := marker.FindStringSubmatch(line)
	if parts == nil {
		return time.Time{}, false
	}
	day, err := time.Parse("Jan 2 2006", strings.Join(parts[1:], " "))
	return day, err == nil
}

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
