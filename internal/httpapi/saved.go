package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/saved"
	"example.com/parley/internal/wire"
)

func putSavedOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-saved", Method: http.MethodPut, Path: "/people/me/saved/{room}/{id}",
		Summary: "Save a message for yourself",
		Description: "For everyone who may read the room. Nobody else sees it. A message that is saved already keeps " +
			"its place. 409 (conflict) for a deleted message.",
		Tags:          []string{"people"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
	}, putSaved)
}

func putSaved(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Saved.Save(ctx, caller, room, id)
}

func deleteSavedOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-saved", Method: http.MethodDelete, Path: "/people/me/saved/{room}/{id}",
		Summary:       "Remove a message from those you saved",
		Description:   "It also succeeds for a message that is not saved.",
		Tags:          []string{"people"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound},
	}, deleteSaved)
}

func deleteSaved(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Saved.Unsave(ctx, caller, room, id)
}

// savedBody is a saved message as the API shows it.
type savedBody struct {
	SavedAt string       `json:"savedAt" format:"date-time"`
	Message wire.Message `json:"message"`
}

type listSavedInput struct {
	PageQuery
}

type listSavedOutput struct {
	Body struct {
		Items []savedBody `json:"items" doc:"The last saved first"`
		Next  string      `json:"next,omitempty" doc:"The cursor of the next page; absent on the last page"`
	}
}

func listSavedOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-saved", Method: http.MethodGet, Path: "/people/me/saved",
		Summary: "List the messages that you saved",
		Description: "Sorted by the time of saving, newest first, with the messages in their current state. The list " +
			"omits deleted messages and messages in rooms that the caller can no longer read. A page may therefore " +
			"hold fewer than limit, or no messages at all, and still have next. It ends early at 1 MB.",
		Tags: []string{"people"},
	}, listSaved)
}

func listSaved(ctx context.Context, s *server, caller chat.UserID, in *listSavedInput) (*listSavedOutput, error) {
	page, err := s.service.Saved.Saved(ctx, caller, in.page())
	if err != nil {
		return nil, err
	}
	messages := each(page.Items, func(e saved.Saved) chat.Message { return e.Current })
	bodies, err := s.messagesFor(ctx, caller, messages...)
	if err != nil {
		return nil, err
	}
	out := &listSavedOutput{}
	out.Body.Items, out.Body.Next = make([]savedBody, 0, len(bodies)), page.Next
	for i, e := range page.Items {
		out.Body.Items = append(out.Body.Items, savedBody{SavedAt: wire.TimeText(e.At), Message: bodies[i]})
	}
	return out, nil
}
