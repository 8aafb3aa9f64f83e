// Package quote reads the texts of quoted messages.
package quote

import (
	"context"

	"example.com/parley/internal/chat"
)

// MaxText bounds the text of a quote in characters: enough to recognize a message.
const MaxText = 200

// Service reads quoted messages. It is safe for concurrent use.
type Service struct{ store chat.MessageSource }

// New returns a Service that reads from a store.
func New(store chat.MessageSource) *Service { return &Service{store: store} }

// Texts are the texts of quoted messages by room and id.
type Texts map[chat.RoomID]map[chat.MessageID]string

// Text returns the text of a quoted message, cut to MaxText characters. It is empty for a
// deleted message.
func (t Texts) Text(room chat.RoomID, id chat.MessageID) string { return t[room][id] }

// Texts returns the current texts of all messages that the given messages quote. It reads each
// quoted message once, unless it is among the given messages. It reads nothing if there are no
// quotes. The caller must have authorized the reader.
func (s *Service) Texts(ctx context.Context, messages []chat.Message) (Texts, error) {
	texts := Texts{}
	for _, m := range messages {
		if m.Quote != (chat.MessageID{}) && texts[m.Room] == nil {
			texts[m.Room] = map[chat.MessageID]string{}
		}
	}
	for room := range texts {
		if err := s.read(ctx, texts[room], messagesOf(room, messages)); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// read adds the texts quoted by messages of one room.
func (s *Service) read(ctx context.Context, texts map[chat.MessageID]string, messages []chat.Message) error {
	given := make(map[chat.MessageID]chat.Message, len(messages))
	for _, m := range messages {
		given[m.ID] = m
	}
	var absent []chat.MessageID
	for _, m := range messages {
		if _, known := texts[m.Quote]; known || m.Quote == (chat.MessageID{}) {
			continue
		}
		if quoted, ok := given[m.Quote]; ok {
			texts[m.Quote] = cut(quoted.Text)
			continue
		}
		texts[m.Quote] = "" // even if it no longer exists
		absent = append(absent, m.Quote)
	}
	if len(absent) == 0 {
		return nil
	}
	found, err := s.store.MessagesSoon(ctx, messages[0].Room, absent)
	for id, m := range found {
		texts[id] = cut(m.Text)
	}
	return err
}

// messagesOf returns the messages of a room.
func messagesOf(room chat.RoomID, messages []chat.Message) []chat.Message {
	var of []chat.Message
	for _, m := range messages {
		if m.Room == room {
			of = append(of, m)
		}
	}
	return of
}

// cut returns the first MaxText characters of a text.
func cut(text string) string {
	n := 0
	for at := range text {
		if n == MaxText {
			return text[:at]
		}
		n++
	}
	return text
}
