package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
)

const maxMetadata = 4 << 10

// metadataOf returns metadata as it is stored, and reports whether the service accepts it.
func metadataOf(given string) (string, bool) {
	if given == "" {
		return "", true
	}
	var b bytes.Buffer
	err := json.Compact(&b, []byte(given))
	return b.String(), err == nil && strings.HasPrefix(b.String(), "{") && b.Len() <= maxMetadata
}

// randomMetadata returns metadata as clients give it. Half of it is empty, and some is invalid.
func (w *world) randomMetadata() string {
	if w.percent(50) {
		return ""
	}
	return oneOf(w, `{}`, `{"a":1}`, `{"a":1.50}`, " {\n\t\"b\" : [ 1e400 , null ] , \"a\":\"\\u0041 é\" } ",
		`{"x":"`+strings.Repeat("y", maxMetadata-8)+`"}`, `{"x":"`+strings.Repeat("y", maxMetadata-7)+`"}`, `[1]`, `{`)
}

// randomEdit returns an edit of the text, of the metadata or of both.
func (w *world) randomEdit(body string) chat.MessageEdit {
	e := chat.MessageEdit{Text: &body}
	if metadata := w.randomMetadata(); metadata != "" {
		e.Metadata = &metadata
		if w.percent(30) {
			e.Text = nil
		}
	}
	return w.withMentions(e)
}

// editText formats an edit without its pointers.
func editText(e chat.MessageEdit) string {
	s := "nothing"
	if e.Text != nil {
		s = *e.Text
	}
	if e.Metadata != nil {
		s += " with " + *e.Metadata
	}
	if e.Mentions != nil {
		s += fmt.Sprintf(", mentioning %v", *e.Mentions)
	}
	if e.MentionRoom != nil {
		s += fmt.Sprintf(", everyone: %v", *e.MentionRoom)
	}
	return s
}

// applied returns the text after an edit, and reports whether the edit is valid.
func (t text) applied(e chat.MessageEdit) (text, bool) {
	ok := e != chat.MessageEdit{}
	if e.Mentions != nil {
		t.mentions, ok = mentionsOf(*e.Mentions, t.mentions.room)
	}
	if e.MentionRoom != nil {
		t.mentions.room = *e.MentionRoom
	}
	if e.Text != nil {
		t.body, ok = *e.Text, ok && (*e.Text == "" || goodText(*e.Text)) // a message with files needs no text
	}
	if e.Metadata != nil {
		metadata, good := metadataOf(*e.Metadata)
		t.metadata, ok = metadata, ok && good && metadata != ""
	}
	return t, ok
}
