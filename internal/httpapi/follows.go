package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

type putThreadReadInput struct {
	MessagePath
	Body struct {
		Seq int64 `json:"seq" minimum:"0" maximum:"9007199254740991" doc:"The number of the last change of the room that the caller has seen, at most head" example:"42"`
	}
}

type putThreadReadOutput struct {
	Body struct {
		Room   string `json:"room" example:"seattle"`
		ID     string `json:"id" doc:"The message that the replies reply to" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
		Seq    int64  `json:"seq" doc:"The current marker" example:"42"`
		Unread int64  `json:"unread" maximum:"1000" doc:"The number of replies after the marker, as in list-own-threads" example:"0"`
		Follow bool   `json:"following" doc:"Whether the caller follows the thread"`
	} `nameHint:"ThreadMarker"`
}

func putThreadReadOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-thread-read", Method: http.MethodPut, Path: "/rooms/{room}/messages/{id}/read",
		Summary: "Move your read marker in a thread",
		Description: "Sets the caller's marker in the thread of a message, after which its replies count as unread. " +
			"It never moves back: a request with an earlier number, for example from another device, returns the " +
			"current marker. Everyone who may read the room has a marker, even without following the thread.",
		Tags:   []string{"threads"},
		Errors: []int{http.StatusNotFound},
	}, putThreadRead)
}

func putThreadRead(
	ctx context.Context, s *server, caller chat.UserID, in *putThreadReadInput,
) (*putThreadReadOutput, error) {
	root, err := in.root()
	if err != nil {
		return nil, err
	}
	t, err := s.service.Threads.MarkRead(ctx, caller, root, in.Body.Seq)
	if err != nil {
		return nil, err
	}
	out := &putThreadReadOutput{}
	out.Body.Room, out.Body.ID, out.Body.Seq, out.Body.Unread = string(root.Room), root.ID.String(), t.Seq, t.Unread
	out.Body.Follow = t.Following
	return out, nil
}

func putFollowOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-follow", Method: http.MethodPut, Path: "/rooms/{room}/messages/{id}/follow",
		Summary: "Follow a thread",
		Description: "Adds the thread of a message to list-own-threads. Replies from then on count as unread. The " +
			"thread may have no replies yet.",
		Tags:          []string{"threads"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound},
	}, putFollow)
}

func putFollow(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	return nil, s.follow(ctx, caller, in, true)
}

func deleteFollowOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-follow", Method: http.MethodDelete, Path: "/rooms/{room}/messages/{id}/follow",
		Summary: "Unfollow a thread",
		Description: "Permanently: if the caller replies later, they do not follow the thread again; put-follow does " +
			"that. It also succeeds for a thread that the caller does not follow.",
		Tags:          []string{"threads"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound},
	}, deleteFollow)
}

func deleteFollow(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	return nil, s.follow(ctx, caller, in, false)
}

func (s *server) follow(ctx context.Context, caller chat.UserID, in *MessagePath, following bool) error {
	root, err := in.root()
	if err != nil {
		return err
	}
	return s.service.Threads.Follow(ctx, caller, root, following)
}
