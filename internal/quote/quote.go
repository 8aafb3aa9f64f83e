// Package quote reads the messages that others quote, for those who read the others.
package quote

import (
	"context"

	"parley/internal/chat"
)

// MaxText bounds the text of a quote in characters: enough to recognize a message.
const MaxText = 200

// Store reads quoted messages.
type Store interface {
	// MessagesSoon returns those of the messages that exist. No id is given twice. Changes of about
	// the last second may be missing. The error is Unavailable if the store cannot answer.
	MessagesSoon(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
}

// Service reads quoted messages. It is safe for concurrent use.
type Service struct{ store Store }

// NewService returns a service.
func NewService(store Store) *Service { return &Service{store: store} }

// Texts are the texts of quoted messages by their rooms and ids.
type Texts map[chat.RoomID]map[chat.MessageID]string

// Text returns the text of a quoted message, cut to MaxText characters. It is empty for a message
// that is deleted.
func (t Texts) Text(room chat.RoomID, id chat.MessageID) string { return t[room][id] }

// Texts returns the current texts of all messages that the given ones quote. It reads each quoted
// message once, unless it is among the given ones, and nothing if there are no quotes. The caller
// has authorized the reader.
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

// read adds the texts that messages of one room quote.
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
		texts[m.Quote] = "" // also if it no longer exists
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
