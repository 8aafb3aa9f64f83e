package slack

import (
	"slices"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

// words returns the Markdown of all words of a message, and the number of its previews of links,
// which are not words of its sender. A program's blocks replace its text, which only
// notifications show.
func words(n slacktext.Names, m message) (text string, previews int) {
	blocks := n.Blocks(m.Blocks)
	if !slacktext.IsStandIn(m.Text) {
		text = n.Markdown(m.Text)
	}
	if blocks != "" && (text == "" || m.BotID != "" || m.byBot()) {
		text = blocks
	}
	parts := []string{text}
	for _, f := range m.allFiles() {
		if said := n.Markdown(f.Initial.Comment); said != "" && !strings.Contains(text, said) {
			parts = append(parts, said)
		}
	}
	own := text != ""
	for _, a := range m.Attachments {
		if own && a.Preview() {
			previews++
			continue
		}
		parts = append(parts, n.Attachment(a))
	}
	text = slacktext.Joined(parts, "\n")
	if text == "" && !slacktext.IsStandIn(m.Text) || len(text) > chat.MaxText && len(m.Text) <= chat.MaxText {
		text = n.Decode(m.Text) // the marks would exceed the limit
	}
	return text, previews
}

// mentions returns the people whom a message mentions, in order.
func (c channelReader) mentions(m message) []chat.UserID {
	var all []chat.UserID
	slacktext.EachMentioned(m.Text, m.Blocks, func(id string) {
		if user := c.userOf(id); id != "" && id != slackbot && !slices.Contains(all, user) &&
			len(all) < chat.MaxMentions {
			all = append(all, user)
		}
	})
	slices.Sort(all)
	return all
}
