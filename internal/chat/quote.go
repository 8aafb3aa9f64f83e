package chat

import (
	"context"
)

// MaxQuoteText bounds the text of a quote in characters: enough to recognize a message.
const MaxQuoteText = 200

// Quotes reads quoted messages. It is safe for concurrent use.
type Quotes struct{ store MessageSource }

// NewQuotes returns a Quotes that reads from a store.
func NewQuotes(store MessageSource) *Quotes { return &Quotes{store: store} }

// QuoteTexts are the texts of quoted messages by room and id.
type QuoteTexts map[RoomID]map[MessageID]string

// Text returns the text of a quoted message, cut to MaxQuoteText characters. It is empty for a
// deleted message.
func (t QuoteTexts) Text(room RoomID, id MessageID) string { return t[room][id] }

// Texts returns the current texts of all messages that the given messages quote. It reads each
// quoted message once, unless it is among the given messages. It reads nothing if there are no
// quotes. The caller must have authorized the reader.
func (s *Quotes) Texts(ctx context.Context, messages []Message) (QuoteTexts, error) {
	texts := QuoteTexts{}
	for _, m := range messages {
		if m.Quote != (MessageID{}) && texts[m.Room] == nil {
			texts[m.Room] = map[MessageID]string{}
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
func (s *Quotes) read(ctx context.Context, texts map[MessageID]string, messages []Message) error {
	given := make(map[MessageID]Message, len(messages))
	for _, m := range messages {
		given[m.ID] = m
	}
	var absent []MessageID
	for _, m := range messages {
		if _, known := texts[m.Quote]; known || m.Quote == (MessageID{}) {
			continue
		}
		if quoted, ok := given[m.Quote]; ok {
			texts[m.Quote] = cutQuote(quoted.Text)
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
		texts[id] = cutQuote(m.Text)
	}
	return err
}

// messagesOf returns the messages of a room.
func messagesOf(room RoomID, messages []Message) []Message {
	var of []Message
	for _, m := range messages {
		if m.Room == room {
			of = append(of, m)
		}
	}
	return of
}

// cutQuote returns the first MaxQuoteText characters of a text.
func cutQuote(text string) string {
	n := 0
	for at := range text {
		if n == MaxQuoteText {
			return text[:at]
		}
		n++
	}
	return text
}
