package chat

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// ParseMetadata checks the metadata that a client attaches to a message, a room or a profile: one
// JSON object. It returns the metadata without white space around its tokens. The order of keys,
// the digits of numbers and the escapes of strings do not change. The empty text means no
// metadata. Edges refuse duplicate keys, as in the rest of a request.
func ParseMetadata(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, []byte(given))
	if err != nil || compact.Bytes()[0] != '{' || !utf8.ValidString(given) {
		return "", Invalidf("metadata", "must be a JSON object")
	}
	if compact.Len() > MaxMetadata {
		return "", Invalidf("metadata", "must be at most %d bytes of JSON", MaxMetadata)
	}
	return compact.String(), nil
}

// MessageEdit is a change of a message's content. A nil field keeps the current value.
type MessageEdit struct {
	Text     *string
	Metadata *string // a JSON object
	// Mentions replaces the people whom the message mentions, in order, each once.
	Mentions    *[]UserID
	MentionRoom *bool
}

// parse checks e and returns it with the metadata as stored.
func (e MessageEdit) parse() (MessageEdit, error) {
	if e == (MessageEdit{}) {
		return e, Invalidf("text", "must be given, or metadata or mentions")
	}
	if e.Mentions != nil {
		if err := (Mentions{Users: *e.Mentions}).check(); err != nil {
			return e, err
		}
	}
	if e.Text != nil && *e.Text != "" { // a message with files needs no text
		if err := CheckText(*e.Text); err != nil {
			return e, err
		}
	}
	if e.Metadata == nil {
		return e, nil
	}
	stored, err := ParseMetadata(*e.Metadata)
	if err == nil && stored == "" {
		err = Invalidf("metadata", "must be a JSON object")
	}
	e.Metadata = &stored
	return e, err
}

// appliedTo returns m after the edit. It changes only the text, the metadata and the mentions.
func (e MessageEdit) appliedTo(m Message) Message {
	if e.Text != nil {
		m.Text = *e.Text
	}
	if e.Metadata != nil {
		m.Metadata = *e.Metadata
	}
	if e.Mentions != nil {
		m.Mentions.Users = *e.Mentions
	}
	if e.MentionRoom != nil {
		m.Mentions.Room = *e.MentionRoom
	}
	return m
}

// leaves reports whether the edit would leave m unchanged.
func (e MessageEdit) leaves(m Message) bool {
	after := e.appliedTo(m)
	return after.Text == m.Text && after.Metadata == m.Metadata && after.Mentions.Equal(m.Mentions)
}
