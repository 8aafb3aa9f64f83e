package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
)

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
