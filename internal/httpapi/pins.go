package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/wire"
)

func putPinOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-pin", Method: http.MethodPut, Path: "/rooms/{room}/messages/{id}/pin",
		Summary: "Pin a message",
		Description: "For moderators and owners, for members if the room's pinning allows it, and for everyone in a " +
			"direct room. A message that is pinned already stays pinned. 409 (conflict) when the room has 100 pins, " +
			"and for a deleted message. A deletion unpins. It is audited.",
		Tags:          []string{"messages"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
	}, putPin)
}

func putPin(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Pins.Pin(ctx, caller, room, id)
}

func deletePinOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-pin", Method: http.MethodDelete, Path: "/rooms/{room}/messages/{id}/pin",
		Summary:       "Unpin a message",
		Description:   "For people who may pin. It also succeeds for a message that is not pinned. It is audited.",
		Tags:          []string{"messages"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound},
	}, deletePin)
}

func deletePin(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Pins.Unpin(ctx, caller, room, id)
}

// pinBody is a pinned message as the API shows it.
type pinBody struct {
	PinnedBy string       `json:"pinnedBy" doc:"The user who pinned it" example:"bob"`
	PinnedAt string       `json:"pinnedAt" format:"date-time"`
	Message  wire.Message `json:"message"`
}

type listPinsInput struct {
	RoomPath
	PageQuery
}

type listPinsOutput struct {
	Body struct {
		Items []pinBody `json:"items" doc:"The newest pin first"`
		Next  string    `json:"next,omitempty" doc:"The cursor of the next page; absent on the last page"`
	}
}

func listPinsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-pins", Method: http.MethodGet, Path: "/rooms/{room}/pins",
		Summary: "List the pinned messages of a room",
		Description: "The newest pin first, with the messages in their current state, at most 100 in all. " +
			"A page holds at most limit of them and ends early at 1 MB.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound},
	}, listPins)
}

func listPins(ctx context.Context, s *server, caller chat.UserID, in *listPinsInput) (*listPinsOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Pins.Pins(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	messages := each(page.Items, func(p pin.Pinned) chat.Message { return p.Current })
	bodies, err := s.messagesFor(ctx, caller, messages...)
	if err != nil {
		return nil, err
	}
	out := &listPinsOutput{}
	out.Body.Items, out.Body.Next = make([]pinBody, 0, len(bodies)), page.Next
	for i, p := range page.Items {
		out.Body.Items = append(
			out.Body.Items, pinBody{PinnedBy: string(p.By), PinnedAt: wire.TimeText(p.At), Message: bodies[i]},
		)
	}
	return out, nil
}
