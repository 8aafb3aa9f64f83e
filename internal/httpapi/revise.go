package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

type patchMessageInput struct {
	MessagePath
	IfMatch string `header:"If-Match" format:"etag-or-any" doc:"To edit a message only if this is its current ETag. * or none: whatever its ETag is" example:"\"1\""`
	Body    struct {
		Text     *string  `json:"text,omitempty" minLength:"1" maxLength:"32768" doc:"1 to 32768 bytes of UTF-8. Default: the current text; one of the fields is required"`
		Metadata metadata `json:"metadata,omitzero"`
		MentionsGiven
	}
}

type patchMessageOutput struct {
	Replay string `header:"Idempotent-Replay" doc:"true when nothing was written: for a retry of an edit that was stored, and for what the message holds already"`
	ETag   string `header:"ETag" doc:"The revision in quotes, for If-Match"`
	Body   wire.Message
}

func patchMessageOperation() operation {
	return define(Write, messagePrice, huma.Operation{
		OperationID: "patch-message", Method: http.MethodPatch, Path: "/rooms/{room}/messages/{id}",
		Summary: "Edit a message",
		Description: "For its author, if they may still post. Changes the given fields: text, metadata, mentions; " +
			"the former text and metadata remain as a version. Without If-Match the last edit wins, and an edit " +
			"that changes nothing is not stored. 412 (stale) when If-Match is not the message's ETag. 409 (conflict) " +
			"when the message is deleted, was edited " + strconv.Itoa(chat.MaxEdits) + " times, its " +
			"versions would exceed " + strconv.Itoa(chat.MaxVersionBytes) + " bytes together, or the text is the " +
			"question of a poll in which somebody has voted, by counts that may be a second old. A retry of the " +
			"newest edit answers 200 and Idempotent-Replay: true.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed},
	}, patchMessage)
}

func patchMessage(
	ctx context.Context, s *server, caller chat.UserID, in *patchMessageInput,
) (*patchMessageOutput, error) {
	of, err := in.revision(in.IfMatch)
	if err != nil {
		return nil, err
	}
	edit := chat.MessageEdit{Text: in.Body.Text, Metadata: in.Body.Metadata.Given()}
	if err := in.Body.addTo(&edit); err != nil {
		return nil, err
	}
	m, replay, err := s.service.EditMessage(ctx, caller, of, edit)
	if err != nil {
		return nil, err
	}
	bodies, err := s.messagesFor(ctx, caller, m)
	if err != nil {
		return nil, err
	}
	out := &patchMessageOutput{ETag: etag(m.Revision), Body: bodies[0]}
	if replay {
		out.Replay = "true"
	}
	return out, nil
}

// revision returns the message of the path with the revision that If-Match names. Without the
// header it is AnyRevision.
func (p MessagePath) revision(ifMatch string) (of chat.Revision, err error) {
	if of.Room, of.ID, err = p.parse(); err != nil {
		return of, err
	}
	if of.Base = chat.AnyRevision; ifMatch != "" && ifMatch != anyETag {
		of.Base, err = parseETag(ifMatch)
	}
	return of, err
}

type deleteMessageInput struct {
	MessagePath
	IfMatch string `header:"If-Match" format:"etag-or-any" doc:"To delete a message only if this is its current ETag. * or none: whatever its ETag is" example:"\"1\""`
}

func deleteMessageOperation() operation {
	return define(Write, messagePrice, huma.Operation{
		OperationID: "delete-message", Method: http.MethodDelete, Path: "/rooms/{room}/messages/{id}",
		Summary: "Delete a message",
		Description: "For its author and for moderators. Answers with the tombstone that replaces the message. The " +
			"text and the metadata are removed, also from all versions. The table's stream has them for 24 hours " +
			"more, and its backups for the recovery period. 412 (stale) when If-Match is not the message's ETag. A " +
			"repeated deletion answers 200.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound, http.StatusPreconditionFailed},
	}, deleteMessage)
}

func deleteMessage(ctx context.Context, s *server, caller chat.UserID, in *deleteMessageInput) (*messageOutput, error) {
	of, err := in.revision(in.IfMatch)
	if err != nil {
		return nil, err
	}
	m, err := s.service.DeleteMessage(ctx, caller, of)
	if err != nil {
		return nil, err
	}
	return &messageOutput{ETag: etag(m.Revision), Body: wire.MessageOf(m)}, nil
}

// messageVersionBody is a version of a message as the API shows it.
type messageVersionBody struct {
	Version  int      `json:"version" doc:"1 is the original" example:"2"`
	Text     string   `json:"text" doc:"Empty when the message is deleted"`
	Metadata metadata `json:"metadata,omitzero"`
	User     string   `json:"user" doc:"The author" example:"amsg"`
	At       string   `json:"at" format:"date-time" doc:"When the server received it"`
	Via      string   `json:"via,omitempty" doc:"The service that wrote it on the author's behalf" example:"helpdesk"`
}

type listMessageVersionsInput struct {
	MessagePath
	PageQuery
}

type listMessageVersionsOutput struct {
	Body struct {
		Items []messageVersionBody `json:"items"`
		Next  string               `json:"next,omitempty" doc:"The cursor of older versions; absent on the last page"`
	}
}

func listMessageVersionsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-message-versions", Method: http.MethodGet, Path: "/rooms/{room}/messages/{id}/versions",
		Summary: "List the versions of a message",
		Description: "The original and every edit, newest first. Versions never change, but a deletion removes the " +
			"text and the metadata from all of them. A page holds at most limit versions and ends early at 1 MB.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound},
	}, listMessageVersions)
}

func listMessageVersions(
	ctx context.Context, s *server, caller chat.UserID, in *listMessageVersionsInput,
) (*listMessageVersionsOutput, error) {
	q := chat.VersionQuery{Page: in.page()}
	var err error
	if q.Room, q.ID, err = in.parse(); err != nil {
		return nil, err
	}
	page, err := s.service.MessageVersions(ctx, caller, q)
	if err != nil {
		return nil, err
	}
	out := &listMessageVersionsOutput{}
	out.Body.Items, out.Body.Next = make([]messageVersionBody, 0, len(page.Items)), page.Next
	for _, v := range page.Items {
		out.Body.Items = append(out.Body.Items, messageVersionBody{
			Version: v.Number, Text: v.Text, Metadata: metadata(v.Metadata), User: string(v.By),
			At: wire.TimeText(v.At), Via: string(v.Via),
		})
	}
	return out, nil
}
