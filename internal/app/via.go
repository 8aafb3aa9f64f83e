package app

import (
	"context"

	"parley/internal/chat"
)

// Via returns services for a service that acts for the callers. Their messages and lines of audit
// logs name it. Caches, budgets and stores are those of s.
func (s *Services) Via(service chat.UserID) *Services {
	c := *s
	c.audit = viaAuditor{Auditor: s.audit, service: service}
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

// viaAuditor adds a service to the lines about people for whom it acts.
type viaAuditor struct {
	chat.Auditor
	service chat.UserID
}

// Audit implements chat.Auditor.
func (a viaAuditor) Audit(ctx context.Context, room chat.RoomID, e chat.AuditEvent) {
	if e.By != a.service {
		e.Via = a.service
	}
	a.Auditor.Audit(ctx, room, e)
}
