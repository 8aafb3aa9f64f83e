package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/wire"
)

// preferencesBody is what a person prefers about a room, in a response.
type preferencesBody struct {
	Favorite   bool   `json:"favorite" doc:"Whether the room is one of the caller's favorites"`
	Muted      bool   `json:"muted" doc:"Whether only mentions in the room count in unreadTotal: the level is mentions or none"`
	Level      string `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"Of which messages of the room the caller is notified; absent if their own level applies"`
	LevelUntil string `json:"levelUntil,omitempty" format:"date-time" doc:"The end of level, after which the caller's own applies; absent without one"`
}

type putPreferencesInput struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"me, or the caller's user id" example:"me"`
	RoomPath
	Body struct {
		Favorite   bool    `json:"favorite,omitzero" doc:"Default: false"`
		Muted      bool    `json:"muted,omitzero" doc:"Without a level, true stands for the level mentions. Default: false"`
		Level      string  `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"all: every message that the room lists; direct: messages in direct rooms, replies in followed threads, and mentions; mentions: mentions of the caller or of everyone; none: nothing. Each includes the messages of the next one. Default: the caller's level for all rooms (get-notifications)"`
		LevelUntil *string `json:"levelUntil,omitempty" format:"date-time" doc:"The end of level, in the future"`
	} `nameHint:"PreferencesDraft"`
}

type putPreferencesOutput struct {
	Body preferencesBody `nameHint:"Preferences"`
}

func putPreferencesOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-preferences", Method: http.MethodPut, Path: "/people/{user}/rooms/{room}",
		Summary: "Set what you prefer about a room",
		Description: "Replaces the caller's preferences about a room that they are in, a direct or archived one too. " +
			"An absent field gets its default. Nobody else can see the preferences, not even a service that lists " +
			"the person's rooms. The caller's connections get preferences.changed. Preferences remain when the " +
			"person leaves the room, and apply again when they return. Only the person, or a service that acts for " +
			"the person, may set them. 404 (not-found) also for a room that the caller is not in.",
		Tags:   []string{"people"},
		Errors: []int{http.StatusNotFound},
	}, putPreferences)
}

func putPreferences(
	ctx context.Context, s *server, caller chat.UserID, in *putPreferencesInput,
) (*putPreferencesOutput, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	p := inbox.Preferences{Favorite: in.Body.Favorite}
	p.Level.Level, _ = notify.ParseLevel(in.Body.Level) // the schema has the names
	if p.Level.Level == notify.Unset && in.Body.Muted {
		p.Level.Level = notify.Mentions
	}
	if until := in.Body.LevelUntil; until != nil {
		if p.Level.Level == notify.Unset {
			return nil, chat.Invalidf("levelUntil", "must come with a level")
		}
		at, err := parseTime("levelUntil", *until)
		if err != nil {
			return nil, err
		}
		p.Level.Until = chat.ServerTime(at)
	}
	if err := s.service.Inbox.SetPreferences(ctx, caller, user, room, p); err != nil {
		return nil, err
	}
	return &putPreferencesOutput{preferencesBody{
		Favorite: p.Favorite, Muted: p.Level.Muted(), Level: p.Level.Level.String(),
		LevelUntil: wire.OptionalTimeText(p.Level.Until),
	}}, nil
}
