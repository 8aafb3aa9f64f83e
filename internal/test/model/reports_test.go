package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/report"
	"example.com/parley/internal/table"
)

// report reports a message, or repeats an earlier report with another reason. Then it lists the
// reports.
func (w *world) report() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Report)
	id := chat.MessageID{UUID: chat.NewUUID(w.model.now(), [10]byte{}), User: "nobody"} // does not exist
	if m := w.randomMessage(in); m != nil {
		id = m.id
	}
	if n := len(w.model.reports); n > 0 && w.percent(35) {
		again := w.model.reports[n-1-w.rand.IntN(min(n, 10))]
		in, caller, id = again.Room, again.ID.Reporter, again.ID.Message
	}
	reason := oneOf(w, "spam", "noise\nand more", "abuse", " ")
	w.note("%s reports %s in %s: %q", caller, id, in, reason)
	want, created, denied := w.model.report(caller, in, id, reason)
	got, gotCreated, err := w.service(in).Reports.Report(w.ctx, caller, in, id, reason)
	if err := w.agree(answer{denied, want, created}, answer{refusalOf(err), got, gotCreated}); err != nil {
		return err
	}
	return w.listReports(in)
}

// resolveReport resolves a report of any room, now and then as a service. Then it lists the
// reports.
func (w *world) resolveReport() error {
	if len(w.model.reports) == 0 {
		return nil
	}
	r := *oneOf(w, w.model.reports...)
	in := r.Room
	if w.percent(5) { // the id of another report
		r.ID.Reporter = "nobody"
	}
	caller, isService := w.randomUser(in, policy.Administer), w.percent(25)
	w.note("%s resolves the report %s in %s as a service: %v", caller, r.ID, in, isService)
	want, denied := w.model.resolve(caller, r, isService)
	resolve := w.service(in).Reports.Resolve
	if isService {
		resolve = w.service(in).Reports.ResolveAny
	}
	got, err := resolve(w.ctx, caller, in, r.ID)
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got}); err != nil {
		return err
	}
	return w.listReports(in)
}

// listReports compares the reports of a room, and the open reports of all rooms.
func (w *world) listReports(in chat.RoomID) error {
	caller, service := w.randomUser(in, policy.Audit), w.service(in)
	w.note("%s lists the reports of %s", caller, in)
	_, denied := w.model.enter(caller, in, policy.Audit)
	want := w.model.reportsWhere(func(r report.Report) bool { return r.Room == in })
	got, err := paged(1+w.rand.IntN(9), func(p chat.PageRequest) (chat.Page[report.Report], error) {
		return service.Reports.Reports(w.ctx, caller, in, p)
	})
	byKey := func(a, b report.Report) int { return strings.Compare(keyOf(a), keyOf(b)) }
	slices.SortFunc(want, byKey)
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got}); err != nil {
		return err
	}
	want = w.model.reportsWhere(report.Report.Open)
	slices.SortFunc(want, func(a, b report.Report) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(placeOf(b), placeOf(a)))
	})
	got, err = paged(1+w.rand.IntN(9), func(p chat.PageRequest) (chat.Page[report.Report], error) {
		return service.Reports.Open(w.ctx, p)
	})
	return w.agree(answer{Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// placeOf orders the open reports of a time.
func placeOf(r report.Report) string { return string(r.Room) + "#" + r.ID.String() }

// keyOf orders the reports of a room: by message, then by reporter.
func keyOf(r report.Report) string { return r.ID.Message.String() + "#" + string(r.ID.Reporter) }

// findReport returns the stored report with the room and the id, or nil.
func (m *model) findReport(in chat.RoomID, id report.ID) *report.Report {
	for _, r := range m.reports {
		if r.Room == in && r.ID == id {
			return r
		}
	}
	return nil
}

func (m *model) reportsWhere(wanted func(report.Report) bool) []report.Report {
	var all []report.Report
	for _, r := range m.reports {
		if wanted(*r) {
			all = append(all, *r)
		}
	}
	return all
}

func (m *model) report(caller chat.UserID, in chat.RoomID, id chat.MessageID, reason string) (stored report.Report, created bool, denied refusal) {
	if strings.TrimSpace(reason) == "" {
		return report.Report{}, false, refused(chat.Invalid)
	}
	r, denied := m.enter(caller, in, policy.Report)
	if denied != (refusal{}) {
		return report.Report{}, false, denied
	}
	if r.find(id) == nil {
		return report.Report{}, false, refused(chat.NotFound)
	}
	of := report.ID{Message: id, Reporter: caller}
	if earlier := m.findReport(in, of); earlier != nil {
		return *earlier, false, refusal{}
	}
	m.reports = append(m.reports, &report.Report{Room: in, ID: of, Reason: reason, CreatedAt: m.now()})
	return *m.reports[len(m.reports)-1], true, refusal{}
}

// resolve returns the report after somebody resolved it. A service may resolve reports of any
// room, even of a deleted one.
func (m *model) resolve(caller chat.UserID, of report.Report, isService bool) (report.Report, refusal) {
	if _, denied := m.enter(caller, of.Room, policy.Administer); !isService && denied != (refusal{}) {
		return report.Report{}, denied
	}
	r := m.findReport(of.Room, of.ID)
	if r == nil {
		return report.Report{}, refused(chat.NotFound)
	}
	if r.Open() {
		r.ResolvedAt, r.ResolvedBy = m.now(), caller
	}
	return *r, refusal{}
}

// countReports is a fault of calls: a person's second report replaces the first.
func countReports(input any) any {
	if put, ok := input.(*dynamodb.PutItemInput); ok && table.KindOf(put.Item) == table.ReportKind {
		put.ConditionExpression = nil
	}
	return nil
}

// keepReportsOpen is a fault of calls: a report that is resolved stays in the list of open ones.
func keepReportsOpen(input any) any {
	update, ok := input.(*dynamodb.UpdateItemInput)
	if !ok {
		return nil
	}
	if resolution, found := strings.CutSuffix(*update.UpdateExpression, " REMOVE #pk, #sk"); found {
		update.UpdateExpression = &resolution
		delete(update.ExpressionAttributeNames, "#pk")
		delete(update.ExpressionAttributeNames, "#sk")
	}
	return nil
}
