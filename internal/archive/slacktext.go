package archive

import "strings"

// slackNames knows what the ids in Slack's markup stand for.
type slackNames struct {
	users    map[string]string // id to handle
	channels map[string]string // id to name
}

// handle is the name of a user, or the raw id of one that is not listed.
func (n slackNames) handle(id string) string {
	if name := n.users[id]; name != "" {
		return name
	}
	return id
}

// entities are the only ones that Slack writes.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// decode turns a text as Slack stores it into the text people saw: the three
// entities and the <…> markup become plain; everything else stays as it is.
func (n slackNames) decode(text string) string {
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
			b.WriteByte('<') // no markup: what follows is read on as text
			text = text[open+1:]
			continue
		}
		b.WriteString(plain)
		text = text[end+1:]
	}
	b.WriteString(entities.Replace(text))
	return b.String()
}

// markup decodes what stands between < and >. It reports false for
// what Slack does not write.
func (n slackNames) markup(s string) (string, bool) {
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

// command decodes <!here>, which calls a group by a name of its own, and
// <!kind^argument|label>, which shows its label: a group of users or a date.
func command(name, label string) string {
	kind, argument, marked := strings.Cut(name, "^")
	if !marked {
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

func firstOf(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return ""
}
