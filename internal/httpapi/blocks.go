package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/wire"
)

// BlockPath is the part of a path that names a person whom the caller blocks. It is exported for
// huma, as RoomPath is.
type BlockPath struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"The other person's user id: A-Z a-z 0-9 . _ @ | : + = -" example:"bob"`
}

func putBlockOperation() operation {
	return define(Write, huma.Operation{
		OperationID: "put-block", Method: http.MethodPut, Path: "/people/me/blocks/{user}",
		Summary: "Block a person",
		Description: "The caller's list of rooms then leaves out direct rooms with the person and rooms to which they added the caller, their messages do not " +
			"count as unread, and they are marked as blocked when the caller reads them. This may take some seconds. The person cannot notice it. " +
			"A person who is blocked already stays blocked. At most 1,000 people may be blocked (409).",
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
	return define(Write, huma.Operation{
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
		Blocks []string `json:"blocks" doc:"Their user ids, in order, at most 1,000"`
	}
}

func listBlocksOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "list-blocks", Method: http.MethodGet, Path: "/people/me/blocks",
		Summary:     "List the people whom you have blocked",
		Description: "All of them in one answer. Only the caller sees this list.",
		Tags:        []string{"people"},
	}, listBlocks)
}

func listBlocks(ctx context.Context, s *server, caller chat.UserID, _ *struct{}) (*listBlocksOutput, error) {
	users, err := s.service.Blocks.Blocks(ctx, caller)
	if err != nil {
		return nil, err
	}
	out := &listBlocksOutput{}
	out.Body.Blocks = make([]string, 0, len(users))
	for _, user := range users {
		out.Body.Blocks = append(out.Body.Blocks, string(user))
	}
	return out, nil
}

// blockedSenders returns the people whom the caller has blocked, if one of the senders may be among
// them.
func (s *server) blockedSenders(ctx context.Context, caller chat.UserID, senders ...chat.UserID) (map[chat.UserID]bool, error) {
	for _, sender := range senders {
		if sender != caller {
			return s.service.Blocks.Blocked(ctx, caller)
		}
	}
	return nil, nil
}

// sendersOf returns the senders of the messages that entries show.
func sendersOf(entries []feed.Entry) []chat.UserID {
	var senders []chat.UserID
	for _, e := range entries {
		if e.Message != nil {
			senders = append(senders, e.Message.ID.User)
		}
	}
	return senders
}

// messagesFor shows messages to the caller. Those of people whom the caller has blocked are marked.
func (s *server) messagesFor(ctx context.Context, caller chat.UserID, messages ...chat.Message) ([]wire.Message, error) {
	senders := make([]chat.UserID, len(messages))
	for i, m := range messages {
		senders[i] = m.ID.User
	}
	blocked, err := s.blockedSenders(ctx, caller, senders...)
	if err != nil {
		return nil, err
	}
	bodies := make([]wire.Message, 0, len(messages))
	for _, m := range messages {
		b := wire.MessageOf(m)
		b.Blocked = blocked[m.ID.User]
		bodies = append(bodies, b)
	}
	return bodies, nil
}
