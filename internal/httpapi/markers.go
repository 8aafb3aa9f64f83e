package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

type putReadInput struct {
	RoomPath
	Body struct {
		Seq int64 `json:"seq" minimum:"0" maximum:"9007199254740991" doc:"The number of the last change that the caller has seen, at most head" example:"42"`
	}
}

type putReadOutput struct {
	Body struct {
		Room   string `json:"room" example:"seattle"`
		Seq    int64  `json:"seq" doc:"The current marker" example:"42"`
		Unread int64  `json:"unread" doc:"The number of messages posted after the marker" example:"0"`
	} `nameHint:"ReadMarker"`
}

func putReadOperation() operation {
	return define(Write, huma.Operation{
		OperationID: "put-read", Method: http.MethodPut, Path: "/rooms/{room}/read",
		Summary: "Move your read marker",
		Description: "Sets the caller's read marker in a room, after which messages count as unread. It never moves back: for a lower seq, " +
			"such as from another device, the answer is the current marker. Everyone who may read the room has a marker; the list of the caller's rooms shows it for the rooms that they joined.",
		Tags:   []string{"changes"},
		Errors: []int{http.StatusNotFound},
	}, putRead)
}

func putRead(ctx context.Context, s *server, caller chat.UserID, in *putReadInput) (*putReadOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	reading, err := s.service.Inbox.MarkRead(ctx, caller, room, in.Body.Seq)
	if err != nil {
		return nil, err
	}
	out := &putReadOutput{}
	out.Body.Room, out.Body.Seq, out.Body.Unread = string(room), reading.Seq, reading.Unread
	return out, nil
}
