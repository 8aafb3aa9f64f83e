package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

// changeBody is one entry of a room's feed as the API shows it.
type changeBody struct {
	_ struct{} `additionalProperties:"true"`

	Seq      int64        `json:"seq" doc:"Its number: one more than that of the entry before" example:"42"`
	Type     string       `json:"type" doc:"message.created, message.edited, message.deleted, member.changed, room.changed or unknown; there may be others in time: pass over those" example:"message.created"`
	ID       string       `json:"id" doc:"What has changed: the message's id, the member's user id or the room's id; of unknown the key of an item that could not be read, or empty for a change that a newer version wrote" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Revision int          `json:"revision,omitempty,omitzero" doc:"Of a message: which of its revisions the change made" example:"1"`
	Message  *messageBody `json:"message,omitempty" doc:"Of a message: how it stands now, which may be a later revision; absent when it is no longer there"`
}

func changeOf(room chat.RoomID, e chat.Entry) changeBody {
	b := changeBody{Seq: e.Seq, Type: e.Change.Type.String()}
	switch e.Change.Type.Carries() {
	case chat.CarriesMessage:
		b.ID, b.Revision = e.Change.Message.String(), e.Change.Revision
	case chat.CarriesUser:
		b.ID = string(e.Change.User)
	case chat.CarriesNothing:
		b.ID = string(room)
	case chat.CarriesKey:
		b.ID = e.Change.Key
	}
	if e.Now != nil {
		m := messageOf(*e.Now)
		b.Message = &m
	}
	return b
}

type listChangesInput struct {
	RoomPath
	Since      int64  `query:"since" minimum:"0" maximum:"9007199254740991" default:"0" doc:"The last number that the client has seen, or the since of a page of messages"`
	Generation string `query:"generation" maxLength:"64" doc:"The generation that came with it" example:"2018-08-29T12:00:00.000"`
	Limit      int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most changes in the answer"`
}

type listChangesOutput struct {
	Body struct {
		_          struct{}     `additionalProperties:"true"`
		Changes    []changeBody `json:"changes" nullable:"false"`
		Head       int64        `json:"head" doc:"The number of the newest change: as long as it is greater than the last seq, there is more" example:"42"`
		Generation string       `json:"generation" doc:"Which feed the numbers are of"`
		Reset      bool         `json:"reset" doc:"The feed cannot go on from since: begin anew with a page of messages and its since"`
	}
}

func listChangesOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "list-changes", Method: http.MethodGet, Path: "/rooms/{room}/changes",
		Summary: "Read what has changed since",
		Description: "What happened in the room behind a position, in order and without holes. A change of a message brings the message as " +
			"it stands now. reset is true when since is older than what is kept (90 days by default), beyond head, or of another generation, as after " +
			"a backup was restored. A page holds at most limit changes and ends early at 1 MB. Whoever was away goes on from their last number; repeats are told by seq.",
		Tags: []string{"changes"},
	}, listChanges)
}

func listChanges(ctx context.Context, s *server, caller chat.UserID, in *listChangesInput) (*listChangesOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	c, err := s.service.Feed.Changes(ctx, caller, room, chat.Since{Seq: in.Since, Generation: in.Generation}, in.Limit)
	if err != nil {
		return nil, err
	}
	out := &listChangesOutput{}
	out.Body.Head, out.Body.Generation, out.Body.Reset = c.Head, c.Generation, c.Reset
	out.Body.Changes = make([]changeBody, 0, len(c.Entries))
	for _, e := range c.Entries {
		out.Body.Changes = append(out.Body.Changes, changeOf(room, e))
	}
	return out, nil
}

type putReadInput struct {
	RoomPath
	Body struct {
		Seq int64 `json:"seq" minimum:"0" maximum:"9007199254740991" doc:"The number of the last change that was seen, at most head" example:"42"`
	}
}

type putReadOutput struct {
	Body struct {
		_      struct{} `additionalProperties:"true"`
		Room   string   `json:"room" example:"seattle"`
		Seq    int64    `json:"seq" doc:"Where the marker stands: never further back than before" example:"42"`
		Unread int64    `json:"unread" doc:"How many messages were posted behind it" example:"0"`
	}
}

func putReadOperation() operation {
	return define(Write, huma.Operation{
		OperationID: "put-read", Method: http.MethodPut, Path: "/rooms/{room}/read",
		Summary: "Mark what was read",
		Description: "Sets the caller's own marker in a room, from which unread messages are counted. It never moves back: an older seq, as " +
			"from another device, answers where it stands.",
		Tags: []string{"changes"},
	}, putRead)
}

func putRead(ctx context.Context, s *server, caller chat.UserID, in *putReadInput) (*putReadOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	reading, err := s.service.Feed.MarkRead(ctx, caller, room, in.Body.Seq)
	if err != nil {
		return nil, err
	}
	out := &putReadOutput{}
	out.Body.Room, out.Body.Seq, out.Body.Unread = string(room), reading.Seq, reading.Unread
	return out, nil
}
