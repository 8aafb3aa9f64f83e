package incoming

import (
	"mime"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

const (
	// MaxBody is the longest body in bytes. An alert of a hundred series has some 60 KB, and a text
	// is cut after 32 KB.
	MaxBody = 256 << 10
	// cutMark ends a text that was too long.
	cutMark = "\n… (cut)"
	// FormType is the type of bodies that older senders write: their JSON is the field payload.
	FormType  = "application/x-www-form-urlencoded"
	formField = "payload"
)

// Decode returns the message in the body of a request: an object with a text, attachments or
// blocks, in the format of Slack's incoming webhooks. Parts of other forms are left out, and so are
// the name and the picture that the sender chooses. A text that is too long is cut.
//
// The error is Invalid for "body" if it is no such object, and for "text" if there is no text.
func Decode(contentType string, body []byte) (Draft, error) {
	var parts map[string]jsontext.Value
	if err := json.Unmarshal(payload(contentType, body), &parts, slacktext.Lenient()); err != nil || parts == nil {
		return Draft{}, chat.Invalidf("body", "must be a JSON object with text, or a form with it in payload")
	}
	text := strings.TrimSpace(strings.ToValidUTF8(words(parts), "\uFFFD"))
	if text == "" {
		return Draft{}, chat.Invalidf("text", "must not be empty, unless attachments or blocks have a text")
	}
	d := Draft{Text: cut(text)}
	for _, name := range []string{"thread_ts", "thread_key"} {
		if key := textOf(parts[name]); key != "" {
			d.Thread = key
		}
	}
	return d, nil
}

// payload returns the JSON of a body. Programs also send it with the type of a form, as curl does.
func payload(contentType string, body []byte) []byte {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil || media != FormType {
		return body
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has(formField) {
		return body
	}
	return []byte(form.Get(formField))
}

// words returns the Markdown of all words of a message. Blocks replace the text, which only
// notifications show.
func words(parts map[string]jsontext.Value) string {
	var n slacktext.Names
	text := textOf(parts["text"])
	if string(parts["mrkdwn"]) == "false" {
		text = n.Decode(text)
	} else {
		text = n.Markdown(text)
	}
	blocks := n.Blocks(slacktext.ReadEach[slacktext.Block](parts["blocks"]))
	all := []string{slacktext.First(blocks, text)}
	for _, a := range slacktext.ReadEach[slacktext.Attachment](parts["attachments"]) {
		all = append(all, n.Attachment(a))
	}
	return slacktext.Joined(all, "\n")
}

// textOf returns a string, or a number as it is written. Anything else is as if it were absent.
func textOf(v jsontext.Value) string {
	var text string
	switch v.Kind() {
	case '"':
		_ = json.Unmarshal(v, &text, slacktext.Lenient()) // a string can be read
	case '0':
		text = string(v)
	}
	return text
}

// cut returns a text that is not longer than chat.MaxText, with a mark if it was.
func cut(text string) string {
	if len(text) <= chat.MaxText {
		return text
	}
	end := chat.MaxText - len(cutMark)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cutMark
}
