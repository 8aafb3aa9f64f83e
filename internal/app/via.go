package app

import (
	"context"

	"parley/internal/chat"
	"parley/internal/membership"
)

// Via returns services for a service that acts for the callers. Their messages and lines of audit
// logs name it. Caches, budgets and stores are those of s.
func (s *Services) Via(service chat.UserID) *Services {
	c := *s
	c.audit = viaAuditor{auditor: s.audit, service: service}
	c.Service = s.Service.Via(service, c.audit)
	c.Direct = s.Direct.Via(c.audit)
	c.Private = s.Private.Via(c.audit)
	c.Members = s.Members.Via(service, c.audit)
	c.Reports = s.Reports.Via(c.audit)
	c.Invites = s.Invites.Via(c.audit)
	c.Pins = s.Pins.Via(c.audit)
	c.Documents = s.Documents.Via(c.audit)
	return &c
}

// auditor stores lines after a change, and with it.
type auditor interface {
	chat.Auditor
	membership.Auditor
}

// viaAuditor adds a service to the lines about people for whom it acts.
type viaAuditor struct {
	auditor
	service chat.UserID
}

// Audit implements chat.Auditor.
func (a viaAuditor) Audit(ctx context.Context, room chat.RoomID, e chat.AuditEvent) {
	a.auditor.Audit(ctx, room, a.named(e))
}

// AuditLine implements membership.Auditor.
func (a viaAuditor) AuditLine(room chat.RoomID, e chat.AuditEvent) (membership.Line, error) {
	return a.auditor.AuditLine(room, a.named(e))
}

// named returns an event with the service in it.
func (a viaAuditor) named(e chat.AuditEvent) chat.AuditEvent {
	if e.By != a.service {
		e.Via = a.service
	}
	return e
}
