package slack

import (
	"fmt"
	"strings"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// botProfile describes the program that wrote a message, in newer exports.
type botProfile struct {
	Name string `json:"name"`
}

// botPrefix begins the users of programs that have no account in the export. Their names follow,
// so that a program is one user across all channels and hooks.
const botPrefix = "bot:"

// byBot reports whether a program wrote m.
func (m message) byBot() bool {
	return m.Subtype == botMessage || m.User == "" && (m.BotID != "" || m.Username != "")
}

// unknownBot is the name of a program that the export does not describe.
const unknownBot = "unknown"

// botName returns the name under which a program wrote m, or its id.
func (m message) botName() string {
	return firstOf(m.Username, m.BotProfile.Name, m.BotID, unknownBot)
}

// sender returns a record with the sender of m, and a note if they are not in users.json. A
// program with an account writes as that account.
func (c channelReader) sender(m message) archive.Record {
	if m.User == "" {
		name := m.botName()
		return archive.Record{User: archive.EscapeName(botPrefix + name), Bot: name}
	}
	r := archive.Record{User: c.userOf(m.User), Note: c.noteUnlisted(m.User)}
	if own := archive.EscapeName(c.names.handle(m.User)); own != r.User {
		r.Unmapped = own
	}
	return r
}

// userOf returns the user for an id of the export: the mapped one, or the handle.
func (e *export) userOf(id string) chat.UserID {
	if user, ok := e.mapped[id]; ok {
		return user
	}
	return archive.EscapeName(e.names.handle(id))
}

// mapPeople resolves a map of people, whose keys are ids or handles of the export. An id takes
// precedence over an equal handle.
func (e *export) mapPeople(people []archive.Mapping) error {
	ids := map[string]string{} // by handle and by id
	for _, u := range e.users {
		ids[u.Name] = u.ID
	}
	for _, u := range e.users {
		ids[u.ID] = u.ID
	}
	e.mapped = make(map[string]chat.UserID, len(people))
	for _, p := range people {
		id, ok := ids[p.From]
		if !ok || p.From == "" {
			return fmt.Errorf("%w: %q is neither an id nor a handle of %s", p.Fault(), p.From, usersFile)
		}
		if _, twice := e.mapped[id]; twice {
			return fmt.Errorf("%w: %q is mapped twice", p.Fault(), p.From)
		}
		e.mapped[id] = p.To
	}
	return nil
}

// fullName returns the name of a user's profile, as in the export.
func (u user) fullName() string {
	return firstOf(u.Profile.RealName, u.RealName, u.Profile.DisplayName, u.Name, u.ID)
}

// shownName returns the name in texts that mention a user: the name of their profile, or the handle
// of a user whose name is invalid.
func (u user) shownName() string {
	name := strings.Join(strings.Fields(u.fullName()), " ")
	if name == "" || chat.CheckLine("name", name, chat.MaxName) != nil {
		return firstOf(u.Name, u.ID)
	}
	return name
}

// people returns the users of the export. Their names are the full names that Slack shows.
func (e *export) people() []archive.Person {
	all := make([]archive.Person, len(e.users))
	for i, u := range e.users {
		all[i] = archive.Person{
			User:   e.userOf(u.ID),
			Name:   u.fullName(),
			Title:  u.Profile.Title,
			Avatar: u.Profile.Image,
			Bot:    u.IsBot,
		}
	}
	return all
}

// members returns the members of the channels that have a room.
func (e *export) members(channels []channel) []archive.Member {
	var all []archive.Member
	seen := map[chat.RoomID]bool{}
	for _, c := range channels {
		room := e.rooms[c.Name].room
		if seen[room] {
			continue // a channel of the same name
		}
		seen[room] = true
		for _, id := range c.Members {
			if id != "" {
				all = append(all, archive.Member{Room: room, User: e.userOf(id)})
			}
		}
	}
	return all
}
