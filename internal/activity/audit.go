package activity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Recorder writes activity logs and the audit logs of rooms. It is safe for concurrent use.
type Recorder struct {
	store     Store
	clock     func() time.Time
	random    io.Reader
	retention time.Duration
	log       *slog.Logger
}

// RecorderOptions are the settings of a Recorder. Store, Clock and Random are required.
type RecorderOptions struct {
	Store  Store
	Clock  func() time.Time
	Random io.Reader // safe for concurrent use
	// Retention is how long log entries are stored; zero selects the default.
	Retention time.Duration
	// Log receives the audit lines that could not be stored; nil discards them.
	Log *slog.Logger
}

// NewRecorder returns a Recorder.
func NewRecorder(o RecorderOptions) *Recorder {
	r := &Recorder{store: o.Store, clock: o.Clock, random: o.Random, retention: o.Retention, log: o.Log}
	if r.retention == 0 {
		r.retention = DefaultRetention
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	return r
}

// Audit adds a line to a room's audit log. The change that the line describes is complete and
// cannot be undone. So a failure is not reported to the caller but logged as an error with the
// complete line. Audit implements chat.Auditor.
func (r *Recorder) Audit(ctx context.Context, room chat.RoomID, e chat.AuditEvent) {
	if err := r.appendAudit(ctx, Log{Room: room}, e); err != nil {
		r.log.ErrorContext(ctx, "a line of a room's audit log was not stored", "error", err,
			"room", room, "by", e.By, "via", chat.Via(ctx, e.By), "action", e.Action, "on", e.On, "detail", e.Detail)
	}
}

// AuditPerson is Audit for the audit log of a person. It implements account.Auditor.
func (r *Recorder) AuditPerson(ctx context.Context, person chat.UserID, e chat.AuditEvent) {
	if err := r.appendAudit(ctx, Log{Person: person}, e); err != nil {
		r.log.ErrorContext(ctx, "a line of a person's audit log was not stored", "error", err,
			"by", e.By, "action", e.Action, "on", e.On, "detail", e.Detail)
	}
}

// AuditLine returns a line of a room's audit log, for a store that adds it in the transaction of
// the change that the line describes. AuditLine implements membership.Auditor.
func (r *Recorder) AuditLine(ctx context.Context, room chat.RoomID, e chat.AuditEvent) (any, error) {
	entry, err := r.auditEntry(ctx, e)
	if err != nil {
		return nil, err
	}
	entry.Expires = r.expires(entry.At)
	return r.store.LogLine(Log{Room: room}, entry), nil
}

func (r *Recorder) appendAudit(ctx context.Context, log Log, e chat.AuditEvent) error {
	entry, err := r.auditEntry(ctx, e)
	if err != nil {
		return err
	}
	_, err = r.append(ctx, log, entry)
	return err
}

// auditEntry returns the entry of an event, without its end.
func (r *Recorder) auditEntry(ctx context.Context, e chat.AuditEvent) (LogEntry, error) {
	id, err := r.lineID(e)
	if err != nil {
		return LogEntry{}, err
	}
	at := e.At
	if at.IsZero() {
		at = r.clock()
	}
	return LogEntry{
		ID: id, At: at.UTC().Truncate(LogStep), Type: e.Action, By: e.By, Via: chat.Via(ctx, e.By), On: e.On,
		Detail: e.Detail,
	}, nil
}

// lineID returns the id that identifies a line in a retry. It is derived from the line if the line
// has a time, and random otherwise.
func (r *Recorder) lineID(e chat.AuditEvent) (string, error) {
	var id [16]byte
	if !e.At.IsZero() {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q %q %q", e.At.UnixMicro(), e.By, e.Action, e.On, e.Detail))
		copy(id[:], sum[:])
	} else if _, err := io.ReadFull(r.random, id[:]); err != nil {
		return "", fmt.Errorf("create an id for an audit line: %w", err)
	}
	return hex.EncodeToString(id[:]), nil
}

// AuditLog lists the audit log of a room, for its moderators.
func (s *Service) AuditLog(
	ctx context.Context, caller chat.UserID, room chat.RoomID, q LogQuery,
) (chat.Page[LogEntry], error) {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Audit); err != nil {
		return chat.Page[LogEntry]{}, err
	}
	return s.readLog(ctx, Log{Room: room}, q)
}

// PersonAudit lists the audit log of a person, only for services. The caller must check that.
func (s *Service) PersonAudit(ctx context.Context, person chat.UserID, q LogQuery) (chat.Page[LogEntry], error) {
	return s.readLog(ctx, Log{Person: person}, q)
}
