// Package poll stores the votes of polls. A vote is a row of its own, and package tally counts the
// rows. The poll itself is part of its message (docs/adr/0061-keep-a-poll-in-its-message.md).
package poll

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// Service stores and lists votes. It is safe for concurrent use.
type Service struct {
	table    *dynamo.Table
	rooms    *chat.Service
	messages chat.MessageGetter
	clock    func() time.Time
}

// NewService returns a service.
func NewService(t *dynamo.Table, rooms *chat.Service, messages chat.MessageGetter, clock func() time.Time) *Service {
	return &Service{table: t, rooms: rooms, messages: messages, clock: clock}
}

// Vote stores the caller's vote in the poll of a message, replacing an earlier one. The counts of
// the message follow within about a second.
//
// The error is NotFound if the message does not exist or has no poll, and Invalid for choices that
// the poll does not offer or allow. It is Conflict if the message is deleted, the poll has ended,
// or chat.MaxVoters people have voted, by a count that may be a second old. Otherwise it is as for
// chat.Authorizer.
//
// It is one put: 1 write unit.
func (s *Service) Vote(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID, choices []int,
) error {
	m, err := s.open(ctx, caller, room, id)
	if err != nil {
		return err
	}
	if err := check(m.Poll, choices); err != nil {
		return err
	}
	if m.Tally.Votes.Voters >= chat.MaxVoters {
		return chat.Conflictf("10,000 people have voted, and no more are counted")
	}
	_, err = s.table.PutItem(
		ctx, "vote", Item(chat.Vote{Room: room, Message: id, User: caller, Choices: chat.Choose(choices...)}),
		table.Update{},
	)
	return err
}

// Withdraw removes the caller's vote. It also succeeds if there is none. The error is as for Vote,
// but never Invalid. It is one deletion: 1 write unit.
func (s *Service) Withdraw(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if _, err := s.open(ctx, caller, room, id); err != nil {
		return err
	}
	_, err := s.table.DeleteItem(ctx, "withdraw vote", table.VoteKey(room, id, caller))
	return err
}

// open returns a message with a poll in which the caller may vote. As for a post, the room's
// settings may be some seconds old.
func (s *Service) open(
	ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID,
) (chat.Message, error) {
	if _, err := s.rooms.AuthorizeRecent(ctx, caller, room, policy.React); err != nil {
		return chat.Message{}, err
	}
	m, err := s.messages.Message(ctx, room, id)
	switch {
	case err != nil:
		return chat.Message{}, err
	case m.Deleted():
		return chat.Message{}, chat.Conflictf("the message is deleted")
	case m.Poll == nil:
		return chat.Message{}, errNoPoll()
	case m.Poll.Ended(s.clock()):
		return chat.Message{}, chat.Conflictf("the poll has ended")
	}
	return m, nil
}

// check returns an Invalid error unless a poll allows choices.
func check(p *chat.Poll, choices []int) error {
	if len(choices) == 0 || len(choices) > 1 && !p.Multiple {
		if p.Multiple {
			return chat.Invalidf("choices", "must not be empty")
		}
		return chat.Invalidf("choices", "must be one choice")
	}
	for i, choice := range choices {
		if choice < 0 || choice >= len(p.Options) || slices.Contains(choices[:i], choice) {
			return chat.Invalidf("choices", "must be different positions of options, from 0 to %d", len(p.Options)-1)
		}
	}
	return nil
}

func errNoPoll() error {
	return &chat.Error{Kind: chat.NotFound, Detail: "the message has no poll"}
}

// Own returns the caller's choices in the polls of some messages that the caller has read. It reads
// half a read unit for each message with votes, eventually consistent.
func (s *Service) Own(
	ctx context.Context, caller chat.UserID, messages []chat.Message,
) (map[chat.MessageID]chat.Choices, error) {
	var keys []table.Item
	for _, m := range messages {
		if m.Poll != nil && m.Tally.Votes.Voters > 0 {
			keys = append(keys, table.VoteKey(m.Room, m.ID, caller))
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	items, err := s.table.BatchGet(ctx, "read own votes", keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	own := map[chat.MessageID]chat.Choices{}
	for _, item := range items {
		if item == nil {
			continue
		}
		v, err := Parse(item)
		if err != nil {
			return nil, err
		}
		own[v.Message] = v.Choices
	}
	return own, nil
}

// Item returns the item of a vote.
func Item(v chat.Vote) table.Item {
	item := table.VoteKey(v.Room, v.Message, v.User)
	table.Stamp(item, table.VoteKind)
	item[table.AttrChoices] = table.Number(int64(v.Choices))
	return item
}

// Parse reads an item that Item wrote.
func Parse(item table.Item) (chat.Vote, error) {
	r := table.Reader{Item: item}
	r.Expect(table.VoteKind)
	v, err := ParseKey(item)
	r.Keep(err)
	v.Choices, err = table.ParseChoices(item)
	r.Keep(err)
	if r.Err != nil {
		return chat.Vote{}, fmt.Errorf("vote: %w", r.Err)
	}
	return v, nil
}

// ParseKey reads a vote from its primary key, without its choices.
func ParseKey(item table.Item) (v chat.Vote, err error) {
	user, ok := strings.CutPrefix(table.KeyPart(item, table.SK), table.VotePrefix)
	if ok {
		if v.Room, v.Message, err = table.ParseMessageVersionsPK(table.KeyPart(item, table.PK)); err == nil {
			v.User, err = chat.StoredUserID(user)
		}
	}
	if !ok || err != nil {
		return chat.Vote{}, fmt.Errorf("vote: %w: sort key %q", chat.ErrUnreadable, table.KeyPart(item, table.SK))
	}
	return v, nil
}

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
