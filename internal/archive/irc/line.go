package irc

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// maxLine limits how much of a line is read. It leaves room for a nick and the longest text, so
// that the text of a longer line is always too long.
const maxLine = 2 * chat.MaxText

// rawLine is a line without its line ending. If long is set, text holds only the first maxLine
// bytes.
type rawLine struct {
	text string
	long bool
}

// lines yields the lines of r, followed by the error that ended them early, if any. The last line
// may lack its line ending.
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
			if line.text == "" { // the end of the file: any line has at least its line ending
				return
			}
			line.text = strings.TrimSuffix(strings.TrimSuffix(line.text, "\n"), "\r")
			if !yield(line, nil) || err != nil {
				return
			}
		}
	}
}

// parsedLine is the content of a line.
type parsedLine struct {
	time  time.Duration // since midnight, if timed
	timed bool
	nick  string
	text  string
	skip  archive.Reason // empty for a message
	note  string
}

// parseLine parses a line in one of the forms
//
//	[12:34] <nick> text
//	[12:34]  * nick text
//	=== notice
//
// An action, the second form, is a message like any other.
func parseLine(raw rawLine) parsedLine {
	var l parsedLine
	rest := strings.TrimPrefix(raw.text, "\uFEFF")
	blank := rest == ""
	l.time, rest, l.timed = cutTime(rest)
	body := strings.TrimLeft(rest, " ")
	switch {
	case strings.HasPrefix(body, "==="):
		l.skip = Notice
	case raw.long:
		l.skip, l.note = archive.LongText, "is longer than any message may be"
	case !utf8.ValidString(raw.text):
		l.skip, l.note = archive.NotUTF8, "is not valid UTF-8"
	case blank:
		l.skip = BlankLine
	case !l.timed:
		l.skip, l.note = BadLine, "does not begin with a time, as in [23:59]"
	default:
		l.parseBody(body)
	}
	return l
}

// parseBody parses the part of a line after the time.
func (l *parsedLine) parseBody(body string) {
	var ok bool
	if action, found := strings.CutPrefix(body, "* "); found {
		l.nick, l.text, _ = strings.Cut(action, " ")
		ok = true
	} else if said, found := strings.CutPrefix(body, "<"); found {
		l.nick, l.text, ok = strings.Cut(said, ">")
		l.nick, l.text = strings.Trim(l.nick, " "), strings.TrimPrefix(l.text, " ")
	}
	if !ok || l.nick == "" || strings.Contains(l.nick, " ") {
		l.skip, l.note = BadLine, "is not a message, an action or a notice"
		return
	}
	l.skip, l.note = archive.CheckText(l.text)
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
