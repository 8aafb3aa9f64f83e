package reaction

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/emoji"
	"example.com/parley/internal/policy"
)

// Service stores and lists reactions. It is safe for concurrent use.
type Service struct {
	store    Store
	rooms    *chat.Service
	messages chat.MessageGetter
}

// NewService returns a service.
func NewService(t *dynamo.Table, rooms *chat.Service, messages chat.MessageGetter) *Service {
	return &Service{store: NewStore(t), rooms: rooms, messages: messages}
}

// Key returns the key of an emoji that a client gave. The error is Invalid if text is not an
// emoji.
func Key(text string) (string, error) {
	key, ok := emoji.Key(text)
	switch {
	case ok:
		return key, nil
	case emoji.Custom(text):
		return "", chat.Invalidf("emoji", "must be an emoji of Unicode: custom emoji such as :party: do not exist here")
	}
	return "", chat.Invalidf("emoji", "must be one emoji of Unicode's list for interchange, version %s", emoji.Version)
}

// React records that the caller reacts to a message with an emoji. A repeated call changes
// nothing. It returns the counts of the message as they were at most some seconds ago, with this
// reaction. The feed has them within about a second.
//
// The error is Invalid if text is not an emoji, and NotFound if the message does not exist. It is
// Conflict if the message is deleted, shows chat.MaxEmoji other emoji, or if chat.MaxReactions
// people have reacted with this one. The last two are decided by counts that may be a second old.
// Otherwise the error is as for chat.Authorizer.
func (s *Service) React(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID, text string,
) ([]chat.ReactionCount, error) {
	key, err := Key(text)
	if err != nil {
		return nil, err
	}
	m, err := s.reactTo(ctx, caller, room, id)
	if err != nil {
		return nil, err
	}
	if m.Deleted() {
		return nil, chat.Conflictf("the message is deleted")
	}
	if err := admit(m.Tally.Reactions, key); err != nil {
		return nil, err
	}
	stored, err := s.store.Put(
		ctx, Reaction{Room: room, Message: id, Emoji: key, User: caller, ReceivedAt: m.ReceivedAt},
	)
	if stored {
		return recounted(m.Tally.Reactions, key, 1), err
	}
	return recounted(m.Tally.Reactions, key, 0), err
}

// Unreact removes the caller's reaction to a message with an emoji, and returns the counts as React
// does. It also succeeds if there is none. The error is as for React, but never Conflict.
func (s *Service) Unreact(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID, text string,
) ([]chat.ReactionCount, error) {
	key, err := Key(text)
	if err != nil {
		return nil, err
	}
	m, err := s.reactTo(ctx, caller, room, id)
	if err != nil {
		return nil, err
	}
	existed, err := s.store.Delete(ctx, Reaction{Room: room, Message: id, Emoji: key, User: caller})
	if !existed {
		return m.Tally.Reactions, err
	}
	return recounted(m.Tally.Reactions, key, -1), err
}

// recounted returns counts in which an emoji has by more. A reaction that is stored counts, even if
// the counts do not know it yet.
func recounted(counts []chat.ReactionCount, key string, by int) []chat.ReactionCount {
	counts = slices.Clone(counts)
	i := slices.IndexFunc(counts, func(c chat.ReactionCount) bool { return c.Emoji == key })
	switch {
	case i >= 0:
		counts[i].Count += by
		return slices.DeleteFunc(counts, func(c chat.ReactionCount) bool { return c.Count == 0 })
	case by < 0:
		return counts
	}
	return append(counts, chat.ReactionCount{Emoji: key, Count: 1})
}

// reactTo returns a message to which the caller may react. As for a post, the room's settings may
// be some seconds old.
func (s *Service) reactTo(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID,
) (chat.Message, error) {
	if _, err := s.rooms.AuthorizeRecent(ctx, caller, room, policy.React); err != nil {
		return chat.Message{}, err
	}
	return s.messages.Message(ctx, room, id)
}

// admit returns a Conflict if a message accepts no further reactions with an emoji. It also
// refuses a repeated reaction to a full message: nothing is lost, since the reaction exists.
func admit(current []chat.ReactionCount, key string) error {
	for _, c := range current {
		if c.Emoji == key && c.Count >= chat.MaxReactions {
			return chat.Conflictf("10,000 people have reacted with this emoji, and no more are counted")
		}
		if c.Emoji == key {
			return nil
		}
	}
	if len(current) >= chat.MaxEmoji {
		return chat.Conflictf("the message has 20 different emoji; react with one of them")
	}
	return nil
}

// Query selects the people who reacted to a message with an emoji, as a client gave it.
type Query struct {
	Room  chat.RoomID
	ID    chat.MessageID
	Emoji string
	Page  chat.PageRequest
}

// Reactors lists who reacted to a message with an emoji, ordered by user id. A deleted message has
// no reactions.
//
// The error is Invalid if the query's emoji is not an emoji, and NotFound if the message does not
// exist. Otherwise it is as for chat.Authorizer and chat.PageRequest.Read.
func (s *Service) Reactors(ctx context.Context, caller chat.UserID, q Query) (chat.Page[chat.UserID], error) {
	key, err := Key(q.Emoji)
	if err != nil {
		return chat.Page[chat.UserID]{}, err
	}
	scope := chat.NewCursorScope("reactors").Text(string(q.Room)).Text(q.ID.String()).Text(key)
	var after chat.UserPosition
	if err := q.Page.Read(scope, &after); err != nil {
		return chat.Page[chat.UserID]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, q.Room, policy.Read); err != nil {
		return chat.Page[chat.UserID]{}, err
	}
	m, err := s.messages.Message(ctx, q.Room, q.ID)
	if err != nil || m.Deleted() {
		return chat.Page[chat.UserID]{}, err
	}
	users, more, err := s.store.Reactors(ctx, ReactorQuery{
		Room: q.Room, Message: q.ID, Emoji: key, After: chat.UserID(after), Limit: q.Page.Limit,
	})
	if err != nil {
		return chat.Page[chat.UserID]{}, err
	}
	page := chat.Page[chat.UserID]{Items: users}
	if more {
		last := chat.UserPosition(users[len(users)-1])
		page.Next = chat.EncodeCursor(scope, &last)
	}
	return page, nil
}
