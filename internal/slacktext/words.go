package slacktext

import (
	"slices"
	"strings"
)

// standIns are sentences that Slack writes where it cannot show the words of a message.
var standIns = []string{
	"This content can't be displayed.", "This message contains interactive elements.", "[no preview available]",
}

// IsStandIn reports whether a text is no words of its sender.
func IsStandIn(text string) bool {
	text = strings.ReplaceAll(strings.TrimSpace(text), "’", "'")
	return text == "" || slices.Contains(standIns, text)
}

// Joined joins the texts that are not empty.
func Joined(texts []string, by string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" }), by)
}

// Attachment is a part of a message with a form of its own: a program's details, a message that
// was shared, or a preview of a link.
type Attachment struct {
	Fallback   string  `json:"fallback"`
	Pretext    string  `json:"pretext"`
	Author     string  `json:"author_name"`
	AuthorSub  string  `json:"author_subname"`
	Title      string  `json:"title"`
	TitleLink  string  `json:"title_link"`
	Text       string  `json:"text"`
	Fields     []Field `json:"fields"`
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
	Blocks     []Block `json:"blocks"`
	Message    []struct {
		Message struct {
			Blocks []Block `json:"blocks"`
		} `json:"message"`
	} `json:"message_blocks"`
}

// Field is a field of an attachment.
type Field struct {
	Title string `json:"title"`
	Value string `json:"value"`
}

// shared reports whether an attachment is another message.
func (a Attachment) shared() bool { return a.IsMessage || a.IsShare || a.IsReply || len(a.Message) > 0 }

// Preview reports whether an attachment shows the page of a link.
func (a Attachment) Preview() bool {
	return !a.shared() && (a.From != "" || a.Original != "" || a.Service != "" || a.AppPreview)
}

// Attachment returns the words of an attachment, or else what it links to.
func (n Names) Attachment(a Attachment) string {
	if a.shared() {
		return n.shared(a)
	}
	title := n.Markdown(a.Title)
	if a.TitleLink != "" && title != "" {
		title = Link(a.TitleLink, title, true)
	}
	parts := []string{n.Markdown(a.Pretext), n.Markdown(a.Author), title}
	if !IsStandIn(a.Text) {
		parts = append(parts, n.Markdown(a.Text))
	}
	for _, f := range a.Fields {
		parts = append(parts, Joined([]string{n.Markdown(f.Title), n.Markdown(f.Value)}, ": "))
	}
	parts = append(parts, n.blocks(a.Blocks, 0), n.Markdown(a.Footer))
	words := Joined(parts, "\n")
	if words == "" && !IsStandIn(a.Fallback) {
		words = n.Markdown(a.Fallback)
	}
	image := First(a.Image, a.Thumb)
	if image != "" && !strings.Contains(words, image) {
		words = Joined([]string{words, Link(image, "", true)}, "\n")
	}
	return First(words, Link(First(a.From, a.Original, a.TitleLink), "", true), n.Markdown(a.Service), a.Fallback)
}

// shared returns a shared message as a quote, after the name of its sender.
func (n Names) shared(a Attachment) string {
	text := ""
	if !IsStandIn(a.Text) {
		text = n.Markdown(a.Text)
	}
	if text == "" {
		for _, m := range a.Message {
			text = Joined([]string{text, n.blocks(m.Message.Blocks, 0)}, "\n")
		}
	}
	text = First(text, n.blocks(a.Blocks, 0))
	if text == "" && !IsStandIn(a.Fallback) {
		text = n.Markdown(a.Fallback)
	}
	name := First(n.Markdown(a.Author), n.Markdown(a.AuthorSub))
	if a.From != "" {
		name = Link(a.From, name, true)
	}
	if name != "" && text != "" {
		name += ":"
	}
	return quoted(Joined([]string{name, text}, "\n"))
}

// quoted returns a text as a quote.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return quote + strings.ReplaceAll(text, "\n", "\n"+quote)
}
