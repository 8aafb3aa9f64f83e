package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

type listChangesInput struct {
	RoomPath
	Since string `query:"since" format:"cursor" doc:"The since of a page of messages or of an earlier answer, unchanged. Default: the beginning of the feed" example:"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most changes in the answer"`
	PeopleQuery
}

type listChangesOutput struct {
	Body struct {
		Items  []wire.Change       `json:"items"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
		Head   int64               `json:"head" doc:"The number of the newest change. There are more changes as long as it is greater than the last seq" example:"42"`
		Since  string              `json:"since,omitempty" doc:"The position after the last of these changes, for the next request; absent with reset" example:"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA"`
		Reset  bool                `json:"reset" doc:"The feed cannot continue from since: begin again with a page of messages and its since"`
	}
}

func listChangesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-changes", Method: http.MethodGet, Path: "/rooms/{room}/changes",
		Summary: "Read the changes since a position",
		Description: "The changes after since, in order and without holes. A change of a message has the message as " +
			"the change left it, or a later state: a text that was deleted since may show for about a second, as in " +
			"list-messages. A change of a member has the current role. Several changes of one membership, of the " +
			"settings, of one message's counts or of its pin within a moment may be one. A page holds at most limit " +
			"changes and ends early at 1 MB. reset is true when since is older than the stored changes (90 days by " +
			"default), beyond head, or from before a backup was restored. since is opaque and of one room: a number, " +
			"or the since of another room, is refused (422). A client that was away continues with the last since " +
			"that it received, and drops repeated changes by seq.",
		Tags:   []string{"changes"},
		Errors: []int{http.StatusNotFound},
	}, listChanges)
}

func listChanges(ctx context.Context, s *server, caller chat.UserID, in *listChangesInput) (*listChangesOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	var since chat.FeedPosition
	if in.Since != "" {
		if since, err = chat.ParseFeedPosition(room, in.Since); err != nil {
			return nil, err
		}
	}
	c, err := s.service.Feed.Changes(ctx, caller, room, since, in.Limit)
	if err != nil {
		return nil, err
	}
	out := &listChangesOutput{}
	out.Body.Head, out.Body.Reset = c.Head, c.Reset
	if !c.Reset {
		out.Body.Since = c.Since.Text(room)
	}
	view, err := s.viewOf(ctx, caller, messagesOfEntries(c.Entries))
	if err != nil {
		return nil, err
	}
	out.Body.Items = make([]wire.Change, 0, len(c.Entries))
	for _, e := range c.Entries {
		out.Body.Items = append(out.Body.Items, wire.ChangeOf(room, e, view))
	}
	out.Body.People, err = in.people(ctx, s, usersOfChanges(c.Entries))
	return out, err
}
