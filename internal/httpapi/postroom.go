package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

type postRoomInput struct {
	KeyHeader
	Body struct {
		RoomSettings
		RequestID  *string  `json:"requestId,omitempty" format:"uuidv7" doc:"A UUIDv7, generated once for a private room. A retry with the same id creates the room once. Its time may be 24 hours old and 2 seconds ahead. A direct room needs none, and ignores it" example:"01890a5d-ac96-774b-bcce-b302099a8057"`
		Visibility *string  `json:"visibility,omitempty" enum:"private" doc:"Required unless direct is given. Create public rooms with PUT /rooms/{room}"`
		Direct     []string `json:"direct,omitempty" minItems:"1" maxItems:"9" format:"user-id" maxLength:"64" nullable:"false" doc:"The others of a direct room, by user id. Excludes all other fields but requestId" example:"[\"bob\"]"`
	}
}

type postRoomOutput struct {
	Status   int
	Replay   string `header:"Idempotent-Replay" doc:"true for a retry of a request that created a private room"`
	Location string `header:"Location" doc:"The room's own path"`
	Body     roomBody
}

func postRoomOperation() operation {
	return define(Write, roomPrice, huma.Operation{
		OperationID: "post-room", Method: http.MethodPost, Path: "/rooms",
		Summary: "Create a private room, or open a direct room",
		Description: "The server chooses the id, so that creating rooms cannot reveal existing ones. Only members " +
			"can find out that the room exists. A private room needs a name, and the caller becomes its owner. With " +
			"requestId, a retry with the same content answers 200 and the header Idempotent-Replay: true, with the " +
			"room in its current state; without it, a retry creates another room. 409 (conflict) when the requestId " +
			"was used for other content, or when the caller can no longer see its room; 409 (clock-skew, with the " +
			"server's time) when the time in the requestId is out of bounds. A direct room belongs to the caller and " +
			"one to nine others: 201 the first time, and 200 with the same room for each of them afterwards. " +
			"Everyone in it is a member, nobody administers it, and anyone may leave; opening it again brings back " +
			"everyone who has left.",
		Tags:          []string{"rooms"},
		Errors:        []int{http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses: map[string]*huma.Response{"200": {Description: "The direct room that these people already " +
			"have, or the private room that the request created before"}},
	}, postRoom)
}

func postRoom(ctx context.Context, s *server, caller chat.UserID, in *postRoomInput) (*postRoomOutput, error) {
	out := &postRoomOutput{Status: http.StatusCreated}
	id, err := in.requestID()
	if err != nil {
		return nil, err
	}
	var room chat.Room
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
		var replay bool
		if room, replay, err = s.service.Private.PostRoom(ctx, caller, id, in.Body.draft()); replay {
			out.Status, out.Replay = http.StatusOK, "true"
		}
	}
	if err != nil {
		return nil, err
	}
	out.Location, out.Body = "/rooms/"+string(room.ID), roomOf(room)
	return out, nil
}

// requestID returns the id of a request; the zero UUID if there is none.
func (in *postRoomInput) requestID() (uuid.UUID, error) {
	if in.Body.RequestID == nil {
		return in.key(uuid.UUID{})
	}
	id, err := chat.ParseUUID(*in.Body.RequestID)
	if err != nil {
		return uuid.UUID{}, chat.InField("requestId", err)
	}
	return in.key(id)
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
