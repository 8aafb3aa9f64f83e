package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/report"
	"parley/internal/table"
)

// PutReport is one conditional put: 2 write units up to 1 KB, one for the table and one for the
// index. If an attempt of this call put the existing report, and only its answer was lost, it is
// reported as created.
func (s *Store) PutReport(ctx context.Context, r report.Report) (report.Report, bool, error) {
	put, err := s.table.InsertItem(ctx, "put report", table.ReportItem(r))
	if err != nil || !put.Failed {
		return r, err == nil, err
	}
	existing, err := table.ParseReport(put.Existing)
	return existing, err == nil && put.Retried && existing == r, translate("put report", err)
}

// ResolveReport is one conditional update: 2 write units up to 1 KB, because the report leaves the
// index. For a report that is missing or not open, it reads that too: 1 read unit.
func (s *Store) ResolveReport(ctx context.Context, r report.Report) (report.Report, bool, error) {
	const op = "resolve report"
	_, failed, err := s.table.UpdateItem(ctx, op, table.ReportKey(r.Room, r.ID), table.ReportResolution(r))
	if err != nil {
		return report.Report{}, false, err
	}
	existing, found, err := ReadItem(ctx, s.table, op, table.ReportKey(r.Room, r.ID), Strong, table.ParseReport)
	if err == nil && !found {
		err = &chat.Error{Kind: chat.NotFound, Detail: "this room has no such report"}
	}
	return existing, err == nil && !failed, err
}

// ReportsOf reads the room's reports by the prefix of their keys: half a read unit for every 4 KB.
func (s *Store) ReportsOf(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) ([]report.Report, chat.ListPosition, error) {
	q := Query{
		Operation: "list reports", Partition: table.RoomItemsPK(room), Keys: WithPrefix(table.ReportPrefix),
		Consistency: Eventual, Limit: limit,
	}
	if id, err := report.ParseID(after.Sort); err == nil {
		q.Start = table.ReportKey(room, id)
	}
	return ListPage(ctx, s.table, q, table.ParseReport, func(r report.Report) chat.ListPosition {
		return chat.ListPosition{Sort: r.ID.String()}
	})
}

// OpenReports reads one partition of the index: half a read unit for every 4 KB.
func (s *Store) OpenReports(ctx context.Context, after chat.ListPosition, limit int) ([]report.Report, chat.ListPosition, error) {
	q := Query{
		Operation: "list open reports", Index: true, Partition: table.OpenReportsPK,
		Consistency: Eventual, NewestFirst: true, Limit: limit,
	}
	if room, id, err := report.ParsePlace(after.ID); err == nil {
		sort := chat.ListPosition{Sort: after.Sort + "#" + after.ID}
		q.Start = IndexStart(q.Partition, sort, table.Key(table.RoomItemsPK(room), table.ReportSK(id)))
	}
	return ListPage(ctx, s.table, q, table.ParseReport, table.ReportPosition)
}
