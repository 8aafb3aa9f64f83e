// Package slacktext converts Slack's markup, blocks and attachments to the Markdown that clients
// show. Imports of Slack's exports and incoming webhooks share it.
package slacktext

import (
	"strings"
)

// Names maps the ids in Slack's markup to names. The zero Names has none, so ids stay.
type Names struct {
	Users    map[string]string // id to handle
	Shown    map[string]string // id to the name that clients show
	Channels map[string]string // id to name
}

// handle returns the name of a user, or the id of a user that is not listed.
func (n Names) handle(id string) string {
	if name := n.Users[id]; name != "" {
		return name
	}
	return id
}

// entities decodes the only three entities that Slack writes.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// Decode converts a text in Slack's storage format to plain text. It decodes the entities and the
// <…> markup and leaves everything else unchanged.
func (n Names) Decode(text string) string {
	return replaceMarkup(text, func(address, label string) (string, bool) { return n.plain(address, label, n.handle) })
}

// replaceMarkup decodes the entities of a text, and replaces its <…> markup by the text that f
// returns for an address and a label. Markup for which f reports false is text.
func replaceMarkup(text string, f func(address, label string) (string, bool)) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '<')
		if open < 0 {
			return b.String() + entities.Replace(text)
		}
		b.WriteString(entities.Replace(text[:open]))
		text = text[open:]
		if address, label, length, ok := cutMarkup(text); ok {
			if plain, ok := f(address, label); ok {
				b.WriteString(plain)
				text = text[length:]
				continue
			}
		}
		b.WriteByte('<')
		text = text[1:]
	}
}

// cutMarkup returns the parts of the markup that begins a text, and its length. The label is
// decoded.
func cutMarkup(text string) (address, label string, length int, ok bool) {
	end := strings.IndexAny(text[1:], "<>\n") + 1
	if end == 0 || text[end] != '>' {
		return "", "", 0, false
	}
	address, label, _ = strings.Cut(text[1:end], "|")
	return address, entities.Replace(label), end + 1, address != ""
}

// plain returns markup as plain text, given the names of users. It returns false if Slack does not
// write such markup.
func (n Names) plain(address, label string, name func(id string) string) (string, bool) {
	rest := entities.Replace(address[1:])
	switch address[0] {
	case '@':
		return "@" + name(rest), rest != ""
	case '#':
		return "#" + First(label, n.Channels[rest], rest), rest != ""
	case '!':
		return command(rest, label), rest != ""
	}
	return entities.Replace(address), strings.Contains(address, ":")
}

// command decodes <!name>, as in <!here>, and <!kind^argument|label>, a user group or a date. The
// second form is displayed as its label.
func command(name, label string) string {
	kind, argument, found := strings.Cut(name, "^")
	if !found {
		return "@" + name
	}
	if label != "" {
		return label
	}
	argument, _, _ = strings.Cut(argument, "^")
	if kind == "subteam" {
		return "@" + argument
	}
	return argument
}

// First returns the first name that is not empty.
func First(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return ""
}

// EachMentioned calls add with the ids of the users whom a text mentions, and then with those in
// blocks.
func EachMentioned(text string, blocks []Block, add func(id string)) {
	for {
		open := strings.Index(text, "<@")
		if open < 0 {
			break
		}
		text = text[open:]
		if address, _, _, ok := cutMarkup(text); ok {
			add(address[1:])
		}
		text = text[1:]
	}
	addMentioned(blocks, add, 0)
}

// addMentioned calls add with the users whom blocks mention.
func addMentioned(all []Block, add func(id string), depth int) {
	for _, b := range all {
		if b.Type == "user" {
			add(b.User)
		}
		if depth < maxNested {
			addMentioned(b.Elements, add, depth+1)
		}
	}
}
