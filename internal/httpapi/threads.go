package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
	"example.com/parley/internal/wire"
)

// root parses the path of the message at the root of a thread.
func (p MessagePath) root() (thread.Root, error) {
	room, id, err := p.parse()
	return thread.Root{Room: room, ID: id}, err
}

type listRepliesInput struct {
	MessagePath
	PageQuery
	Order string `query:"order" enum:"asc,desc" doc:"asc is oldest first. Default: the cursor's, or desc"`
	PeopleQuery
}

// messagesBody is a page of messages.
type messagesBody struct {
	Items  []wire.Message      `json:"items"`
	Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
}

type listRepliesOutput struct {
	Body messagesBody
}

func listRepliesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-replies", Method: http.MethodGet, Path: "/rooms/{room}/messages/{id}/replies",
		Summary: "List the replies to a message",
		Description: "Includes the replies that the room also lists, and tombstones of deleted replies. Newest first " +
			"by default; a page ends early at 1 MB. A deleted message keeps its replies. 422 for the id of a reply; " +
			"the detail names the root of its thread.",
		Tags:   []string{"threads"},
		Errors: []int{http.StatusNotFound},
	}, listReplies)
}

func listReplies(ctx context.Context, s *server, caller chat.UserID, in *listRepliesInput) (*listRepliesOutput, error) {
	root, err := in.root()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Threads.Replies(
		ctx, caller, thread.Query{Root: root, Order: orderOf(in.Order), Cursor: in.Cursor, Limit: in.Limit},
	)
	if err != nil {
		return nil, err
	}
	body, err := s.messagePage(ctx, caller, page, in.PeopleQuery)
	return &listRepliesOutput{Body: body}, err
}

// messagePage returns the form of a page of messages for its reader.
func (s *server) messagePage(
	ctx context.Context, caller chat.UserID, page chat.Page[chat.Message], include PeopleQuery,
) (b messagesBody, err error) {
	if b.Items, err = s.readMessages(ctx, caller, false, page.Items...); err != nil {
		return b, err
	}
	b.Next = page.Next
	b.People, err = include.people(ctx, s, usersOfMessages(page.Items))
	return b, err
}

type listThreadsInput struct {
	RoomPath
	PageQuery
	PeopleQuery
}

type listThreadsOutput struct {
	Body messagesBody
}

func listThreadsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-threads", Method: http.MethodGet, Path: "/rooms/{room}/threads",
		Summary: "List the threads of a room",
		Description: "The messages that have replies, sorted by their newest reply, newest first, to the minute. A " +
			"thread with a new reply between two pages moves to the beginning of the list. A thread stays in the " +
			"list when its replies or its message are deleted. A page ends early at 1 MB.",
		Tags:   []string{"threads"},
		Errors: []int{http.StatusNotFound},
	}, listThreads)
}

func listThreads(ctx context.Context, s *server, caller chat.UserID, in *listThreadsInput) (*listThreadsOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Threads.Threads(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	body, err := s.messagePage(ctx, caller, page, in.PeopleQuery)
	return &listThreadsOutput{Body: body}, err
}

// ownThreadBody is a thread that its reader follows.
type ownThreadBody struct {
	Message wire.Message `json:"message" doc:"The message that the replies reply to"`
	Read    int64        `json:"read" doc:"The caller's marker in the thread: the sequence number of the room up to which they have read it" example:"41"`
	Unread  int64        `json:"unread" maximum:"1000" doc:"The number of replies after the marker, without deleted replies and replies by the caller and by blocked people; 1000 means 1000 or more. Of a room with more than 2,000 changes after the marker, only those among the newest of them" example:"3"`
}

type listOwnThreadsInput struct {
	PageQuery
	PeopleQuery
}

type listOwnThreadsOutput struct {
	Body struct {
		Items  []ownThreadBody     `json:"items"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
	} `nameHint:"OwnThreadPage"`
}

func listOwnThreadsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-own-threads", Method: http.MethodGet, Path: "/people/me/threads",
		Summary: "List the threads that you follow",
		Description: "Threads of all rooms, sorted by their message, newest first. People follow a thread " +
			"automatically when they reply in it, and when their message gets a reply. Threads of rooms that the " +
			"caller may no longer read are left out, so a page may be shorter. It ends early at 1 MB.",
		Tags: []string{"threads"},
	}, listOwnThreads)
}

func listOwnThreads(
	ctx context.Context, s *server, caller chat.UserID, in *listOwnThreadsInput,
) (*listOwnThreadsOutput, error) {
	page, err := s.service.Threads.ThreadsOf(ctx, caller, in.page())
	if err != nil {
		return nil, err
	}
	roots := each(page.Items, func(t thread.Thread) chat.Message { return t.Root })
	messages, err := s.messagePage(ctx, caller, chat.Page[chat.Message]{Items: roots}, in.PeopleQuery)
	if err != nil {
		return nil, err
	}
	out := &listOwnThreadsOutput{}
	out.Body.Items, out.Body.Next, out.Body.People = make([]ownThreadBody, len(roots)), page.Next, messages.People
	for i, t := range page.Items {
		out.Body.Items[i] = ownThreadBody{Message: messages.Items[i], Read: t.Seq, Unread: t.Unread}
	}
	return out, nil
}

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
