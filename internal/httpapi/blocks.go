package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

// BlockPath is the part of a path that names a person whom the caller blocks. It is exported for
// huma, like RoomPath.
type BlockPath struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"The other person's user id: A-Z a-z 0-9 . _ @ | : + = -" example:"bob"`
}

func putBlockOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-block", Method: http.MethodPut, Path: "/people/me/blocks/{user}",
		Summary: "Block a person",
		Description: "The caller's list of rooms then leaves out direct rooms with the person and rooms to which " +
			"they added the caller, their messages do not count as unread, and they are marked as blocked when the " +
			"caller reads them. Live connections no longer report to either of them that the other is typing, and " +
			"the person sees the caller as offline. This may take some seconds. The person cannot tell that they are " +
			"blocked. A person who is blocked already stays blocked. At most 1,000 people may be blocked (409).",
		Tags:          []string{"people"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusConflict},
	}, putBlock)
}

func putBlock(ctx context.Context, s *server, caller chat.UserID, in *BlockPath) (*struct{}, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	return nil, s.service.Blocks.Block(ctx, caller, user)
}

func deleteBlockOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-block", Method: http.MethodDelete, Path: "/people/me/blocks/{user}",
		Summary:       "Unblock a person",
		Description:   "It also succeeds for a person who is not blocked.",
		Tags:          []string{"people"},
		DefaultStatus: http.StatusNoContent,
	}, deleteBlock)
}

func deleteBlock(ctx context.Context, s *server, caller chat.UserID, in *BlockPath) (*struct{}, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	return nil, s.service.Blocks.Unblock(ctx, caller, user)
}

type listBlocksOutput struct {
	Body struct {
		Items []blockBody `json:"items" doc:"In the order of their ids, at most 1,000"`
	}
}

// blockBody is a person whom the caller has blocked.
type blockBody struct {
	User string `json:"user" example:"bob"`
}

func listBlocksOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-blocks", Method: http.MethodGet, Path: "/people/me/blocks",
		Summary:     "List the people whom you have blocked",
		Description: "The whole list in one answer. Only the caller can read it.",
		Tags:        []string{"people"},
	}, listBlocks)
}

func listBlocks(ctx context.Context, s *server, caller chat.UserID, _ *struct{}) (*listBlocksOutput, error) {
	users, err := s.service.Blocks.Blocks(ctx, caller)
	if err != nil {
		return nil, err
	}
	out := &listBlocksOutput{}
	out.Body.Items = each(users, func(user chat.UserID) blockBody { return blockBody{User: string(user)} })
	return out, nil
}
