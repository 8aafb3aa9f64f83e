package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/wire"
)

// ReactionPath is the part of a path that names the caller's reaction. It is exported for huma,
// like RoomPath.
type ReactionPath struct {
	MessagePath
	Emoji string `path:"emoji" format:"emoji" maxLength:"40" doc:"One emoji of Unicode's list for interchange, at most 40 bytes, percent-encoded. U+FE0F may be left out" example:"👍"`
}

func putReactionOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-reaction", Method: http.MethodPut, Path: "/rooms/{room}/messages/{id}/reactions/{emoji}",
		Summary: "React to a message",
		Description: "For everyone in the room; for everyone, if the room is public and everyone may post in it. A " +
			"repeated call changes nothing. The message's counts follow within about a second, as counts.changed. " +
			"409 when the message is deleted, when it has 20 other emoji, and when 10,000 people have reacted with " +
			"this one. 422 when it is not an emoji; there are no custom emoji such as :party:.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, putReaction)
}

// reactionsOutput has the counts of a message after a reaction.
type reactionsOutput struct {
	Body struct {
		Items []wire.Reaction `json:"items" doc:"As of some seconds ago, with this change; me only with the emoji of the request"`
	} `nameHint:"ReactionCounts"`
}

func reactionsOf(counts []chat.ReactionCount, own string) *reactionsOutput {
	out := &reactionsOutput{}
	out.Body.Items = wire.ReactionsOf(counts)
	for i, c := range counts {
		out.Body.Items[i].Me = c.Emoji == own
	}
	return out
}

func putReaction(ctx context.Context, s *server, caller chat.UserID, in *ReactionPath) (*reactionsOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	counts, err := s.service.Reactions.React(ctx, caller, room, id, in.Emoji)
	if err != nil {
		return nil, err
	}
	key, err := reaction.Key(in.Emoji)
	return reactionsOf(counts, key), err
}

func deleteReactionOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-reaction", Method: http.MethodDelete,
		Path:        "/rooms/{room}/messages/{id}/reactions/{emoji}",
		Summary:     "Take back a reaction",
		Description: "Removes the caller's reaction, and also succeeds when there is no such reaction.",
		Tags:        []string{"messages"},
		Errors:      []int{http.StatusNotFound},
	}, deleteReaction)
}

func deleteReaction(ctx context.Context, s *server, caller chat.UserID, in *ReactionPath) (*reactionsOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	counts, err := s.service.Reactions.Unreact(ctx, caller, room, id, in.Emoji)
	return reactionsOf(counts, ""), err
}

type listReactionsInput struct {
	MessagePath
	Emoji string `query:"emoji" required:"true" format:"emoji" maxLength:"40" doc:"One emoji, at most 40 bytes, as in put-reaction" example:"👍"`
	PageQuery
	PeopleQuery
}

// reactorBody is a person who reacted.
type reactorBody struct {
	User string `json:"user" example:"bob"`
}

type listReactionsOutput struct {
	Body struct {
		Items  []reactorBody       `json:"items"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
	} `nameHint:"ReactorPage"`
}

func listReactionsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-reactions", Method: http.MethodGet, Path: "/rooms/{room}/messages/{id}/reactions",
		Summary:     "List who reacted to a message with an emoji",
		Description: "Ordered by user id. A deleted message has no reactions. The list may be behind by a second.",
		Tags:        []string{"messages"},
		Errors:      []int{http.StatusNotFound},
	}, listReactions)
}

func listReactions(
	ctx context.Context, s *server, caller chat.UserID, in *listReactionsInput,
) (*listReactionsOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Reactions.Reactors(
		ctx, caller, reaction.Query{Room: room, ID: id, Emoji: in.Emoji, Page: in.page()},
	)
	if err != nil {
		return nil, err
	}
	out := &listReactionsOutput{}
	out.Body.Next = page.Next
	out.Body.Items = each(page.Items, func(user chat.UserID) reactorBody { return reactorBody{string(user)} })
	out.Body.People, err = in.people(ctx, s, page.Items)
	return out, err
}

// readMessages shows messages of one room to the caller, including which reactions and votes are
// the caller's own. contiguous reports that the messages are consecutive in the room.
func (s *server) readMessages(
	ctx context.Context, caller chat.UserID, contiguous bool, messages ...chat.Message,
) ([]wire.Message, error) {
	bodies, err := s.messagesFor(ctx, caller, messages...)
	if err != nil {
		return nil, err
	}
	own, err := s.service.Reactions.OwnReactions(ctx, caller, messages, contiguous)
	if err != nil {
		return nil, err
	}
	votes, err := s.service.Polls.Own(ctx, caller, messages)
	if err != nil {
		return nil, err
	}
	for n, m := range messages {
		if p := bodies[n].Poll; p != nil {
			for i := range p.Options {
				p.Options[i].Me = votes[m.ID].Has(i)
			}
		}
		for i, r := range m.Tally.Reactions {
			bodies[n].Reactions[i].Me = own.Has(m.ID, r.Emoji)
		}
	}
	return bodies, nil
}
