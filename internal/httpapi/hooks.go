package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/wire"
)

// HookPath is the part of a path that names a hook. It is exported for huma, like RoomPath.
type HookPath struct {
	Hook string `path:"hook" format:"hook-id" doc:"The hook's id, which its service chooses: 1 to 40 of a-z, 0-9 and -" example:"moderator"`
}

// hooks returns the service of hooks and the hook of a path. The error is NotFound if the
// deployment has no hooks, and Forbidden unless a service makes the request on its own behalf.
func (p HookPath) hooks(ctx context.Context, s *server) (*hook.Service, hook.ID, error) {
	h, err := s.hooks(ctx)
	if err != nil {
		return nil, "", err
	}
	id, err := hook.ParseID(p.Hook)
	return h, id, err
}

func (s *server) hooks(ctx context.Context) (*hook.Service, error) {
	if !isService(ctx) {
		return nil, errForServices()
	}
	if s.service.Hooks == nil {
		return nil, hook.ErrOff()
	}
	return s.service.Hooks, nil
}

// HookBody is a hook as the API shows it. It is exported for huma, like InviteBody.
type HookBody struct {
	ID        string   `json:"id" example:"moderator"`
	Rooms     []string `json:"rooms,omitempty" nullable:"false" doc:"The rooms whose changes it receives; absent for a prefix or all" example:"[\"seattle\"]"`
	Prefix    string   `json:"prefix,omitempty" doc:"It receives the changes of the rooms whose ids begin so" example:"usa-"`
	CreatedAt string   `json:"createdAt" format:"date-time" doc:"It receives all changes since then"`
}

func hookOf(h hook.Hook) HookBody {
	return HookBody{
		ID: string(h.ID), Rooms: each(h.Rooms, func(r chat.RoomID) string { return string(r) }), Prefix: h.Prefix,
		CreatedAt: wire.TimeText(h.CreatedAt),
	}
}

type putHookInput struct {
	HookPath
	Body struct {
		Rooms  []string `json:"rooms,omitempty" nullable:"false" maxItems:"100" doc:"Only the changes of these rooms" example:"[\"seattle\"]"`
		Prefix string   `json:"prefix,omitempty" doc:"Only the changes of rooms whose ids begin so. Without rooms and prefix: of all rooms" example:"usa-"`
	}
}

type hookOutput struct {
	Status int
	Body   HookBody
}

func putHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-hook", Method: http.MethodPut, Path: "/hooks/{hook}",
		Security: onlyServices,
		Summary:  "Create a hook",
		Description: "For services, experimental. A hook gives a program all changes of rooms, in the order of each " +
			"room, from its creation on: list-hook-changes returns them. A repeated request changes nothing; with " +
			"another selection, rooms that are new to the hook begin with their next change. Private and direct " +
			"rooms are included only if the deployment allows it. A deployment has at most 200 hooks; 409 for one " +
			"more. Other services may have hooks with the same id. 404 if the deployment has no hooks.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The hook, which existed"}},
	}, putHook)
}

func putHook(ctx context.Context, s *server, caller chat.UserID, in *putHookInput) (*hookOutput, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	wanted := hook.Wanted{Prefix: in.Body.Prefix}
	for _, text := range in.Body.Rooms {
		room, err := chat.ParseRoomID(text)
		if err != nil {
			return nil, chat.InField("rooms", err)
		}
		wanted.Rooms = append(wanted.Rooms, room)
	}
	h, created, err := hooks.Put(ctx, caller, id, wanted)
	if err != nil {
		return nil, err
	}
	return &hookOutput{Status: createdStatus(created), Body: hookOf(h)}, nil
}

type getHookOutput struct {
	Body struct {
		HookBody
		Waiting int    `json:"waiting" maximum:"100" doc:"The number of rooms with changes that its program has not received; 100 means 100 or more" example:"0"`
		Since   string `json:"since,omitempty" format:"date-time" doc:"When the oldest of these was noticed: how far the program is behind; absent when nothing waits"`
	} `nameHint:"HookState"`
}

func getHookOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-hook", Method: http.MethodGet, Path: "/hooks/{hook}",
		Security:    onlyServices,
		Summary:     "Read a hook",
		Description: "For the service that made it, experimental. What waits may be behind by a second.",
		Tags:        []string{"hooks"},
		Errors:      []int{http.StatusNotFound},
	}, getHook)
}

func getHook(ctx context.Context, s *server, caller chat.UserID, in *HookPath) (*getHookOutput, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	h, state, err := hooks.Hook(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	out := &getHookOutput{}
	out.Body.HookBody, out.Body.Waiting = hookOf(h), state.Rooms
	out.Body.Since = wire.OptionalTimeText(state.Since)
	return out, nil
}

type listHooksOutput struct {
	Body struct {
		Items []HookBody `json:"items" doc:"Sorted by their ids, all at once: there are at most 200"`
	}
}

func listHooksOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-hooks", Method: http.MethodGet, Path: "/hooks",
		Security:    onlyServices,
		Summary:     "List your hooks",
		Description: "For services, experimental: the hooks that the calling service made.",
		Tags:        []string{"hooks"},
		Errors:      []int{http.StatusNotFound},
	}, listHooks)
}

func listHooks(ctx context.Context, s *server, caller chat.UserID, _ *struct{}) (*listHooksOutput, error) {
	hooks, err := s.hooks(ctx)
	if err != nil {
		return nil, err
	}
	all, err := hooks.Hooks(ctx, caller)
	if err != nil {
		return nil, err
	}
	out := &listHooksOutput{}
	out.Body.Items = each(all, hookOf)
	return out, nil
}

func deleteHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-hook", Method: http.MethodDelete, Path: "/hooks/{hook}",
		Security:      onlyServices,
		Summary:       "Delete a hook",
		Description:   "For the service that made it, experimental. A hook that is created again begins anew.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
	}, deleteHook)
}

func deleteHook(ctx context.Context, s *server, caller chat.UserID, in *HookPath) (*struct{}, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	return nil, hooks.Delete(ctx, caller, id)
}

type replayHookInput struct {
	HookPath
	Body struct {
		From string `json:"from" format:"instant" doc:"A time in the past; one before the hook was created stands for its creation" example:"2018-08-29T12:00:00Z"`
	}
}

func replayHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "replay-hook", Method: http.MethodPost, Path: "/hooks/{hook}/replay",
		Security: onlyServices,
		Summary:  "Receive changes again",
		Description: "For the service that made the hook, experimental. Its program receives everything again that " +
			"changed since a time, with messages in their current state. Changes are stored for 90 days by " +
			"default; a room whose changes since then are no longer stored has reset.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
	}, replayHook)
}

func replayHook(ctx context.Context, s *server, caller chat.UserID, in *replayHookInput) (*struct{}, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	from, err := parseTime("from", in.Body.From)
	if err != nil {
		return nil, err
	}
	return nil, hooks.Replay(ctx, caller, id, from)
}

type listHookChangesInput struct {
	HookPath
	Received string `query:"received" format:"answer-id" doc:"The id of the last answer that the program has processed, or none: a later answer is then repeated. Without it, the last answer counts as received" example:"n4bQgYhMfWWaL-qgxVrQFQ"`
}

type listHookChangesOutput struct {
	Body struct {
		ID    string          `json:"id,omitempty" doc:"For received; absent when there are no changes" example:"n4bQgYhMfWWaL-qgxVrQFQ"`
		Items []wire.HookRoom `json:"items" doc:"The rooms with changes"`
		More  bool            `json:"more" doc:"Other changes wait already: call again at once"`
	}
}

func listHookChangesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-hook-changes", Method: http.MethodGet, Path: "/hooks/{hook}/changes",
		Security: onlyServices,
		Summary:  "Fetch the changes that wait for a hook",
		Description: "For the service that made the hook, experimental. Returns what changed in the hook's rooms " +
			"since the answers that were received: at most 100 changes or 256 KB, and more rooms with the next call. " +
			"A change arrives within some seconds, and stays until it is received, for as long as changes are stored " +
			"(90 days by default). A program that stores the id of each answer with its own work, and gives the last " +
			"one as received, misses nothing and knows what is repeated: equal changes have an equal id. One program " +
			"at a time may fetch; call every few seconds, or at once with more.",
		Tags:   []string{"hooks"},
		Errors: []int{http.StatusNotFound},
	}, listHookChanges)
}

func listHookChanges(
	ctx context.Context, s *server, caller chat.UserID, in *listHookChangesInput,
) (*listHookChangesOutput, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	var got *string
	if in.Received != "" {
		got = &in.Received
	}
	answer, err := hooks.Fetch(ctx, caller, id, got)
	if err != nil {
		return nil, err
	}
	out := &listHookChangesOutput{}
	out.Body.ID, out.Body.More = answer.ID, answer.More
	out.Body.Items = each(answer.Rooms, hookRoomOf)
	return out, nil
}

func hookRoomOf(r hook.RoomChanges) wire.HookRoom {
	b := wire.HookRoomOf(r.Room, r.Entries, r.Since)
	b.Reset, b.Deleted = r.Reset, r.Deleted
	if r.Deleted {
		b.Since = ""
	}
	return b
}
