package archive

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/chat"
)

// maxLine bounds what is read of a line. It leaves room for a nick
// beside the longest text, so that what is longer surely has too long a text.
const maxLine = 2 * chat.MaxText

// rawLine is a line without its end. The rest of a long one was thrown away.
type rawLine struct {
	text string
	long bool
}

// lines yields the lines of r, and at last the error that ended them early.
// The last line may lack its end.
func lines(r io.Reader) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		b := bufio.NewReaderSize(r, maxLine)
		for {
			part, err := b.ReadSlice('\n')
			line := rawLine{text: string(part), long: errors.Is(err, bufio.ErrBufferFull)}
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = b.ReadSlice('\n')
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(rawLine{}, err)
				return
			}
			if line.text == "" { // only at the end: others have their line end
				return
			}
			line.text = strings.TrimSuffix(strings.TrimSuffix(line.text, "\n"), "\r")
			if !yield(line, nil) || err != nil {
				return
			}
		}
	}
}

// ircLine is what a line says.
type ircLine struct {
	time  time.Duration // since midnight, where timed
	timed bool
	nick  string
	text  string
	skip  Reason // empty for a message
	note  string
}

// parseIRCLine reads one of
//
//	[12:34] <nick> text
//	[12:34]  * nick text
//	=== notice
//
// An action, the second form, is a message like any other.
func parseIRCLine(raw rawLine) ircLine {
	var l ircLine
	rest := strings.TrimPrefix(raw.text, "\uFEFF")
	blank := rest == ""
	l.time, rest, l.timed = cutTime(rest)
	body := strings.TrimLeft(rest, " ")
	switch {
	case strings.HasPrefix(body, "==="):
		l.skip = Notice
	case raw.long:
		l.skip, l.note = LongText, "is longer than any message may be"
	case !utf8.ValidString(raw.text):
		l.skip, l.note = NotUTF8, "is not valid UTF-8"
	case blank:
		l.skip = BlankLine
	case !l.timed:
		l.skip, l.note = BadLine, "does not begin with a time as in [23:59]"
	default:
		l.readBody(body)
	}
	return l
}

// readBody reads what follows the time.
func (l *ircLine) readBody(body string) {
	var ok bool
	if action, is := strings.CutPrefix(body, "* "); is {
		l.nick, l.text, _ = strings.Cut(action, " ")
		ok = true
	} else if said, is := strings.CutPrefix(body, "<"); is {
		l.nick, l.text, ok = strings.Cut(said, ">")
		l.nick, l.text = strings.Trim(l.nick, " "), strings.TrimPrefix(l.text, " ")
	}
	if !ok || l.nick == "" || strings.Contains(l.nick, " ") {
		l.skip, l.note = BadLine, "is neither a message nor an action nor a notice"
		return
	}
	l.skip, l.note = checkText(l.text)
}

// cutTime cuts [HH:MM] from the beginning of a line.
func cutTime(s string) (t time.Duration, rest string, ok bool) {
	const form = "[HH:MM]"
	if len(s) < len(form) || s[0] != '[' || s[3] != ':' || s[6] != ']' {
		return 0, s, false
	}
	hour, ok1 := twoDigits(s[1:3])
	minute, ok2 := twoDigits(s[4:6])
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, s, false
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute, s[len(form):], true
}

func twoDigits(s string) (int, bool) {
	return int(s[0]-'0')*10 + int(s[1]-'0'), isDigit(s[0]) && isDigit(s[1])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// ircClock turns the times of day of one log into instants that only grow.
type ircClock struct {
	day    time.Time
	shift  time.Duration // multiple of halfDay that the log has run over
	minute time.Time     // of the line before
	n      int           // lines of that minute
	last   time.Time
}

// halfDay is the step that cures a clock which runs backward: some logs pass
// midnight, others write the hours of a 12-hour clock.
const halfDay = 12 * time.Hour

// next is the instant of a line: the n-th of a minute gets n milliseconds.
func (c *ircClock) next(timeOfDay time.Duration) time.Time {
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
	if !at.After(c.last) { // a minute of over 60,000 lines came before
		at = c.last.Add(time.Millisecond)
	}
	c.last = at
	return at
}
