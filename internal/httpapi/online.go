package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

type getOnlineOutput struct {
	Body onlineBody `nameHint:"Online"`
}

// onlineBody lists who is online in a room.
type onlineBody struct {
	Count int      `json:"count" doc:"How many people; 1,000 means that many or more"`
	Users []string `json:"users" doc:"The user ids of at most 50 of them, in order" example:"[\"amsg\"]"`
}

func getOnlineOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-online", Method: http.MethodGet, Path: "/rooms/{room}/online",
		Summary: "Read who is online in a room",
		Description: "The people with a live connection that is subscribed to the room, each once, in any role, " +
			"except people who have blocked the caller. A connection that was lost without being closed may count " +
			"for some minutes. In a small room, live connections are notified when people come and go.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound},
	}, getOnline)
}

func getOnline(ctx context.Context, s *server, caller chat.UserID, in *RoomPath) (*getOnlineOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	online, err := s.service.Live.Online(ctx, caller, room)
	if err != nil {
		return nil, err
	}
	out := &getOnlineOutput{Body: onlineBody{Count: online.Count, Users: make([]string, len(online.Users))}}
	for i, user := range online.Users {
		out.Body.Users[i] = string(user)
	}
	return out, nil
}
