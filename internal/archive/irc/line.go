package irc

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

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
			line.text = readable(strings.TrimRight(line.text, "\r\n"))
			if !yield(line, nil) || err != nil {
				return
			}
		}
	}
}

// controls are the marks of colors and looks in a text, and of requests between clients.
var controls = regexp.MustCompile("\x03(?:\\d{1,2}(?:,\\d{1,2})?)?|\x04(?:[0-9A-Fa-f]{6}(?:,[0-9A-Fa-f]{6})?)?|" +
	"[\x01\x02\x0f\x11\x12\x16\x1d\x1e\x1f]")

// readable returns a line as UTF-8 and without marks. A line that is not UTF-8 is of an older
// client: Latin-1, or what Windows makes of it.
func readable(text string) string {
	if !utf8.ValidString(text) {
		text, _ = charmap.Windows1252.NewDecoder().String(text) // every byte has a character, or U+FFFD
	}
	return controls.ReplaceAllString(strings.TrimPrefix(text, "\uFEFF"), "")
}

// parsedLine is the content of a line.
type parsedLine struct {
	stamp stamp     // if its form is not noForm
	day   time.Time // that the line states; zero if it states none
	nick  string
	text  string
	skip  archive.Reason // empty for a message
	note  string
}

// The beginnings of notices, after the time.
var notices = []string{"===", "***", "-!-", "---", "-->", "<--", "<-- ", "--", "=!=", "Session "}

// service begins a notice of a service or a person, such as -NickServ- or -ada:#x-.
var service = regexp.MustCompile(`^-[^\s-][^\s]*- `)

// event is a notice of HexChat, which has the form of an action.
var event = regexp.MustCompile(`^(?:\S+ \(\S+@\S+\) has (?:joined|left)|\S+ has (?:quit|left|joined|changed the topic|kicked|invited)\b|` +
	`\S+ (?:is now known as|sets mode|sets modes|gives (?:channel|half|voice)|removes (?:channel|half|voice)|sets ban|removes ban) |` +
	`(?:Now talking on|Topic for|Disconnected|Looking up|Connecting|You are now|You have been) ?)`)

// parseLine parses a line of a log whose times have a form. After the time, it has one of the forms
//
//	<nick> text
//	* nick text
//
// and WeeChat separates the nick by tabs. An action, the second form, is a message like any other.
func (r reader) parseLine(raw rawLine, of form) parsedLine {
	var l parsedLine
	text := raw.text
	if day, ok := dayOf(text); ok {
		l.day, l.skip = day, Notice
		return l
	}
	blank := strings.TrimSpace(text) == ""
	s, rest, timed := r.cut(text, of)
	if timed {
		l.stamp = s
	}
	body := strings.TrimLeft(rest, " ")
	switch {
	case raw.long:
		l.skip, l.note = archive.LongText, "is longer than any message may be"
	case blank:
		l.skip = BlankLine
	case isNotice(body):
		l.skip = Notice
	case !timed:
		l.skip, l.note = BadLine, "does not begin with a time, as the lines of its log do"
	default:
		l.parseBody(rest, body)
	}
	return l
}

func isNotice(body string) bool {
	for _, begin := range notices {
		if strings.HasPrefix(body, begin) {
			return true
		}
	}
	return service.MatchString(body)
}

// parseBody parses the part of a line after the time. rest still has its spaces.
func (l *parsedLine) parseBody(rest, body string) {
	ok := false
	if prefix, text, tabs := strings.Cut(
		rest, "\t",
	); tabs && !strings.HasPrefix(body, "<") && l.stamp.form == dateTime {
		switch prefix = strings.TrimSpace(prefix); prefix {
		case "":
			l.skip = Notice
			return
		case "*":
			l.nick, l.text, ok = strings.Cut(text, " ")
		default:
			l.nick, l.text, ok = prefix, text, true
		}
	} else if action, found := cutAction(body); found {
		if l.stamp.form == monthDay && event.MatchString(action) {
			l.skip = Notice
			return
		}
		l.nick, l.text, _ = strings.Cut(action, " ")
		ok = true
	} else if said, found := strings.CutPrefix(body, "<"); found {
		l.nick, l.text, ok = strings.Cut(said, ">")
		l.nick, l.text = strings.Trim(l.nick, " "), l.text[min(len(l.text), len("\t")):]
	}
	l.nick = strings.TrimLeft(l.nick, ranks)
	if !ok || l.nick == "" || strings.ContainsAny(l.nick, " \t") {
		l.skip, l.note = BadLine, "is not a message, an action or a notice"
		return
	}
	l.skip, l.note = archive.CheckText(l.text)
}

// cutAction cuts the star of an action.
func cutAction(body string) (action string, ok bool) {
	for _, star := range []string{"* ", "*\t"} {
		if action, ok = strings.CutPrefix(body, star); ok {
			return action, true
		}
	}
	return "", false
}

// ranks are the marks of people with rights in a channel. No nick begins with one.
const ranks = "~&@%+!"
