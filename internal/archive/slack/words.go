package slack

import (
	"slices"
	"strings"

	"example.com/parley/internal/chat"
)

// standIns are sentences that Slack writes where it cannot show the words of a message.
var standIns = []string{
	"This content can't be displayed.", "This message contains interactive elements.", "[no preview available]",
}

// isStandIn reports whether a text is no words of its sender.
func isStandIn(text string) bool {
	text = strings.ReplaceAll(strings.TrimSpace(text), "’", "'")
	return text == "" || slices.Contains(standIns, text)
}

// words returns the Markdown of all words of a message, and the number of its previews of links,
// which are not words of its sender. A program's blocks replace its text, which only
// notifications show.
func (n nameTable) words(m message) (text string, previews int) {
	blocks := n.blocks(m.Blocks, 0)
	if !isStandIn(m.Text) {
		text = n.markdown(m.Text)
	}
	if blocks != "" && (text == "" || m.BotID != "" || m.byBot()) {
		text = blocks
	}
	parts := []string{text}
	for _, f := range m.allFiles() {
		if said := n.markdown(f.Initial.Comment); said != "" && !strings.Contains(text, said) {
			parts = append(parts, said)
		}
	}
	own := text != ""
	for _, a := range m.Attachments {
		if own && a.preview() {
			previews++
			continue
		}
		parts = append(parts, n.attachment(a))
	}
	text = joined(parts, "\n")
	if text == "" && !isStandIn(m.Text) || len(text) > chat.MaxText && len(m.Text) <= chat.MaxText {
		text = n.decode(m.Text) // the marks would exceed the limit
	}
	return text, previews
}

// joined joins the texts that are not empty.
func joined(texts []string, by string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" }), by)
}

// attachment is a part of a message with a form of its own: a program's details, a message that
// was shared, or a preview of a link.
type attachment struct {
	Fallback   string  `json:"fallback"`
	Pretext    string  `json:"pretext"`
	Author     string  `json:"author_name"`
	AuthorSub  string  `json:"author_subname"`
	Title      string  `json:"title"`
	TitleLink  string  `json:"title_link"`
	Text       string  `json:"text"`
	Fields     []field `json:"fields"`
	Image      string  `json:"image_url"`
	Thumb      string  `json:"thumb_url"`
	From       string  `json:"from_url"`
	Original   string  `json:"original_url"`
	Service    string  `json:"service_name"`
	Footer     string  `json:"footer"`
	IsMessage  bool    `json:"is_msg_unfurl"`
	IsShare    bool    `json:"is_share"`
	IsReply    bool    `json:"is_reply_unfurl"`
	AppPreview bool    `json:"is_app_unfurl"`
	Blocks     []block `json:"blocks"`
	Message    []struct {
		Message struct {
			Blocks []block `json:"blocks"`
		} `json:"message"`
	} `json:"message_blocks"`
}

// field is a field of an attachment.
type field struct {
	Title string `json:"title"`
	Value string `json:"value"`
}

// shared reports whether an attachment is another message.
func (a attachment) shared() bool { return a.IsMessage || a.IsShare || a.IsReply || len(a.Message) > 0 }

// preview reports whether an attachment shows the page of a link.
func (a attachment) preview() bool {
	return !a.shared() && (a.From != "" || a.Original != "" || a.Service != "" || a.AppPreview)
}

// attachment returns the words of an attachment, or else what it links to.
func (n nameTable) attachment(a attachment) string {
	if a.shared() {
		return n.shared(a)
	}
	title := n.markdown(a.Title)
	if a.TitleLink != "" && title != "" {
		title = link(a.TitleLink, title, true)
	}
	parts := []string{n.markdown(a.Pretext), n.markdown(a.Author), title}
	if !isStandIn(a.Text) {
		parts = append(parts, n.markdown(a.Text))
	}
	for _, f := range a.Fields {
		parts = append(parts, joined([]string{n.markdown(f.Title), n.markdown(f.Value)}, ": "))
	}
	parts = append(parts, n.blocks(a.Blocks, 0), n.markdown(a.Footer))
	words := joined(parts, "\n")
	if words == "" && !isStandIn(a.Fallback) {
		words = n.markdown(a.Fallback)
	}
	image := firstOf(a.Image, a.Thumb)
	if image != "" && !strings.Contains(words, image) {
		words = joined([]string{words, link(image, "", true)}, "\n")
	}
	return firstOf(words, link(firstOf(a.From, a.Original, a.TitleLink), "", true), n.markdown(a.Service), a.Fallback)
}

// shared returns a shared message as a quote, after the name of its sender.
func (n nameTable) shared(a attachment) string {
	text := ""
	if !isStandIn(a.Text) {
		text = n.markdown(a.Text)
	}
	if text == "" {
		for _, m := range a.Message {
			text = joined([]string{text, n.blocks(m.Message.Blocks, 0)}, "\n")
		}
	}
	text = firstOf(text, n.blocks(a.Blocks, 0))
	if text == "" && !isStandIn(a.Fallback) {
		text = n.markdown(a.Fallback)
	}
	name := firstOf(n.markdown(a.Author), n.markdown(a.AuthorSub))
	if a.From != "" {
		name = link(a.From, name, true)
	}
	if name != "" && text != "" {
		name += ":"
	}
	return quoted(joined([]string{name, text}, "\n"))
}

// quoted returns a text as a quote.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return quote + strings.ReplaceAll(text, "\n", "\n"+quote)
}
