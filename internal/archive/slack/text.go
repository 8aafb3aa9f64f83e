package slack

import "strings"

// nameTable maps the ids in Slack's markup to names.
type nameTable struct {
	users    map[string]string // id to handle
	channels map[string]string // id to name
}

// handle returns the name of a user, or the id of a user that is not listed.
func (n nameTable) handle(id string) string {
	if name := n.users[id]; name != "" {
		return name
	}
	return id
}

// entities decodes the only three entities that Slack writes.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// decode converts a text in Slack's storage format to the text that Slack displays. It decodes the
// entities and the <…> markup and leaves everything else unchanged.
func (n nameTable) decode(text string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '<')
		if open < 0 {
			break
		}
		end := strings.IndexAny(text[open+1:], "<>\n")
		if end < 0 {
			break
		}
		end += open + 1
		b.WriteString(entities.Replace(text[:open]))
		plain, ok := n.markup(text[open+1 : end])
		if !ok || text[end] != '>' {
			b.WriteByte('<') // not markup: continue after the bracket
			text = text[open+1:]
			continue
		}
		b.WriteString(plain)
		text = text[end+1:]
	}
	b.WriteString(entities.Replace(text))
	return b.String()
}

// markup decodes the text between < and >. It returns false if Slack does not write such markup.
func (n nameTable) markup(s string) (string, bool) {
	address, label, _ := strings.Cut(s, "|")
	label = entities.Replace(label)
	if address == "" {
		return "", false
	}
	rest := entities.Replace(address[1:])
	switch address[0] {
	case '@':
		return "@" + n.handle(rest), rest != ""
	case '#':
		return "#" + firstOf(label, n.channels[rest], rest), rest != ""
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

// firstOf returns the first name that is not empty.
func firstOf(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return ""
}
