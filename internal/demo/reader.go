package demo

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// reader reads the file of a room.
type reader struct {
	team  []Person
	room  Room
	line  int // the number of the line that is read
	days  int // of the section
	doc   bool
	begun bool     // the first section has begun
	code  bool     // within a block of code
	text  []string // of the message, edit or save that is read
}

// heading is the line before a text: "09:30 mira", with "> " for a reply and ">> " for a reply that
// the room shows too, with the working days ago if they differ from the section's, or with "-1:20"
// for an hour and twenty minutes ago. In a document, the part follows.
var heading = regexp.MustCompile(`^(>>? )?((?:\d )?\d\d:\d\d|-\d+:\d\d) ([a-z]+)(?: ([a-z-]+))?$`)

func (r *reader) read(text string) error {
	for _, line := range append(strings.Split(text, "\n"), "== end") {
		r.line++
		if err := r.add(line); err != nil {
			return err
		}
	}
	return nil
}

// add adds a line.
func (r *reader) add(line string) error {
	if strings.HasPrefix(line, "```") {
		r.code = !r.code
	}
	m := heading.FindStringSubmatch(line)
	switch {
	case r.code:
		r.text = append(r.text, line)
	case strings.HasPrefix(line, "== "):
		return r.section(strings.Fields(line[3:]))
	case !r.begun:
		return r.setting(line)
	case m != nil:
		return r.begin(m)
	case strings.HasPrefix(line, "+ "):
		return r.detail(line[2:])
	default:
		r.text = append(r.text, line)
	}
	return nil
}

// setting reads a line about the room.
func (r *reader) setting(line string) (err error) {
	key, value, _ := strings.Cut(line, ": ")
	switch key {
	case "":
	case "name":
		r.room.Name = value
	case "topic":
		r.room.Topic = value
	case "kind":
		r.room.Private, r.room.Direct = value == "private", value == "direct"
	case "members":
		r.room.Members, err = r.users(strings.Fields(value))
	case "favorite":
		r.room.Favorite, err = r.users(strings.Fields(value))
	default:
		return fmt.Errorf("unknown setting %q", key)
	}
	return err
}

// users checks the ids of people. "everyone" stands for those not yet named.
func (r *reader) users(words []string) (users []chat.UserID, err error) {
	for _, word := range words {
		for _, p := range r.team {
			if (word == "everyone" || string(p.User) == word) && !slices.Contains(users, p.User) {
				users = append(users, p.User)
			}
		}
		if word != "everyone" && !slices.Contains(users, chat.UserID(word)) {
			return nil, fmt.Errorf("nobody is called %q", word)
		}
	}
	return users, nil
}

// user checks the id of a person.
func (r *reader) user(word string) (chat.UserID, error) {
	users, err := r.users([]string{word})
	if err == nil && len(users) != 1 {
		err = fmt.Errorf("%q is not one person", word)
	}
	if err != nil {
		return "", err
	}
	return users[0], nil
}

// section begins a day or a document.
func (r *reader) section(words []string) (err error) {
	if err := r.end(); err != nil {
		return err
	}
	r.begun, r.doc = true, false
	switch words[0] {
	case "end", "today":
		r.days = 0
	case "document":
		r.doc = true
		r.room.Documents = append(r.room.Documents, Document{ID: words[1], Title: strings.Join(words[2:], " ")})
	default:
		r.days, err = strconv.Atoi(words[0])
	}
	return err
}

// moment reads a time: "09:30", "3 09:30" or "-1:20".
func (r *reader) moment(text string) (m Moment, err error) {
	days, clock, ok := strings.Cut(text, " ")
	if !ok {
		days, clock = strconv.Itoa(r.days), text
	}
	ago := strings.HasPrefix(clock, "-")
	hours, minutes, _ := strings.Cut(strings.TrimPrefix(clock, "-"), ":")
	if m.Time, err = time.ParseDuration(hours + "h" + minutes + "m"); err != nil || ago {
		return m, err
	}
	if m.Days, err = strconv.Atoi(days); err == nil && m.Days == 0 {
		err = fmt.Errorf("today's %s may be in the future; use a time ago, such as -1:20", clock)
	}
	return m, err
}

// begin begins a message, or a version of a part of a document.
func (r *reader) begin(heading []string) error {
	if err := r.end(); err != nil {
		return err
	}
	at, err := r.moment(heading[2])
	if err != nil {
		return err
	}
	by, err := r.user(heading[3])
	if err != nil {
		return err
	}
	if r.doc {
		doc := &r.room.Documents[len(r.room.Documents)-1]
		doc.Saves = append(doc.Saves, Save{At: at, By: by, Part: heading[4]})
		return nil
	}
	r.room.Messages = append(r.room.Messages, Message{
		Line: r.line, At: at, By: by, Reply: heading[1] != "", ShowInRoom: heading[1] == ">> ",
	})
	return nil
}

// message returns the message that is read.
func (r *reader) message() *Message { return &r.room.Messages[len(r.room.Messages)-1] }

// end completes the text that is read.
func (r *reader) end() error {
	text := strings.Trim(strings.Join(r.text, "\n"), "\n")
	r.text = nil
	switch {
	case text == "":
		return nil
	case r.doc:
		saves := r.room.Documents[len(r.room.Documents)-1].Saves
		saves[len(saves)-1].Text = text
		return nil
	case len(r.room.Messages) == 0:
		return fmt.Errorf("%q is before the first message", text)
	}
	m := r.message()
	if n := len(m.Edits); n > 0 && m.Edits[n-1].Text == "" {
		m.Edits[n-1].Text = text
		return nil
	}
	if m.Text != "" {
		return fmt.Errorf("%q follows the details of a message", text)
	}
	m.Text = text
	return nil
}

// detail reads a line about the message before it: "edited 09:31", which a new text follows,
// "deleted 09:32", "pinned mira", "quotes mira", "saved mira", "read mira", "several",
// "option Rice: mira jun", "file plan.png What it shows", or an emoji with the people who reacted.
func (r *reader) detail(line string) (err error) {
	if err := r.end(); err != nil {
		return err
	}
	m := r.message()
	word, rest, _ := strings.Cut(line, " ")
	var users []chat.UserID
	switch word {
	case "edited", "deleted":
		at, err := r.moment(rest)
		if word == "edited" {
			m.Edits = append(m.Edits, Edit{At: at})
		} else {
			m.DeletedAt = &at
		}
		return err
	case "several":
		m.Several = true
	case "option":
		text, voters, _ := strings.Cut(rest, ":")
		users, err = r.users(strings.Fields(voters))
		m.Poll = append(m.Poll, Option{text, users})
	case "file":
		name, alt, _ := strings.Cut(rest, " ")
		m.Files = append(m.Files, File{name, alt})
	case "pinned":
		m.PinnedBy, err = r.user(rest)
	case "quotes":
		m.Quotes, err = r.user(rest)
	case "saved":
		m.SavedBy, err = r.users(strings.Fields(rest))
	case "read":
		m.ReadBy, err = r.users(strings.Fields(rest))
	default:
		users, err = r.users(strings.Fields(rest))
		m.Reactions = append(m.Reactions, Reaction{word, users})
	}
	return err
}
