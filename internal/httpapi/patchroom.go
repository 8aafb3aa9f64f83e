package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

type patchRoomInput struct {
	RoomPath
	GuardedChange
	Body RoomSettings
}

func patchRoomOperation() operation {
	return define(Write, roomPrice, huma.Operation{
		OperationID: "patch-room", Method: http.MethodPatch, Path: "/rooms/{room}",
		Summary: "Change a room's settings",
		Description: "For the room's owners. The given settings change, and the others stay. With If-Match, shards " +
			"cannot be changed.",
		Tags:   []string{"rooms"},
		Errors: []int{http.StatusNotFound, http.StatusPreconditionFailed},
	}, patchRoom)
}

func patchRoom(ctx context.Context, s *server, caller chat.UserID, in *patchRoomInput) (*roomOutput, error) {
	id, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	if err := in.Body.checkVisibility(ctx, id); err != nil {
		return nil, err
	}
	draft := in.Body.draft()
	if draft.If, err = in.precondition(); err != nil {
		return nil, err
	}
	room, err := s.service.PatchRoom(ctx, caller, id, draft)
	if err != nil {
		return nil, err
	}
	return roomAnswer(room, http.StatusOK)
}

// checkVisibility returns an error if a request states a visibility that does not agree with the
// room's id, or that the caller may not choose. A person may not: whether the id is taken would
// reveal a hidden room. The answer does not depend on it.
func (r *RoomSettings) checkVisibility(ctx context.Context, id chat.RoomID) error {
	if r == nil || r.Visibility == nil {
		return nil
	}
	switch private := *r.Visibility == "private"; {
	case private != id.Private():
		return chat.Invalidf(
			"visibility", "must agree with the id: those of private rooms begin with p-, and no others do",
		)
	case private && !isService(ctx):
		return &chat.Error{Kind: chat.Forbidden, Field: "visibility",
			Detail: "only a service chooses the id of a private room; create it with POST /rooms, or leave " +
				"visibility out to change a room"}
	}
	return nil
}
