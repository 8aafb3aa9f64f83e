package report

import (
	"context"
	"time"

	"parley/internal/chat"
	"parley/internal/policy"
)

// Service stores and resolves reports. It is safe for concurrent use.
type Service struct {
	store    Store
	rooms    Rooms
	messages Messages
	audit    chat.Auditor
	clock    func() time.Time
}

// Rooms is the part of the chat service that a Service needs.
type Rooms interface {
	chat.Authorizer
	// TakeTokens takes tokens from the caller's budget, or returns how long to wait for one.
	TakeTokens(caller chat.UserID, tokens int) (wait time.Duration)
}

// Messages is the part of the chat store that a Service needs.
type Messages interface {
	// Message returns a message, or NotFound.
	Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error)
}

// Options are the settings of a Service. All are required.
type Options struct {
	Store    Store
	Rooms    Rooms
	Messages Messages
	Audit    chat.Auditor
	Clock    func() time.Time
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{store: o.Store, rooms: o.Rooms, messages: o.Messages, audit: o.Audit, clock: o.Clock}
}

// Via returns the service for callers on whose behalf a service acts. Its changes are audited by
// audit, and it shares everything else with s.
func (s *Service) Via(audit chat.Auditor) *Service {
	c := *s
	c.audit = audit
	return &c
}

// Report stores the caller's report of a message, which may be deleted. If the caller has reported
// it before, it returns that report with created false.
//
// The error is Invalid for an invalid reason, RateLimited if the caller reports too fast, and
// NotFound for an unknown message. Otherwise it is as for Authorize; an archived room takes no
// reports.
func (s *Service) Report(ctx context.Context, caller chat.UserID, room chat.RoomID, message chat.MessageID, reason string) (r Report, created bool, err error) {
	if err := checkReason(reason); err != nil {
		return Report{}, false, err
	}
	if wait := s.rooms.TakeTokens(caller, 1); wait > 0 {
		return Report{}, false, &chat.Error{Kind: chat.RateLimited, Limit: "messages", RetryAfter: wait, Detail: "you report too fast; " + chat.RetryHint}
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Report); err != nil {
		return Report{}, false, err
	}
	if _, err := s.messages.Message(ctx, room, message); err != nil {
		return Report{}, false, err
	}
	return s.store.PutReport(ctx, Report{
		Room: room, ID: ID{message, caller}, Reason: reason, CreatedAt: chat.ServerTime(s.clock()),
	})
}

// Resolve resolves a report for a moderator of its room. A report that is resolved does not change.
// The error is NotFound for an unknown report, and otherwise as for Authorize; in an archived room
// only services resolve reports.
func (s *Service) Resolve(ctx context.Context, caller chat.UserID, room chat.RoomID, id ID) (Report, error) {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Administer); err != nil {
		return Report{}, err
	}
	return s.ResolveAny(ctx, caller, room, id)
}

// ResolveAny resolves a report in any room, for a service.
func (s *Service) ResolveAny(ctx context.Context, service chat.UserID, room chat.RoomID, id ID) (Report, error) {
	stored, resolved, err := s.store.ResolveReport(ctx, Report{Room: room, ID: id, ResolvedAt: chat.ServerTime(s.clock()), ResolvedBy: service})
	if err == nil && (resolved || stored.ResolvedBy == service) {
		// The first attempt may have failed before the audit, so a retry adds the line too.
		s.audit.Audit(ctx, room, chat.AuditEvent{
			By: service, At: stored.ResolvedAt, Action: "report.resolved", On: id.Message.User, Detail: id.String(),
		})
	}
	return stored, err
}

// Reports lists the reports of a room for its moderators, by message. The error is as for
// Authorize and PageRequest.Read.
func (s *Service) Reports(ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest) (chat.Page[Report], error) {
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
	reports, next, err := s.store.ReportsOf(ctx, room, after, page.Limit)
	return chat.Page[Report]{Items: reports, Next: next.Cursor(scope)}, err
}

// Open lists the open reports of all rooms, newest first. Only services may list them, which the
// caller must check. The error is as for PageRequest.Read.
func (s *Service) Open(ctx context.Context, page chat.PageRequest) (chat.Page[Report], error) {
	scope := chat.NewCursorScope("open reports")
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, _, err := ParsePlace(p.ID)
		return err == nil
	})
	if err != nil {
		return chat.Page[Report]{}, err
	}
	reports, next, err := s.store.OpenReports(ctx, after, page.Limit)
	return chat.Page[Report]{Items: reports, Next: next.Cursor(scope)}, err
}
