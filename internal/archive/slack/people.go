package slack

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

// botProfile describes the program that wrote a message, in newer exports.
type botProfile struct {
	Name string `json:"name"`
}

// botPrefix begins the users of programs that have only a name in the export.
const botPrefix = "bot:"

// byBot reports whether a program wrote m.
func (m message) byBot() bool {
	return m.Subtype == botMessage || m.User == "" && (m.BotID != "" || m.Username != "")
}

// unknownBot is the name of a program that the export does not describe.
const unknownBot = "unknown"

// botName returns the name under which a program wrote m, or its id.
func (m message) botName() string {
	return slacktext.First(string(m.Username), m.BotProfile.Name, string(m.BotID), unknownBot)
}

// sender returns a record with the sender of m, and a note if they are not in users.json. A
// program is the user of its account, or else its id, or else its name.
func (c channelReader) sender(m message) archive.Record {
	id := slacktext.First(m.User, c.bots[string(m.BotID)])
	var r archive.Record
	switch {
	case id != "":
		r.User, r.Note = c.userOf(id), c.noteUnlisted(id)
		r.Others = append(r.Others, archive.EscapeName(id))
	case m.BotID != "":
		r.User, r.Bot = archive.EscapeName(string(m.BotID)), m.botName()
	default:
		r.User, r.Bot = archive.EscapeName(botPrefix+m.botName()), m.botName()
	}
	if m.BotID != "" {
		r.Others = append(r.Others, archive.EscapeName(string(m.BotID)))
	}
	r.Others = slices.DeleteFunc(r.Others, func(u chat.UserID) bool { return u == r.User })
	return r
}

// userOf returns the user for an id of the export: the mapped one, or the id.
func (e *export) userOf(id string) chat.UserID {
	if user, ok := e.mapped[id]; ok {
		return user
	}
	return archive.EscapeName(id)
}

// mapPeople resolves a map of people, whose keys are ids or handles of the export. An id takes
// precedence over an equal handle.
func (e *export) mapPeople(people []archive.Mapping) error {
	ids := map[string][]string{} // by handle
	for _, u := range e.users {
		ids[u.Name] = append(ids[u.Name], u.ID)
	}
	e.mapped = make(map[string]chat.UserID, len(people))
	for _, p := range people {
		id := p.From
		if _, isID := e.names.Users[id]; !isID {
			named := ids[p.From]
			switch {
			case len(named) == 0 || p.From == "":
				return fmt.Errorf("%w: %q is neither an id nor a handle of %s", p.Fault(), p.From, usersFile)
			case len(named) > 1:
				return fmt.Errorf(
					"%w: %q is the handle of several people, %s: give their ids", p.Fault(), p.From,
					strings.Join(named, " and "),
				)
			}
			id = named[0]
		}
		if _, twice := e.mapped[id]; twice {
			return fmt.Errorf("%w: %q is mapped twice", p.Fault(), p.From)
		}
		e.mapped[id] = p.To
	}
	e.noteTwins()
	return nil
}

// noteTwins notes the ids that are probably one person's, unless they are mapped: a Slack Connect
// guest, or a person of an Enterprise Grid with another id in a team.
func (e *export) noteTwins() {
	first := map[string]string{}
	for _, u := range e.users {
		if u.IsBot {
			continue
		}
		marks := []string{"id " + u.ID}
		if u.Enterprise.ID != "" {
			marks = append(marks, "id "+u.Enterprise.ID)
		}
		if u.Profile.Email != "" {
			marks = append(marks, "mail "+strings.ToLower(u.Profile.Email))
		}
		noted := false
		for _, mark := range marks {
			other, known := first[mark]
			if !known {
				first[mark] = u.ID
			} else if other != u.ID && !noted && e.userOf(other) != e.userOf(u.ID) {
				noted = true
				e.note(
					usersFile,
					fmt.Sprintf(
						"%.40q and %.40q are probably one person: --people can map both to one subject", other, u.ID,
					),
				)
			}
		}
	}
}

// fullName returns the name of a user's profile, as in the export.
func (u user) fullName() string {
	return slacktext.First(u.Profile.RealName, u.RealName, u.Profile.DisplayName, u.Name, u.ID)
}

// shownName returns the name in texts that mention a user: the name of their profile, or the handle
// of a user whose name is invalid.
func (u user) shownName() string {
	name := strings.Join(strings.Fields(u.fullName()), " ")
	if name == "" || chat.CheckLine("name", name, chat.MaxName) != nil {
		return slacktext.First(u.Name, u.ID)
	}
	return name
}

// people returns the users of the export. Their names are the full names that Slack shows.
func (e *export) people() []archive.Person {
	all := make([]archive.Person, len(e.users))
	for i, u := range e.users {
		_, mapped := e.mapped[u.ID]
		all[i] = archive.Person{
			User:   e.userOf(u.ID),
			Name:   u.fullName(),
			Title:  u.Profile.Title,
			Avatar: u.Profile.Image,
			Handle: u.Name,
			Bot:    u.IsBot,
			Left:   u.Deleted && !u.IsBot && !mapped,
		}
	}
	return all
}

// members returns the members of the rooms, and sets the rooms' owners: the members who own or
// administer the workspace. If there is none, these are everybody in a conversation, and the
// primary owner in a public room.
func (e *export) members(rooms []archive.Room) []archive.Member {
	byID := map[string]user{}
	var primary chat.UserID
	for _, u := range e.users {
		byID[u.ID] = u
		if u.IsPrimaryOwner && !u.Deleted {
			primary = e.userOf(u.ID)
		}
	}
	var all []archive.Member
	for i := range rooms {
		r := &rooms[i]
		at := slices.IndexFunc(e.channels, func(c channel) bool { return c.ID == r.Channel })
		for _, id := range e.channels[at].Members {
			u := byID[id]
			_, mapped := e.mapped[id]
			switch {
			case id == "":
				continue
			case u.Deleted && !mapped && r.Direct == nil:
				e.leftMembers++
				continue
			}
			all = append(all, archive.Member{Room: r.ID, User: e.userOf(id)})
			if (u.IsAdmin || u.IsOwner || u.IsPrimaryOwner) && !u.Deleted && r.Direct == nil {
				r.Owners = append(r.Owners, e.userOf(id))
			}
		}
		if e.channels[at].direct() && len(r.Owners) == 0 && r.Direct == nil {
			r.Owners = e.peopleOf(e.channels[at]) // nobody else may join a conversation
		}
		if len(r.Owners) == 0 && !r.Private && primary != "" {
			r.Owners = []chat.UserID{primary}
			all = append(all, archive.Member{Room: r.ID, User: primary})
		}
	}
	return all
}

// ListPeople writes the people of an export as a map of people whose subjects are to be filled
// in.
func ListPeople(name string, w io.Writer) error {
	a, err := Open(name, Options{})
	if err != nil {
		return err
	}
	e := a.Source.(*export) //nolint:forcetypeassert // Open has made it
	table := csv.NewWriter(w)
	_ = table.Write(archive.MapColumns()) // Flush keeps the error
	for _, u := range e.users {
		if !u.IsBot && u.ID != slackbot {
			_ = table.Write([]string{u.ID, u.Name, u.fullName(), u.Profile.Email, ""})
		}
	}
	table.Flush()
	return table.Error()
}

// slackbot is the id of Slack's own program, which some lists name as a person.
const slackbot = "USLACKBOT"
