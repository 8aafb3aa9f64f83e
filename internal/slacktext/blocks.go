package slacktext

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/emoji"
)

// Lenient accepts what other programs write, and Slack cuts: half of a surrogate pair, or a byte
// that is not UTF-8, becomes U+FFFD.
func Lenient() json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// ReadEach reads the elements of a list that can be read.
func ReadEach[E any](list jsontext.Value) (all []E) {
	var values []jsontext.Value
	_ = json.Unmarshal(list, &values, Lenient()) // there are none then
	for _, v := range values {
		var e E
		if json.Unmarshal(v, &e, Lenient()) == nil {
			all = append(all, e)
		}
	}
	return all
}

// maxNested is how deep blocks may be within each other. Slack's have at most four levels.
const maxNested = 16

// Block is a part of a message in Block Kit, or an element of one. A member whose form varies is
// decoded when it is known.
type Block struct {
	Type     string         `json:"type"`
	Text     jsontext.Value `json:"text"` // a string, or a TextObject
	Fields   []TextObject   `json:"fields"`
	Elements []Block        `json:"elements"`
	Rows     [][]Block      `json:"rows"` // of a table
	Title    jsontext.Value `json:"title"`
	TitleURL string         `json:"title_url"`
	Alt      string         `json:"alt_text"`
	Image    string         `json:"image_url"`
	URL      string         `json:"url"`
	Name     string         `json:"name"` // of an emoji
	User     string         `json:"user_id"`
	Channel  string         `json:"channel_id"`
	Group    string         `json:"usergroup_id"`
	Range    string         `json:"range"`
	Value    string         `json:"value"` // a color
	Fallback string         `json:"fallback"`
	Style    jsontext.Value `json:"style"` // a string, or a style
	Indent   int            `json:"indent"`
	Offset   int            `json:"offset"`
	Border   int            `json:"border"`

	Accessory *Block `json:"accessory"`
}

// TextObject is a text with its kind.
type TextObject struct {
	Type string `json:"type"` // mrkdwn or plain_text
	Text string `json:"text"`
}

// style is how a text of rich text looks.
type style struct {
	Bold   bool `json:"bold"`
	Italic bool `json:"italic"`
	Strike bool `json:"strike"`
	Code   bool `json:"code"`
}

// Blocks returns the Markdown of blocks, one after another.
func (n Names) Blocks(all []Block) string { return n.blocks(all, 0) }

func (n Names) blocks(all []Block, depth int) string {
	var parts []string
	for _, b := range all {
		parts = append(parts, strings.TrimRight(n.block(b, depth), "\n"))
	}
	return Joined(parts, "\n")
}

// block returns the Markdown of a block that stands on lines of its own.
func (n Names) block(b Block, depth int) string {
	if depth > maxNested {
		return ""
	}
	switch b.Type {
	case "rich_text":
		return n.blocks(b.Elements, depth+1)
	case "rich_text_section":
		return n.inline(b.Elements)
	case "rich_text_quote":
		return quoted(strings.TrimRight(n.inline(b.Elements), "\n"))
	case "rich_text_preformatted":
		return fence + "\n" + strings.Trim(n.plainOf(b.Elements), "\n") + "\n" + fence
	case "rich_text_list":
		return n.list(b, depth)
	case "context", "context_actions":
		var parts []string
		for _, e := range b.Elements {
			parts = append(parts, n.block(e, depth+1))
		}
		return Joined(parts, " ")
	case "section":
		parts := []string{n.object(b.Text)}
		for _, f := range b.Fields {
			parts = append(parts, n.text(f))
		}
		if a := b.Accessory; a != nil && a.Type == "image" {
			parts = append(parts, n.block(*a, depth+1))
		}
		return Joined(parts, "\n")
	case "header":
		if text := n.object(b.Text); text != "" {
			return "**" + text + "**"
		}
	case "image", "video":
		return Link(First(b.TitleURL, b.Image), First(n.object(b.Title), b.Alt), true)
	case "table":
		return n.table(b.Rows, depth)
	case "divider", "actions", "input", "file":
	case "alert", "card":
		return Joined([]string{n.object(b.Title), n.object(b.Text)}, "\n")
	case "mrkdwn": // in a context
		return n.Markdown(stringOf(b.Text))
	case "markdown":
		return stringOf(b.Text)
	default: // a plain text in a context, and blocks that are newer than this
		if text := n.object(b.Text); text != "" {
			return text
		}
		return n.blocks(b.Elements, depth+1)
	}
	return ""
}

// stringOf returns a string, or "" for any other value.
func stringOf(v jsontext.Value) (text string) {
	_ = json.Unmarshal(v, &text, Lenient()) // it is empty then
	return text
}

// list returns the Markdown of a list.
func (n Names) list(b Block, depth int) string {
	var kind string
	_ = json.Unmarshal(b.Style, &kind, Lenient()) // a list with bullets then
	var parts []string
	for i, e := range b.Elements {
		mark := "- "
		if kind == "ordered" {
			mark = fmt.Sprintf("%d. ", b.Offset+i+1)
		}
		indent := strings.Repeat("  ", min(max(b.Indent, 0), maxNested))
		parts = append(parts, indent+mark+strings.TrimRight(n.block(e, depth+1), "\n"))
	}
	return strings.Join(parts, "\n")
}

// table returns the cells of a table, a row on a line.
func (n Names) table(rows [][]Block, depth int) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, strings.ReplaceAll(n.block(cell, depth+1), "\n", " "))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n")
}

// object returns the Markdown of a text that is a string or a TextObject.
func (n Names) object(v jsontext.Value) string {
	if len(v) == 0 {
		return ""
	}
	var t TextObject
	if v.Kind() == '"' {
		_ = json.Unmarshal(v, &t.Text, Lenient()) // a string can be read
	} else if json.Unmarshal(v, &t, Lenient()) != nil {
		return ""
	}
	return n.text(t)
}

// text returns the Markdown of a text.
func (n Names) text(t TextObject) string {
	if t.Type == "mrkdwn" {
		return n.Markdown(t.Text)
	}
	return withEmoji(entities.Replace(t.Text))
}

// plainOf returns the text of inline elements without any marks.
func (n Names) plainOf(all []Block) string {
	var b strings.Builder
	for _, e := range all {
		text, _ := n.element(e, true)
		b.WriteString(text)
	}
	return b.String()
}

// inline returns the Markdown of inline elements.
func (n Names) inline(all []Block) string {
	var b strings.Builder
	for _, e := range all {
		text, styled := n.element(e, false)
		if styled {
			text = e.styled(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// element returns the text of an inline element, and whether its style applies.
func (n Names) element(e Block, plain bool) (text string, styled bool) {
	switch e.Type {
	case "text":
		var text string
		_ = json.Unmarshal(e.Text, &text, Lenient()) // it is empty then
		return text, !plain
	case "link":
		var label string
		_ = json.Unmarshal(e.Text, &label, Lenient()) // it has no label then
		if plain {
			return First(label, e.URL), false
		}
		return Link(e.URL, label, true), true
	case "user":
		return "@" + First(n.Shown[e.User], n.handle(e.User)), true
	case "channel":
		return "#" + First(n.Channels[e.Channel], e.Channel), true
	case "usergroup":
		return "@" + e.Group, true
	case "broadcast":
		return "@" + e.Range, true
	case "emoji":
		if key, ok := EmojiKey(e.Name); ok {
			return emoji.Text(key), false
		}
		return ":" + e.Name + ":", false
	case "color":
		return e.Value, false
	case "date":
		return e.Fallback, false
	}
	return First(n.object(e.Text), e.Fallback), false
}

// styled returns a text with the marks of its style, which do not touch the spaces at its ends.
func (e Block) styled(text string) string {
	var s style
	core := strings.TrimSpace(text)
	if core == "" || e.Style.Kind() != '{' || json.Unmarshal(e.Style, &s, Lenient()) != nil {
		return text
	}
	marked := core
	if s.Code {
		marked = "`" + marked + "`"
	}
	if s.Strike {
		marked = "~~" + marked + "~~"
	}
	if s.Italic {
		marked = "_" + marked + "_"
	}
	if s.Bold {
		marked = "**" + marked + "**"
	}
	return strings.Replace(text, core, marked, 1)
}
