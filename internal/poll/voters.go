package poll

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// Query selects the votes in the poll of a message.
type Query struct {
	Room chat.RoomID
	ID   chat.MessageID
	Page chat.PageRequest
}

// Voters lists the votes in the poll of a message, ordered by user id. A vote of the last second
// may be missing.
//
// The error is NotFound if the message does not exist or has no poll, and Forbidden if the poll is
// anonymous. Otherwise it is as for chat.Authorizer and chat.PageRequest.Read.
//
// It is one query: half a read unit for every 4 KB, which is about 40 votes.
func (s *Service) Voters(ctx context.Context, caller chat.UserID, q Query) (chat.Page[chat.Vote], error) {
	scope := chat.NewCursorScope("voters").Text(string(q.Room)).Text(q.ID.String())
	var after chat.UserPosition
	if err := q.Page.Read(scope, &after); err != nil {
		return chat.Page[chat.Vote]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, q.Room, policy.Read); err != nil {
		return chat.Page[chat.Vote]{}, err
	}
	m, err := s.messages.Message(ctx, q.Room, q.ID)
	switch {
	case err != nil:
		return chat.Page[chat.Vote]{}, err
	case m.Poll == nil:
		return chat.Page[chat.Vote]{}, errNoPoll()
	case m.Poll.Anonymous:
		return chat.Page[chat.Vote]{}, &chat.Error{Kind: chat.Forbidden, Detail: "the poll is anonymous"}
	}
	query := dynamo.Query{
		Operation: "list voters", Partition: table.MessageVersionsPK(q.Room, q.ID),
		Keys:        dynamo.WithPrefix(table.VotePrefix),
		Consistency: dynamo.Eventual, Limit: q.Page.Limit + 1,
	}
	if after != "" {
		query.Start = table.VoteKey(q.Room, q.ID, chat.UserID(after))
	}
	items, _, err := s.table.Query(ctx, query)
	if err != nil {
		return chat.Page[chat.Vote]{}, err
	}
	var page chat.Page[chat.Vote]
	for _, item := range items[:min(len(items), q.Page.Limit)] {
		v, err := Parse(item)
		if err != nil {
			return chat.Page[chat.Vote]{}, err
		}
		page.Items = append(page.Items, v)
	}
	if len(items) > q.Page.Limit {
		last := chat.UserPosition(page.Items[len(page.Items)-1].User)
		page.Next = chat.EncodeCursor(scope, &last)
	}
	return page, nil
}
