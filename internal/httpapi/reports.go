package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/report"
	"example.com/parley/internal/wire"
)

// reportBody is a report as the API shows it.
type reportBody struct {
	ID         string `json:"id" doc:"The message's id, ~, and the reporter" example:"01890a5d-ac96-774b-bcce-b302099a8057~bob~amsg"`
	Room       string `json:"room" example:"seattle"`
	Message    string `json:"message" doc:"The id of the message, which may be deleted since" example:"01890a5d-ac96-774b-bcce-b302099a8057~bob"`
	Reporter   string `json:"reporter" example:"amsg"`
	Reason     string `json:"reason" example:"spam"`
	CreatedAt  string `json:"createdAt" format:"date-time"`
	ResolvedAt string `json:"resolvedAt,omitempty" format:"date-time" doc:"When it was resolved; absent while it is open"`
	ResolvedBy string `json:"resolvedBy,omitempty" doc:"The user or the service who resolved it"`
}

func reportOf(r report.Report) reportBody {
	b := reportBody{
		ID: r.ID.String(), Room: string(r.Room), Message: r.ID.Message.String(), Reporter: string(r.ID.Reporter),
		Reason: r.Reason, CreatedAt: wire.TimeText(r.CreatedAt), ResolvedBy: string(r.ResolvedBy),
	}
	if !r.Open() {
		b.ResolvedAt = wire.TimeText(r.ResolvedAt)
	}
	return b
}

type reportOutput struct {
	Status int
	Body   reportBody
}

type postReportInput struct {
	MessagePath
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"1000" doc:"1 to 1000 bytes of UTF-8, a few lines at most" example:"spam"`
	}
}

func postReportOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-report", Method: http.MethodPost, Path: "/rooms/{room}/messages/{id}/reports",
		Summary: "Report a message",
		Description: "For everyone who may read the room. 201 the first time. A person reports a message once: later " +
			"requests answer 200 with the first report. Moderators of the room and services see it. It does not hold " +
			"the text. An archived room takes no reports.",
		Tags:          []string{"messages"},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The caller's report from before"}},
		Errors:        []int{http.StatusNotFound},
	}, postReport)
}

func postReport(ctx context.Context, s *server, caller chat.UserID, in *postReportInput) (*reportOutput, error) {
	room, message, err := in.parse()
	if err != nil {
		return nil, err
	}
	r, created, err := s.service.Reports.Report(ctx, caller, room, message, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return &reportOutput{Status: createdStatus(created), Body: reportOf(r)}, nil
}

type patchReportInput struct {
	RoomPath
	Report string `path:"report" format:"report-id" doc:"The report's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~bob~amsg"`
	Body   struct {
		Resolved bool `json:"resolved" doc:"true: a report that is resolved cannot be opened again"`
	}
}

func patchReportOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "patch-report", Method: http.MethodPatch, Path: "/rooms/{room}/reports/{report}",
		Summary: "Resolve a report",
		Description: "For the room's moderators and owners, and for services in any room, even an archived one. It " +
			"is audited. A report that is resolved does not change.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound},
	}, patchReport)
}

func patchReport(ctx context.Context, s *server, caller chat.UserID, in *patchReportInput) (*reportOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	id, err := report.ParseID(in.Report)
	if err != nil {
		return nil, chat.InField("report", err)
	}
	if !in.Body.Resolved {
		return nil, chat.Invalidf("resolved", "must be true: a report is resolved once")
	}
	resolve := s.service.Reports.Resolve
	if isService(ctx) {
		resolve = s.service.Reports.ResolveAny
	}
	r, err := resolve(ctx, caller, room, id)
	return &reportOutput{Status: http.StatusOK, Body: reportOf(r)}, err
}

type listReportsInput struct {
	RoomPath
	PageQuery
}

type listReportsOutput struct {
	Body reportPage
}

type reportPage struct {
	Items []reportBody `json:"items"`
	Next  string       `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
}

func reportPageOf(page chat.Page[report.Report]) *listReportsOutput {
	return &listReportsOutput{Body: reportPage{Items: each(page.Items, reportOf), Next: page.Next}}
}

func listReportsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-reports", Method: http.MethodGet, Path: "/rooms/{room}/reports",
		Summary:     "List the reports of a room",
		Description: "For the room's moderators and owners: open and resolved reports, in the order of their messages.",
		Tags:        []string{"messages"},
		Errors:      []int{http.StatusNotFound},
	}, listReports)
}

func listReports(ctx context.Context, s *server, caller chat.UserID, in *listReportsInput) (*listReportsOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Reports.Reports(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	return reportPageOf(page), nil
}

func listOpenReportsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-open-reports", Method: http.MethodGet, Path: "/reports",
		Security:    onlyServices,
		Summary:     "List the open reports of all rooms",
		Description: "Only for services, newest first. Includes reports in direct rooms and other private rooms.",
		Tags:        []string{"messages"},
	}, listOpenReports)
}

func listOpenReports(ctx context.Context, s *server, _ chat.UserID, in *PageQuery) (*listReportsOutput, error) {
	if !isService(ctx) {
		return nil, &chat.Error{Kind: chat.Forbidden, Detail: "only services may list the reports of all rooms"}
	}
	page, err := s.service.Reports.Open(ctx, in.page())
	if err != nil {
		return nil, err
	}
	return reportPageOf(page), nil
}
