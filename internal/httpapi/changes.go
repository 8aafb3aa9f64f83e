package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
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
	out.Body.Items = each(c.Entries, func(e feed.Entry) wire.Change { return wire.ChangeOf(room, e, view) })
	out.Body.People, err = in.people(ctx, s, usersOfChanges(c.Entries))
	return out, err
}

type putReadInput struct {
	RoomPath
	Body struct {
		Message    *string `json:"message,omitempty" format:"message-id" doc:"The id of the last message that the caller has seen" example:"01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg"`
		Seq        *int64  `json:"seq,omitempty" minimum:"0" maximum:"9007199254740991" doc:"The number of the last change that the caller has seen, at most head" example:"42"`
		UnreadFrom *string `json:"unreadFrom,omitempty" format:"message-id" doc:"The id of the first message to mark as unread" example:"01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg"`
	}
}

type putReadOutput struct {
	Body struct {
		Room     string `json:"room" example:"seattle"`
		Seq      int64  `json:"seq" doc:"The current marker: the number of the last change before it" example:"42"`
		Unread   int64  `json:"unread" maximum:"1000" doc:"The number of messages posted after the marker and after joining, without deleted ones and the caller's own; 1000 means 1000 or more" example:"0"`
		Mentions int64  `json:"mentions" maximum:"100" doc:"The number of messages after the marker that mention the caller or, since they joined, everyone; 100 means 100 or more" example:"0"`
	} `nameHint:"ReadMarker"`
}

func putReadOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-read", Method: http.MethodPut, Path: "/rooms/{room}/read",
		Summary: "Move your read marker",
		Description: "Sets the caller's read marker in a room, after which messages count as unread. The body has " +
			"exactly one of message, seq and unreadFrom. With message or seq, a marker never moves back: a request " +
			"with an earlier one, for example from another device, returns the current marker. unreadFrom places the " +
			"marker before a message, forward or back, and so marks this message and all later ones as unread. A " +
			"message that is not in the room's feed yet stands for the end of the feed. One whose change is older " +
			"than the feed keeps is refused. Everyone who may read the room has a marker; the list of the caller's " +
			"rooms shows it for the rooms that they joined.",
		Tags:   []string{"changes"},
		Errors: []int{http.StatusNotFound},
	}, putRead)
}

func putRead(ctx context.Context, s *server, caller chat.UserID, in *putReadInput) (*putReadOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	reading, err := s.mark(ctx, caller, room, in)
	if err != nil {
		return nil, err
	}
	out := &putReadOutput{}
	out.Body.Room, out.Body.Seq, out.Body.Unread, out.Body.Mentions = string(room), reading.Seq, reading.Unread,
		reading.Mentions
	return out, nil
}

// mark sets the caller's marker by the only field that the body has.
func (s *server) mark(
	ctx context.Context, caller chat.UserID, room chat.RoomID, in *putReadInput,
) (inbox.Reading, error) {
	b := in.Body
	switch {
	case b.Seq != nil && b.Message == nil && b.UnreadFrom == nil:
		return s.service.Inbox.MarkRead(ctx, caller, room, *b.Seq)
	case b.Message != nil && b.Seq == nil && b.UnreadFrom == nil:
		return markAt(ctx, "message", *b.Message, func(ctx context.Context, id chat.MessageID) (inbox.Reading, error) {
			return s.service.Inbox.MarkMessage(ctx, caller, room, id)
		})
	case b.UnreadFrom != nil && b.Seq == nil && b.Message == nil:
		return markAt(ctx, "unreadFrom", *b.UnreadFrom, func(ctx context.Context, id chat.MessageID) (
			inbox.Reading, error,
		) {
			return s.service.Inbox.MarkUnread(ctx, caller, room, id)
		})
	case b.Message == nil && b.UnreadFrom == nil:
		return inbox.Reading{}, chat.Invalidf("seq", "must be given, or message or unreadFrom")
	}
	return inbox.Reading{}, chat.Invalidf("message", "must be the only one of message, seq and unreadFrom")
}

// markAt sets a marker by the message that a field names.
func markAt(
	ctx context.Context, field, text string, mark func(context.Context, chat.MessageID) (inbox.Reading, error),
) (inbox.Reading, error) {
	id, err := chat.ParseMessageID(text)
	if err != nil {
		return inbox.Reading{}, chat.InField(field, err)
	}
	reading, err := mark(ctx, id)
	if chat.KindOf(err) == chat.Invalid {
		err = chat.InField(field, err)
	}
	return reading, err
}
