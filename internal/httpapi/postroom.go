package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

type postRoomInput struct {
	Body struct {
		RoomSettings
		Visibility *string  `json:"visibility,omitempty" enum:"private" doc:"Required unless direct is given. Create public rooms with PUT /rooms/{room}"`
		Direct     []string `json:"direct,omitempty" minItems:"1" maxItems:"9" maxLength:"64" nullable:"false" doc:"The others of a direct room, by user id. Excludes all other fields" example:"[\"bob\"]"`
	}
}

type postRoomOutput struct {
	Status   int
	Location string `header:"Location" doc:"The room's own path"`
	Body     roomBody
}

func postRoomOperation() operation {
	return define(Write, huma.Operation{
		OperationID: "post-room", Method: http.MethodPost, Path: "/rooms",
		Summary: "Create a private room, or open a direct room",
		Description: "The server chooses the id, so that creating rooms cannot reveal existing ones. Only its members can know " +
			"that it exists. A private room needs a name, and the caller becomes its owner; a retry creates another room. " +
			"A direct room belongs to the caller and one to nine others: 201 the first time, and 200 with the same room for each of them afterwards. " +
			"Everyone in it is a member, nobody administers it, and anyone may leave; opening it again brings back everyone who has left.",
		Tags:          []string{"rooms"},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The direct room that these people already have"}},
	}, postRoom)
}

func postRoom(ctx context.Context, s *server, caller chat.UserID, in *postRoomInput) (*postRoomOutput, error) {
	out := &postRoomOutput{Status: http.StatusCreated}
	var room chat.Room
	var err error
	switch {
	case in.Body.Direct != nil:
		var created bool
		if err := noSettings(in); err != nil {
			return nil, err
		}
		if room, created, err = s.service.Direct.PostRoom(ctx, caller, in.Body.Direct); err == nil && !created {
			out.Status = http.StatusOK
		}
	case in.Body.Visibility == nil:
		err = chat.Invalidf("visibility", required)
	default:
		room, err = s.service.CreatePrivateRoom(ctx, caller, in.Body.draft())
	}
	if err != nil {
		return nil, err
	}
	out.Location, out.Body = "/rooms/"+string(room.ID), roomOf(room)
	return out, nil
}

// noSettings returns an Invalid error about the first setting that a request for a direct room has.
func noSettings(in *postRoomInput) error {
	if in.Body.Visibility != nil {
		return chat.Invalidf("visibility", withDirect)
	}
	for field, value := range reflect.ValueOf(in.Body.RoomSettings).Fields() {
		if !value.IsZero() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return chat.Invalidf(name, withDirect)
		}
	}
	return nil
}

const withDirect = "must be left out for a direct room"
