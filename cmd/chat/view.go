package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
)

// maxRemembered bounds the messages whose revisions a view remembers. Edits of older messages are
// shown even if a line has already shown them.
const maxRemembered = 10_000

// message is a message as the API shows it.
type message struct {
	follow.Message
	raw json.RawMessage
}

// UnmarshalJSON keeps the JSON text in addition to the fields.
func (m *message) UnmarshalJSON(text []byte) error {
	m.raw = append(json.RawMessage(nil), text...)
	return json.Unmarshal(text, &m.Message)
}

// view prints messages and changes, one per line.
type view struct {
	out      io.Writer
	terminal bool
	json     bool
	rooms    bool            // each line has its room
	room     string          // of the line, with rooms
	first    time.Time       // older messages are not new, although the feed may repeat them
	head     int64           // changes up to this number are not new either
	shown    map[string]int  // the last shown revision of each message
	blocked  map[string]bool // people whose messages are hidden
}

func newView(out io.Writer, terminal, asJSON bool) *view {
	return &view{out: out, terminal: terminal, json: asJSON, shown: map[string]int{}, blocked: map[string]bool{}}
}

// loadBlocks reads whom the user has blocked: frames are the same for everyone, so the reader must
// hide messages.
func (v *view) loadBlocks(ctx context.Context, api *client.Client) error {
	var page struct{ Items []struct{ User string } }
	_, err := api.Do(
		ctx, client.Call{Method: http.MethodGet, Path: "/people/me/blocks", Want: []int{http.StatusOK}, Into: &page},
	)
	if err != nil {
		return err
	}
	for _, b := range page.Items {
		v.blocked[b.User] = true
	}
	return nil
}

// event prints an event.
func (v *view) event(e follow.Event) error {
	if e.Type == "personal" {
		return v.personal(e.Frame)
	}
	if v.rooms {
		v.room = harmless(e.Room)
	}
	for _, c := range e.Changes {
		if err := v.change(c); err != nil {
			return err
		}
	}
	return nil
}

// personal applies a block that the user sets or lifts elsewhere.
func (v *view) personal(frame []byte) error {
	var in struct {
		Event struct {
			Type, User string
			Blocked    bool
		}
	}
	if err := json.Unmarshal(frame, &in); err != nil {
		return fmt.Errorf("a personal frame: %w", err)
	}
	if in.Event.Type == "block.changed" {
		v.blocked[in.Event.User] = in.Event.Blocked
	}
	return nil
}

// change prints a change.
func (v *view) change(c follow.Change) error {
	switch {
	case v.json && v.rooms:
		return v.line(fmt.Sprintf(`{"room":%q,"change":%s}`, v.room, harmlessJSON(c.Raw)))
	case v.json: // programs get every change, and hide messages themselves
		return v.line(harmlessJSON(c.Raw))
	case c.Message != nil && v.hides(*c.Message):
		return nil
	case c.Type == "message.created" && c.Message != nil && c.Message.ReceivedAt.Before(v.first):
		return nil
	case c.Message != nil:
		return v.text(*c.Message)
	case c.Seq <= v.head:
		return nil
	case c.Member != nil && c.Member.Role == "":
		return v.line("* " + harmless(c.Member.User) + " is not in the room")
	case c.Member != nil:
		return v.line("* " + harmless(c.Member.User) + " is " + harmless(c.Member.Role))
	case c.Type == "room.changed":
		return v.line("* the room's settings have changed")
	}
	return nil
}

// message prints a message of a page.
func (v *view) message(m message) error {
	switch {
	case v.json:
		return v.line(harmlessJSON(m.raw))
	case v.hides(m.Message):
		return nil
	}
	return v.text(m.Message)
}

// hides reports whether a message must be hidden, and remembers the shown ones.
func (v *view) hides(m follow.Message) bool {
	if v.blocked[m.User] || m.Revision <= v.shown[m.ID] {
		return true
	}
	if len(v.shown) >= maxRemembered {
		clear(v.shown)
	}
	v.shown[m.ID] = m.Revision
	return false
}

// text prints the current state of a message.
func (v *view) text(m follow.Message) error {
	sent, user := m.SentAt.UTC().Format(time.RFC3339), harmless(m.User)
	if v.terminal {
		sent = m.SentAt.Local().Format(time.TimeOnly)
		sent, user = "\x1b[2m"+sent+"\x1b[0m", "\x1b[1m"+user+"\x1b[0m"
	}
	switch {
	case !m.DeletedAt.IsZero():
		return v.line(sent + " " + user + " (deleted)")
	case m.Kind != "": // nobody said it
		return v.line(sent + " * " + harmless(m.Text))
	case m.Revision > 1:
		return v.line(sent + " " + user + " (edited): " + harmless(m.Text))
	}
	return v.line(sent + " " + user + ": " + harmless(m.Text))
}

// line prints a line immediately, so that it is not lost if the program is killed.
func (v *view) line(text string) error {
	if v.room != "" && !v.json {
		text = v.room + " " + text
	}
	_, err := io.WriteString(v.out, strings.TrimSuffix(text, "\n")+"\n")
	return err
}

// nextLine begins each further line of a text, so that a text cannot fake separate output lines.
const nextLine = "\n    "

// harmless returns a text that is safe to print on a terminal. Control characters become their
// pictures, and marks that reverse the writing direction become U+FFFD.
func harmless(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteString(nextLine)
		case r == '\t':
			b.WriteByte(' ')
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case isHarmful(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// harmlessJSON returns JSON on one line, in which such characters are escaped.
func harmlessJSON(raw []byte) string {
	var b strings.Builder
	for _, r := range string(raw) {
		switch {
		case r == '\n' || r == '\r' || r == '\t': // between the tokens
			b.WriteByte(' ')
		case isHarmful(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isHarmful reports whether a character is a control character, a separator of lines, or changes
// the writing direction of the following text.
func isHarmful(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}
