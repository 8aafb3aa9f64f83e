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
	URL       string   `json:"url,omitempty" doc:"Changes are sent there; absent for a hook whose program fetches" example:"https://example.com/parley"`
	Enabled   bool     `json:"enabled" doc:"False while its owner has switched it off"`
	CreatedAt string   `json:"createdAt" format:"date-time" doc:"It receives all changes since then"`
}

func hookOf(h hook.Hook) HookBody {
	return HookBody{
		ID: string(h.ID), Rooms: each(h.Rooms, func(r chat.RoomID) string { return string(r) }), Prefix: h.Prefix,
		URL: h.URL, Enabled: !h.Off, CreatedAt: wire.TimeText(h.CreatedAt),
	}
}

type putHookInput struct {
	HookPath
	Body struct {
		Rooms   []string `json:"rooms,omitempty" nullable:"false" maxItems:"100" doc:"Only the changes of these rooms" example:"[\"seattle\"]"`
		Prefix  string   `json:"prefix,omitempty" doc:"Only the changes of rooms whose ids begin so. Without rooms and prefix: of all rooms" example:"usa-"`
		URL     string   `json:"url,omitempty" doc:"Where to send changes: https on port 443 of a public host. Without it the program fetches them. It stays so for the hook's life" example:"https://example.com/parley"`
		Enabled *bool    `json:"enabled,omitempty" doc:"False lets changes wait. True, the default, also enables a hook again that was disabled for its failures"`
	}
}

type hookOutput struct {
	Status int
	Body   struct {
		HookBody
		Secret string `json:"secret,omitempty" doc:"Of a new hook with a url: it signs the requests, and is not shown again" example:"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"`
	} `nameHint:"HookWithSecret"`
}

func putHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-hook", Method: http.MethodPut, Path: "/hooks/{hook}",
		Security: onlyServices,
		Summary:  "Create a hook",
		Description: "For services, experimental. A hook gives a program all changes of rooms, in the order of each " +
			"room, from its creation on. With a url they are sent there, signed as in Standard Webhooks, until each " +
			"request is accepted; without one, list-hook-changes returns them. A repeated request changes nothing; " +
			"with another selection, rooms that are new to the hook begin with their next change. Private and direct " +
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
	want := hook.Settings{URL: in.Body.URL, Off: in.Body.Enabled != nil && !*in.Body.Enabled}
	want.Prefix = in.Body.Prefix
	for _, text := range in.Body.Rooms {
		room, err := chat.ParseRoomID(text)
		if err != nil {
			return nil, chat.InField("rooms", err)
		}
		want.Rooms = append(want.Rooms, room)
	}
	h, created, secret, err := hooks.Put(ctx, caller, id, want)
	if err != nil {
		return nil, err
	}
	out := &hookOutput{Status: createdStatus(created)}
	out.Body.HookBody, out.Body.Secret = hookOf(h), secret
	return out, nil
}

// HookFailure is a request that a receiver did not accept. It is exported for huma.
type HookFailure struct {
	At     string `json:"at" format:"date-time"`
	Reason string `json:"reason" doc:"The status of the answer, or why there is none" example:"503 Service Unavailable"`
	Room   string `json:"room,omitempty" doc:"With seq, the change that was left out, as the receiver had refused it for a day" example:"seattle"`
	Seq    int64  `json:"seq,omitzero" example:"42"`
}

type getHookOutput struct {
	Body struct {
		HookBody
		Waiting  int           `json:"waiting" maximum:"100" doc:"The number of rooms with changes that its program has not received; 100 means 100 or more" example:"0"`
		Since    string        `json:"since,omitempty" format:"date-time" doc:"When the oldest of these was noticed: how far the program is behind; absent when nothing waits"`
		State    string        `json:"state,omitempty" enum:"sending,paused,disabled,off" doc:"Of a hook with a url: disabled means that it has failed for three days or that its receiver answered 410; off is its owner's wish"`
		Paused   string        `json:"pausedUntil,omitempty" format:"date-time" doc:"Of a paused hook: when the next request is sent"`
		Disabled string        `json:"disabledFor,omitempty" doc:"Of a disabled hook: the reason" example:"the receiver answered 410"`
		Failures []HookFailure `json:"failures,omitempty" nullable:"false" doc:"Of a hook with a url: the last requests that were not accepted, newest first, at most five"`
		TestedAt string        `json:"testedAt,omitempty" format:"date-time" doc:"When the last test was asked for that was sent"`
		Test     string        `json:"test,omitempty" doc:"What the receiver answered to it" example:"204 No Content"`
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
	if h.URL == "" {
		return out, nil
	}
	if out.Body.State = state.Status; state.Status == hook.Paused {
		out.Body.Paused = wire.TimeText(state.Paused)
	}
	out.Body.Disabled = state.Disabled
	for _, f := range state.Failures {
		out.Body.Failures = append(out.Body.Failures, HookFailure{
			At: wire.TimeText(f.At), Reason: f.Reason, Room: string(f.Room), Seq: f.Seq,
		})
	}
	out.Body.TestedAt, out.Body.Test = wire.OptionalTimeText(state.TestedAt), state.Test
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

func testHookOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "test-hook", Method: http.MethodPost, Path: "/hooks/{hook}/test",
		Security: onlyServices,
		Summary:  "Send a test to a hook",
		Description: "For the service that made the hook, experimental. Within seconds its url is sent a request of " +
			"type test without changes, also while others wait; get-hook shows the answer. If it is accepted, a " +
			"pause ends. 409 for a hook whose program fetches.",
		Tags:          []string{"hooks"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusNoContent,
	}, testHook)
}

func testHook(ctx context.Context, s *server, caller chat.UserID, in *HookPath) (*struct{}, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	return nil, hooks.Test(ctx, caller, id)
}

type hookSecretOutput struct {
	Body struct {
		Secret string `json:"secret" doc:"It is not shown again" example:"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"`
	} `nameHint:"HookSecret"`
}

func replaceHookSecretOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "replace-hook-secret", Method: http.MethodPost, Path: "/hooks/{hook}/secret",
		Security: onlyServices,
		Summary:  "Replace the secret of a hook",
		Description: "For the service that made the hook, experimental. Requests have two signatures for a day, one " +
			"by the new secret and one by the secret before. 409 for a hook whose program fetches.",
		Tags:   []string{"hooks"},
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, replaceHookSecret)
}

func replaceHookSecret(
	ctx context.Context, s *server, caller chat.UserID, in *HookPath,
) (*hookSecretOutput, error) {
	hooks, id, err := in.hooks(ctx, s)
	if err != nil {
		return nil, err
	}
	out := &hookSecretOutput{}
	out.Body.Secret, err = hooks.ReplaceSecret(ctx, caller, id)
	return out, err
}
