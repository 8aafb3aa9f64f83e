package httpapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
)

// logTimeLayout is RFC 3339 with microseconds, the resolution of log entries.
const logTimeLayout = "2006-01-02T15:04:05.000000Z"

// DevicePath is the part of a path that names one of the caller's devices. It is exported for
// huma, like RoomPath.
type DevicePath struct {
	Device string `path:"device" format:"device-id" maxLength:"64" doc:"The caller's name for one of their devices: A-Z a-z 0-9 . _ -" example:"phone"`
}

// LogQuery is the part of a query that selects a range of a log. It is exported for huma, like
// RoomPath.
type LogQuery struct {
	After  string `query:"after" format:"date-time" doc:"Only entries later than this time (RFC 3339)"`
	Before string `query:"before" format:"date-time" doc:"Only entries earlier than this time (RFC 3339)"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most entries in the answer"`
	Cursor string `query:"cursor" format:"cursor" doc:"next of an answer to the same query"`
}

func (q LogQuery) query() (out activity.LogQuery, err error) {
	out.PageRequest = chat.PageRequest{Limit: q.Limit, Cursor: q.Cursor}
	if out.After, err = parseTime("after", q.After); err != nil {
		return out, err
	}
	out.Before, err = parseTime("before", q.Before)
	return out, err
}

// eventBody is an event as the API shows it.
type eventBody struct {
	ID     string `json:"id" doc:"Identifies the event in a retry"`
	Type   string `json:"type" example:"connection"`
	At     string `json:"at" format:"date-time" doc:"The time of the event, or the next free microsecond"`
	Detail string `json:"detail,omitempty"`
}

func eventsOf(entries []activity.LogEntry) []eventBody {
	return each(entries, func(e activity.LogEntry) eventBody {
		return eventBody{ID: e.ID, Type: e.Type, At: e.At.Format(logTimeLayout), Detail: e.Detail}
	})
}

// EventReport is one event of a batch. It is exported for huma, like RoomPath.
type EventReport struct {
	ID     *string `json:"id,omitempty" format:"uuidv7" doc:"A UUIDv7, generated once for the event. Without an id, a retry is recognized by time, type and detail, and by the number of equal events in a batch"`
	Type   string  `json:"type" minLength:"1" maxLength:"32" pattern:"^[a-z0-9][a-z0-9._-]*$" doc:"connection, delivery, error, or a type of the client's own" example:"connection"`
	At     *string `json:"at,omitempty" format:"date-time" doc:"The time of the event (RFC 3339), to the microsecond. Default: the id's time. Required without an id. It may be as old as the log is kept, 30 days unless the deployment sets another time, and 2 seconds ahead"`
	Detail string  `json:"detail,omitempty" maxLength:"1000" doc:"At most 1000 bytes of UTF-8"`
}

type postEventsInput struct {
	DevicePath
	Body struct {
		Events []EventReport `json:"events" minItems:"1" maxItems:"25"`
	}
}

// weight returns the number of events, each of which counts as a message.
func (in *postEventsInput) weight() int { return len(in.Body.Events) }

type eventsOutput struct {
	Body struct {
		Items []eventBody `json:"items"`
	} `nameHint:"StoredEvents"`
}

func postEventsOperation() operation {
	return define(Write, messagePrice, huma.Operation{
		OperationID: "post-events", Method: http.MethodPost, Path: "/devices/{device}/events",
		Summary: "Report events of a device",
		Description: "Answers with the events as stored, in the order of the batch. A retry of a batch, or of a part " +
			"of it, stores each event once. Two events with the same time are both stored, a microsecond apart. Each " +
			"event counts as one message against the sender's rate. Entries expire after 30 days, unless the " +
			"deployment sets another time; an older event is refused.",
		Tags:   []string{"activity"},
		Errors: []int{http.StatusConflict},
	}, postEvents)
}

func postEvents(ctx context.Context, s *server, caller chat.UserID, in *postEventsInput) (*eventsOutput, error) {
	device, err := activity.ParseDeviceID(in.Device)
	if err != nil {
		return nil, err
	}
	drafts := make([]activity.EventDraft, len(in.Body.Events))
	for i, e := range in.Body.Events {
		if drafts[i], err = e.draft(fmt.Sprintf("events[%d]", i)); err != nil {
			return nil, err
		}
	}
	entries, err := s.service.Activity.AppendEvents(ctx, caller, device, drafts)
	if err != nil {
		return nil, err
	}
	out := &eventsOutput{}
	out.Body.Items = eventsOf(entries)
	return out, nil
}

func (e EventReport) draft(field string) (activity.EventDraft, error) {
	d := activity.EventDraft{Type: e.Type, Detail: e.Detail}
	if e.ID != nil {
		id, err := chat.ParseUUID(*e.ID)
		if err != nil {
			return d, chat.InField(field+".id", err)
		}
		d.UUID = id
	}
	if e.At != nil {
		at, ok := parseRFC3339(*e.At)
		if !ok {
			return d, &chat.Error{
				Kind: chat.Invalid, Field: field + ".at",
				Detail: "must be an existing time, such as 2018-08-29T12:00:00Z",
			}
		}
		d.At = at
	}
	return d, nil
}

type listEventsInput struct {
	DevicePath
	LogQuery
}

type listEventsOutput struct {
	Body struct {
		Items []eventBody `json:"items"`
		Next  string      `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listEventsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-events", Method: http.MethodGet, Path: "/devices/{device}/events",
		Summary:     "List the events of a device",
		Description: "Newest first. Logs belong to a user: another user's device of the same name has another log.",
		Tags:        []string{"activity"},
	}, listEvents)
}

func listEvents(ctx context.Context, s *server, caller chat.UserID, in *listEventsInput) (*listEventsOutput, error) {
	device, err := activity.ParseDeviceID(in.Device)
	if err != nil {
		return nil, err
	}
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Activity.Events(ctx, caller, device, q)
	if err != nil {
		return nil, err
	}
	out := &listEventsOutput{}
	out.Body.Items, out.Body.Next = eventsOf(page.Items), page.Next
	return out, nil
}

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
	out.Body.Next = page.Next
	out.Body.Items = each(page.Items, func(e activity.LogEntry) auditEntryBody {
		return auditEntryBody{
			At: e.At.Format(logTimeLayout), By: string(e.By), Via: string(e.Via), Action: auditAction(e.Type),
			On: string(e.On), Detail: e.Detail,
		}
	})
	return out
}
