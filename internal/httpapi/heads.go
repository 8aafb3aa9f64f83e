package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
)

// ownHeadBody is how far a room is, and how far its member has read.
type ownHeadBody struct {
	ID       string `json:"id" doc:"The room's id" example:"seattle"`
	Head     int64  `json:"head" doc:"The number of the newest change in the room's feed; 0 before the first one" example:"44"`
	Read     int64  `json:"read" doc:"The caller's read marker: the number up to which they have read; 0 without a marker" example:"41"`
	Messages int64  `json:"messages,omitzero" maximum:"1000" doc:"The number of messages after the marker and after joining, including deleted messages and messages by the caller and by blocked people; absent for none; 1000 means 1000 or more" example:"3"`
	Favorite bool   `json:"favorite,omitzero" doc:"Whether it is one of the caller's favorites; absent if not"`
	Muted    bool   `json:"muted,omitzero" doc:"Whether only mentions count as unread: the level is mentions or none; absent if not"`
	Level    string `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"The caller's level of notifications for the room; absent if their own level applies"`
}

// ownHeadsBody are the heads of all rooms of a list, in its order.
type ownHeadsBody struct {
	Items []ownHeadBody `json:"items"`
}

type listHeadsInput struct {
	Conditional
}

type listHeadsOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"For If-None-Match"`
	Body   ownHeadsBody
}

func listHeadsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-heads", Method: http.MethodGet, Path: "/people/me/heads",
		Summary: "List how far the caller's rooms are",
		Description: "All rooms of the caller's list in one answer, sorted by activity, newest first, without their " +
			"contents. A client compares the heads with the heads it knows, and requests only the rooms that have " +
			"changed. The list omits deleted rooms and rooms to which a blocked person added the caller, but " +
			"includes direct rooms with blocked people. It costs half a read unit for each room.",
		Tags:      []string{"people"},
		Responses: unchanged,
	}, listHeads)
}

func listHeads(ctx context.Context, s *server, caller chat.UserID, in *listHeadsInput) (*listHeadsOutput, error) {
	heads, err := s.service.Inbox.RoomHeads(ctx, caller)
	if err != nil {
		return nil, err
	}
	out := &listHeadsOutput{Body: headsBody(heads)}
	out.ETag, err = settingsETag(0, out.Body)
	out.Status = in.status(out.ETag)
	return out, err
}

func headsBody(heads []inbox.RoomHead) ownHeadsBody {
	bodies := make([]ownHeadBody, len(heads))
	for i, h := range heads {
		bodies[i] = ownHeadBody{
			ID: string(h.Room), Head: h.Last, Read: h.Read, Messages: h.Messages, Favorite: h.Preferences.Favorite,
			Muted: h.Preferences.Level.Muted(), Level: h.Preferences.Level.Level.String(),
		}
	}
	return ownHeadsBody{bodies}
}
