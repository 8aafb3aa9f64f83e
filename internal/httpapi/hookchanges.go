package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/wire"
)

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
			"at a time may fetch; call every few seconds, or at once with more. 409 for a hook with a url.",
		Tags:   []string{"hooks"},
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, listHookChanges)
}

func listHookChanges(
	ctx context.Context, s *server, caller chat.UserID, in *listHookChangesInput,
) (*listHookChangesOutput, error) {
	named, err := in.hook(ctx, s, caller)
	if err != nil {
		return nil, err
	}
	var got *string
	if in.Received != "" {
		got = &in.Received
	}
	answer, err := named.Fetch(ctx, named.access, named.id, got)
	if err != nil {
		return nil, err
	}
	out := &listHookChangesOutput{}
	out.Body.ID, out.Body.More = answer.ID, answer.More
	out.Body.Items = each(answer.Rooms, hook.RoomChanges.Wire)
	return out, nil
}
