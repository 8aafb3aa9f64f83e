package report

import (
	"context"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// Service stores and resolves reports. It is safe for concurrent use.
type Service struct {
	table    *dynamo.Table
	rooms    *chat.Service
	messages chat.MessageGetter
	audit    chat.Auditor
	clock    func() time.Time
}

// Options are the settings of a Service. All are required.
type Options struct {
	Table    *dynamo.Table
	Rooms    *chat.Service
	Messages chat.MessageGetter
	Audit    chat.Auditor
	Clock    func() time.Time
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{table: o.Table, rooms: o.Rooms, messages: o.Messages, audit: o.Audit, clock: o.Clock}
}

// Report stores the caller's report of a message, which may be deleted. If the caller has reported
// it before, it returns that report with created false.
//
// The error is Invalid for an invalid reason, RateLimited if the caller reports too fast, and
// NotFound for an unknown message. Otherwise it is as for Authorize; an archived room accepts no
// reports.
func (s *Service) Report(
	ctx context.Context, caller chat.UserID, room chat.RoomID, message chat.MessageID, reason string,
) (r Report, created bool, err error) {
	if err := checkReason(reason); err != nil {
		return Report{}, false, err
	}
	if wait := s.rooms.TakeTokens(ctx, caller, 1); wait > 0 {
		return Report{}, false, &chat.Error{
			Kind: chat.RateLimited, Limit: "messages", RetryAfter: wait,
			Detail: "you report too fast; " + chat.RetryHint,
		}
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Report); err != nil {
		return Report{}, false, err
	}
	if _, err := s.messages.Message(ctx, room, message); err != nil {
		return Report{}, false, err
	}
	return s.put(ctx, Report{
		Room: room, ID: ID{message, caller}, Reason: reason, CreatedAt: chat.ServerTime(s.clock()),
	})
}

// put stores a report, unless one with its room and id exists, and returns the stored one. If an
// attempt of this call put it but its answer was lost, created is true. It is one conditional put:
// 2 write units up to 1 KB, one for the table and one for the index.
func (s *Service) put(ctx context.Context, r Report) (stored Report, created bool, err error) {
	const op = "put report"
	put, err := s.table.InsertItem(ctx, op, Item(r))
	if err != nil || !put.Failed {
		return r, err == nil, err
	}
	if stored, err = Parse(put.Existing); err != nil {
		return Report{}, false, fmt.Errorf("%s: %w", op, err)
	}
	return stored, put.Retried && stored == r, nil
}

// Resolve resolves a report for a moderator of its room. A resolved report does not change. The
// error is NotFound for an unknown report, and otherwise as for Authorize; in an archived room
// only services resolve reports.
func (s *Service) Resolve(ctx context.Context, caller chat.UserID, room chat.RoomID, id ID) (Report, error) {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Administer); err != nil {
		return Report{}, err
	}
	return s.ResolveAny(ctx, caller, room, id)
}

// ResolveAny resolves a report in any room, for a service.
func (s *Service) ResolveAny(ctx context.Context, service chat.UserID, room chat.RoomID, id ID) (Report, error) {
	stored, resolved, err := s.resolve(
		ctx, Report{Room: room, ID: id, ResolvedAt: chat.ServerTime(s.clock()), ResolvedBy: service},
	)
	if err == nil && (resolved || stored.ResolvedBy == service) {
		// The first attempt may have failed before the audit, so a retry also adds the line.
		s.audit.Audit(ctx, room, chat.AuditEvent{
			By: service, At: stored.ResolvedAt, Action: "report.resolved", On: id.Message.User, Detail: id.String(),
		})
	}
	return stored, err
}

// resolve sets ResolvedAt and ResolvedBy of an open report. It returns the stored report, or
// NotFound. resolved is false if the report was not open. It is one conditional update and one
// strong read: 2 write units up to 1 KB, because the report leaves the index, and 1 read unit.
func (s *Service) resolve(ctx context.Context, r Report) (stored Report, resolved bool, err error) {
	const op = "resolve report"
	_, failed, err := s.table.UpdateItem(ctx, op, key(r.Room, r.ID), resolution(r))
	if err != nil {
		return Report{}, false, err
	}
	stored, found, err := dynamo.ReadStrong(ctx, s.table, op, key(r.Room, r.ID), Parse)
	if err == nil && !found {
		err = &chat.Error{Kind: chat.NotFound, Detail: "this room has no such report"}
	}
	return stored, err == nil && !failed, err
}

// Reports lists the reports of a room for its moderators, by message. The error is as for
// Authorize and PageRequest.Read. It costs half a read unit for every 4 KB.
func (s *Service) Reports(
	ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest,
) (chat.Page[Report], error) {
	scope := chat.NewCursorScope("reports").Text(string(room))
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, err := ParseID(p.Sort)
		return err == nil && p.ID == ""
	})
	if err != nil {
		return chat.Page[Report]{}, err
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Audit); err != nil {
		return chat.Page[Report]{}, err
	}
	q := dynamo.Query{
		Operation: "list reports", Partition: table.RoomItemsPK(room), Keys: dynamo.WithPrefix(prefix),
		Consistency: dynamo.Eventual, Limit: page.Limit,
	}
	if id, err := ParseID(after.Sort); err == nil {
		q.Start = key(room, id)
	}
	reports, next, err := dynamo.ListPage(ctx, s.table, q, Parse, func(r Report) chat.ListPosition {
		return chat.ListPosition{Sort: r.ID.String()}
	})
	return chat.Page[Report]{Items: reports, Next: next.Cursor(scope)}, err
}

// Open lists the open reports of all rooms, newest first. Only services may list them, which the
// caller must check. Reports of the last second may be missing. The error is as for
// PageRequest.Read. It reads one partition of the index: half a read unit for every 4 KB.
func (s *Service) Open(ctx context.Context, page chat.PageRequest) (chat.Page[Report], error) {
	scope := chat.NewCursorScope("open reports")
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, _, err := parsePlace(p.ID)
		return err == nil
	})
	if err != nil {
		return chat.Page[Report]{}, err
	}
	q := dynamo.Query{
		Operation: "list open reports", Index: true, Partition: openPK,
		Consistency: dynamo.Eventual, NewestFirst: true, Limit: page.Limit,
	}
	if room, id, err := parsePlace(after.ID); err == nil {
		q.Start = dynamo.IndexStart(q.Partition, chat.ListPosition{Sort: after.Sort + "#" + after.ID}, key(room, id))
	}
	reports, next, err := dynamo.ListPage(ctx, s.table, q, Parse, Report.position)
	return chat.Page[Report]{Items: reports, Next: next.Cursor(scope)}, err
}
