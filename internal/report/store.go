package report

import (
	"context"

	"parley/internal/chat"
)

// Store stores reports. All methods return a *chat.Error of kind Unavailable if the store cannot
// answer at present.
type Store interface {
	// PutReport stores a report, unless there is one with its room and id. In both cases it returns
	// the stored report; created reports which case it was.
	PutReport(ctx context.Context, r Report) (stored Report, created bool, err error)
	// ResolveReport sets ResolvedAt and ResolvedBy of an open report. It returns the stored report,
	// or NotFound. resolved is false if it was not open.
	ResolveReport(ctx context.Context, r Report) (stored Report, resolved bool, err error)
	// ReportsOf returns the reports of a room, resolved ones too, ordered by message and reporter.
	// It returns at most limit of them, after a position whose Sort is a report's id.
	ReportsOf(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) (reports []Report, next chat.ListPosition, err error)
	// OpenReports returns the open reports of all rooms, newest first. It returns at most limit of
	// them, after a position whose ID is from Report.Place. Reports of the last second may be
	// missing.
	OpenReports(ctx context.Context, after chat.ListPosition, limit int) (reports []Report, next chat.ListPosition, err error)
}
