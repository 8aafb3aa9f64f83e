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

// namedHook is a hook that a caller names, and the right to it.
type namedHook struct {
	*hook.Service

	access hook.Access
	id     hook.ID
}

// hookPath is a path that names a hook: of a service, or of a room.
type hookPath interface {
	// hook returns the hook. The error is NotFound if the deployment has no such hooks, and
	// otherwise says that the caller may not have it.
	hook(ctx context.Context, s *server, caller chat.UserID) (namedHook, error)
}

// hook implements hookPath. The error is Forbidden unless a service makes the request on its own
// behalf.
func (p HookPath) hook(ctx context.Context, s *server, caller chat.UserID) (h namedHook, err error) {
	if h, err = s.hooksOf(ctx, caller); err == nil {
		h.id, err = hook.ParseID(p.Hook)
	}
	return h, err
}

// hooksOf returns the right to the hooks of a service.
func (s *server) hooksOf(ctx context.Context, caller chat.UserID) (namedHook, error) {
	if !isService(ctx) {
		return namedHook{}, errForServices()
	}
	if s.service.Hooks == nil {
		return namedHook{}, hook.ErrOff()
	}
	return namedHook{Service: s.service.Hooks, access: hook.ForService(caller)}, nil
}

// HookBody is a hook as the API shows it. It is exported for huma, like InviteBody.
type HookBody struct {
	ID        string   `json:"id" example:"moderator"`
	Rooms     []string `json:"rooms,omitempty" nullable:"false" doc:"The rooms whose changes it receives; absent for a prefix or all" example:"[\"seattle\"]"`
	Prefix    string   `json:"prefix,omitempty" doc:"It receives the changes of the rooms whose ids begin so" example:"usa-"`
	Types     []string `json:"types,omitempty" nullable:"false" doc:"It receives only changes of these types; absent for all" example:"[\"message.created\"]"`
	URL       string   `json:"url,omitempty" doc:"Changes are sent there; absent for a hook whose program fetches" example:"https://example.com/parley"`
	Enabled   bool     `json:"enabled" doc:"False while its owner has switched it off"`
	CreatedAt string   `json:"createdAt" format:"date-time" doc:"It receives all changes since then"`
	PutBy     string   `json:"putBy,omitempty" doc:"Of a room's hook: who put it last. It ends when this person is no longer an owner of the room" example:"amsg"`
}

func hookOf(h hook.Hook) HookBody {
	return HookBody{
		ID: string(h.ID), Rooms: each(h.Rooms, func(r chat.RoomID) string { return string(r) }), Prefix: h.Prefix,
		Types: h.Types, URL: h.URL, Enabled: !h.Off, CreatedAt: wire.TimeText(h.CreatedAt), PutBy: string(h.By),
	}
}

// HookSettings are what holders of all kinds decide about a hook. It is exported for huma.
type HookSettings struct {
	Types   []string `json:"types,omitempty" nullable:"false" maxItems:"10" enum:"message.created,message.edited,message.deleted,member.changed,room.changed,reply.created,counts.changed,pins.changed" doc:"Only changes of these types; their numbers then have holes" example:"[\"message.created\"]"`
	Enabled *bool    `json:"enabled,omitempty" doc:"False lets changes wait. True, the default, also enables a hook again that was disabled for its failures"`
}

// settings returns s with an address.
func (s HookSettings) settings(url string) hook.Settings {
	return hook.Settings{Types: s.Types, URL: url, Off: s.Enabled != nil && !*s.Enabled}
}

type putHookInput struct {
	HookPath
	Body struct {
		HookSettings
		Rooms  []string `json:"rooms,omitempty" nullable:"false" maxItems:"100" doc:"Only the changes of these rooms" example:"[\"seattle\"]"`
		Prefix string   `json:"prefix,omitempty" doc:"Only the changes of rooms whose ids begin so. Without rooms and prefix: of all rooms" example:"usa-"`
		URL    string   `json:"url,omitempty" doc:"Where to send changes: https on port 443 of a public host. Without it the program fetches them. It stays so for the hook's life" example:"https://example.com/parley"`
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
	named, err := in.hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	want := in.Body.settings(in.Body.URL)
	want.Prefix = in.Body.Prefix
	for _, text := range in.Body.Rooms {
		room, err := chat.ParseRoomID(text)
		if err != nil {
			return nil, chat.InField("rooms", err)
		}
		want.Rooms = append(want.Rooms, room)
	}
	return named.put(ctx, want)
}

func (n namedHook) put(ctx context.Context, want hook.Settings) (*hookOutput, error) {
	h, created, secret, err := n.Put(ctx, n.access, n.id, want)
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
		State    string        `json:"state,omitempty" enum:"sending,paused,disabled,off,unverified" doc:"Of a hook with a url: disabled means that it has failed for three days or that its receiver answered 410; off is its owner's wish; unverified means that the receiver of a room's hook has not answered the challenge"`
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
	}, getHook[HookPath])
}

func getHook[P hookPath](ctx context.Context, s *server, caller chat.UserID, in *P) (*getHookOutput, error) {
	named, err := (*in).hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	h, state, err := named.Hook(ctx, named.access, named.id)
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
	named, err := s.hooksOf(ctx, caller)
	if err != nil {
		return nil, err
	}
	return named.list(ctx)
}

func (n namedHook) list(ctx context.Context) (*listHooksOutput, error) {
	all, err := n.Hooks(ctx, n.access)
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
	}, deleteHook[HookPath])
}

func deleteHook[P hookPath](ctx context.Context, s *server, caller chat.UserID, in *P) (*struct{}, error) {
	named, err := (*in).hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	return nil, named.Delete(ctx, named.access, named.id)
}

type replayHookInput struct {
	HookPath
	Body replayBody
}

type replayBody struct {
	From string `json:"from" format:"instant" doc:"A time in the past; one before the hook was created stands for its creation" example:"2018-08-29T12:00:00Z"`
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
	return replay(ctx, s, caller, in.HookPath, in.Body)
}

func replay(ctx context.Context, s *server, caller chat.UserID, p hookPath, in replayBody) (*struct{}, error) {
	named, err := p.hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	from, err := parseTime("from", in.From)
	if err != nil {
		return nil, err
	}
	return nil, named.Replay(ctx, named.access, named.id, from)
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
	}, testHook[HookPath])
}

func testHook[P hookPath](ctx context.Context, s *server, caller chat.UserID, in *P) (*struct{}, error) {
	named, err := (*in).hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	return nil, named.Test(ctx, named.access, named.id)
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
	}, replaceHookSecret[HookPath])
}

func replaceHookSecret[P hookPath](
	ctx context.Context, s *server, caller chat.UserID, in *P,
) (*hookSecretOutput, error) {
	named, err := (*in).hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	out := &hookSecretOutput{}
	out.Body.Secret, err = named.ReplaceSecret(ctx, named.access, named.id)
	return out, err
}
