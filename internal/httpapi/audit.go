package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
)

// auditEntryBody is an entry of an audit log as the API shows it.
type auditEntryBody struct {
	At     string      `json:"at" format:"date-time"`
	By     string      `json:"by" doc:"The user who acted" example:"amsg"`
	Action auditAction `json:"action" doc:"What was done; later versions may add others" example:"member.role"`
	Via    string      `json:"via,omitempty" doc:"The service that acted on the user's behalf"`
	On     string      `json:"on,omitempty" doc:"The user who was affected"`
	Detail string      `json:"detail,omitempty" doc:"The new role, the names of the changed settings, the reason of a suspension, the id of the message or of the invitation, the document with its new permissions, or the document, part and version that were saved"`
}

// auditAction is an action of the audit logs.
type auditAction string

// Schema lists the actions. It implements huma.SchemaProvider.
func (auditAction) Schema(huma.Registry) *huma.Schema {
	var all []any
	for _, action := range activity.Actions() {
		all = append(all, action)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: all}
}

type listAuditInput struct {
	RoomPath
	LogQuery
}

type listAuditOutput struct {
	Body struct {
		Items []auditEntryBody `json:"items"`
		Next  string           `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listAuditOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-audit", Method: http.MethodGet, Path: "/rooms/{room}/audit",
		Summary: "List the audit of a room",
		Description: "Newest first, for the room's moderators and owners: settings, joins and leaves, roles, bans, " +
			"removals, deleted messages, pins, documents. Entries expire after 30 days, unless the deployment sets " +
			"another period.",
		Tags:   []string{"activity"},
		Errors: []int{http.StatusNotFound},
	}, listAudit)
}

func listAudit(ctx context.Context, s *server, caller chat.UserID, in *listAuditInput) (*listAuditOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Activity.AuditLog(ctx, caller, room, q)
	if err != nil {
		return nil, err
	}
	return auditOf(page), nil
}

// auditOf returns a page of an audit log as the API shows it.
func auditOf(page chat.Page[activity.LogEntry]) *listAuditOutput {
	out := &listAuditOutput{}
	out.Body.Items, out.Body.Next = make([]auditEntryBody, 0, len(page.Items)), page.Next
	for _, e := range page.Items {
		out.Body.Items = append(out.Body.Items, auditEntryBody{
			At: e.At.Format(logTimeLayout), By: string(e.By), Via: string(e.Via), Action: auditAction(e.Type),
			On: string(e.On), Detail: e.Detail,
		})
	}
	return out
}
