package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
)

// RoomHookPath is the path of a room's hook. It is exported for huma, like RoomPath.
type RoomHookPath struct {
	RoomPath
	HookPath
}

// hook implements hookPath. The caller must be an owner of the room, or a service with it.
func (p RoomHookPath) hook(ctx context.Context, s *server, caller chat.UserID) (h namedHook, err error) {
	if h, err = p.hooks(ctx, s, caller); err == nil {
		h.id, err = hook.ParseID(p.Hook)
	}
	return h, err
}

// hooks returns the right to the hooks of a room.
func (p RoomPath) hooks(ctx context.Context, s *server, caller chat.UserID) (h namedHook, err error) {
	room, err := chat.ParseRoomID(p.Room)
	if err != nil {
		return h, err
	}
	if h.Service = s.service.Hooks; h.Service == nil {
		return h, hook.ErrOff()
	}
	h.access, err = h.ForRoom(ctx, caller, room)
	return h, err
}

type putRoomHookInput struct {
	RoomHookPath
	Body struct {
		HookSettings
		URL string `json:"url" doc:"Where to send changes: https on port 443 of a public host" example:"https://example.com/parley"`
	}
}

func putRoomHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-room-hook", Method: http.MethodPut, Path: "/rooms/{room}/hooks/{hook}",
		Summary: "Create a hook of a room",
		Description: "For owners, experimental. All changes of the room from now on are sent to a url, as for " +
			"put-hook, once its receiver has answered a challenge: a request of type challenge, whose answer must " +
			"be data.challenge, as text or in JSON, as challenge. It is sent again for a new url, and by " +
			"test-room-hook. A room has at most 5 hooks, and a person has put at most 5 in all rooms; 409 for one " +
			"more. It ends when this person is no longer an owner. Services have hooks of their own. 404 if the " +
			"deployment has no hooks of rooms.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The hook, which existed"}},
	}, putRoomHook)
}

func putRoomHook(ctx context.Context, s *server, caller chat.UserID, in *putRoomHookInput) (*hookOutput, error) {
	if isService(ctx) {
		return nil, &chat.Error{Kind: chat.Forbidden, Detail: "services have hooks of their own: put-hook"}
	}
	named, err := in.hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	return named.put(ctx, in.Body.settings(in.Body.URL))
}

func listRoomHooksOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-room-hooks", Method: http.MethodGet, Path: "/rooms/{room}/hooks",
		Summary:     "List the hooks of a room",
		Description: "For owners, and for services with the room, experimental: all of them, at most 5.",
		Tags:        []string{"hooks"},
		Errors:      []int{http.StatusNotFound},
	}, listRoomHooks)
}

func listRoomHooks(ctx context.Context, s *server, caller chat.UserID, in *RoomPath) (*listHooksOutput, error) {
	named, err := in.hooks(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	return named.list(ctx)
}

func getRoomHookOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-room-hook", Method: http.MethodGet, Path: "/rooms/{room}/hooks/{hook}",
		Summary:     "Read a hook of a room",
		Description: "For owners, and for services with the room, experimental. What waits may be behind by a second.",
		Tags:        []string{"hooks"},
		Errors:      []int{http.StatusNotFound},
	}, getHook[RoomHookPath])
}

func deleteRoomHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-room-hook", Method: http.MethodDelete, Path: "/rooms/{room}/hooks/{hook}",
		Summary:       "Delete a hook of a room",
		Description:   "For owners, and for services with the room, experimental.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
	}, deleteHook[RoomHookPath])
}

type replayRoomHookInput struct {
	RoomHookPath
	Body replayBody
}

func replayRoomHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "replay-room-hook", Method: http.MethodPost, Path: "/rooms/{room}/hooks/{hook}/replay",
		Summary:       "Send changes of a room again",
		Description:   "For owners, and for services with the room, experimental: as replay-hook.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
	}, replayRoomHook)
}

func replayRoomHook(ctx context.Context, s *server, caller chat.UserID, in *replayRoomHookInput) (*struct{}, error) {
	return replay(ctx, s, caller, in.RoomHookPath, in.Body)
}

func testRoomHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "test-room-hook", Method: http.MethodPost, Path: "/rooms/{room}/hooks/{hook}/test",
		Summary: "Send a test to a hook of a room",
		Description: "For owners, and for services with the room, experimental: as test-hook. An unverified hook is " +
			"sent the challenge again.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
	}, testHook[RoomHookPath])
}

func replaceRoomHookSecretOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "replace-room-hook-secret", Method: http.MethodPost, Path: "/rooms/{room}/hooks/{hook}/secret",
		Summary:     "Replace the secret of a hook of a room",
		Description: "For owners, and for services with the room, experimental: as replace-hook-secret.",
		Tags:        []string{"hooks"},
		Errors:      []int{http.StatusNotFound},
	}, replaceHookSecret[RoomHookPath])
}
