package httpapi

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/wire"
)

// viewOf returns what the caller sees with messages: which senders they have blocked, and the
// texts of quotes. It reads nothing for the caller's own messages without quotes.
func (s *server) viewOf(ctx context.Context, caller chat.UserID, messages []chat.Message) (wire.View, error) {
	var v wire.View
	texts, err := s.service.Quotes.Texts(ctx, messages)
	if err != nil {
		return v, err
	}
	v.Quoted = texts.Text
	for _, m := range messages {
		if m.ID.User != caller || m.Quote.User != "" && m.Quote.User != caller {
			v.Blocked, err = s.service.Blocks.Blocked(ctx, caller)
			return v, err
		}
	}
	return v, nil
}

// messagesFor shows messages to the caller, who must be allowed to read them.
func (s *server) messagesFor(
	ctx context.Context, caller chat.UserID, messages ...chat.Message,
) ([]wire.Message, error) {
	v, err := s.viewOf(ctx, caller, messages)
	if err != nil {
		return nil, err
	}
	bodies := make([]wire.Message, 0, len(messages))
	for _, m := range messages {
		bodies = append(bodies, v.Message(m))
	}
	return bodies, nil
}

// messagesOfEntries returns the messages that entries show.
func messagesOfEntries(entries []feed.Entry) []chat.Message {
	var messages []chat.Message
	for _, e := range entries {
		if e.Message != nil {
			messages = append(messages, *e.Message)
		}
	}
	return messages
}
