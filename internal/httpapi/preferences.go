package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
)

// preferencesBody is what a person prefers about a room, in a response.
type preferencesBody struct {
	Favorite bool `json:"favorite" doc:"Whether the room is one of the caller's favorites"`
	Muted    bool `json:"muted" doc:"Whether only mentions in the room count in unreadTotal"`
}

type putPreferencesInput struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"me, or the caller's user id" example:"me"`
	RoomPath
	Body struct {
		Favorite bool `json:"favorite,omitzero" doc:"Default: false"`
		Muted    bool `json:"muted,omitzero" doc:"Default: false"`
	} `nameHint:"PreferencesDraft"`
}

type putPreferencesOutput struct {
	Body preferencesBody `nameHint:"Preferences"`
}

func putPreferencesOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-preferences", Method: http.MethodPut, Path: "/people/{user}/rooms/{room}",
		Summary: "Set what you prefer about a room",
		Description: "Replaces the caller's preferences about a room that they are in, a direct or archived one too. An absent field is false. " +
			"Nobody else sees them, nor does a service that lists the rooms of the person, and the caller's connections get preferences.changed. " +
			"They stay when the person leaves the room, and apply again when they are back. " +
			"Only the person may set them, or a service that acts for the person. 404 (not-found) also for a room that the caller is not in.",
		Tags:   []string{"people"},
		Errors: []int{http.StatusNotFound},
	}, putPreferences)
}

func putPreferences(ctx context.Context, s *server, caller chat.UserID, in *putPreferencesInput) (*putPreferencesOutput, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	p := inbox.Preferences{Favorite: in.Body.Favorite, Muted: in.Body.Muted}
	if err := s.service.Inbox.SetPreferences(ctx, caller, user, room, p); err != nil {
		return nil, err
	}
	return &putPreferencesOutput{preferencesBody(p)}, nil
}
