package chat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"parley/internal/policy"
)

// AuditEvent is a line of a room's audit: who did what, and to whom.
type AuditEvent struct {
	By     UserID
	Action string // such as "member.role", "member.banned", "document.saved"
	On     UserID // whom it was done to, if anyone
	Detail string // what else there is to know: the new role, the document
	// At is when it was done, where what was changed remembers it: a retry then finds the
	// line that is there, or writes the one that is missing. Zero is now, and a line of its own.
	At time.Time
}

// audit writes down what has just been done in a room. The change stands
// already and cannot be taken back, so a failure is not the caller's: it goes to the
// server's log, as an error that holds the whole line. Call it after the change.
func (s *Service) audit(ctx context.Context, room RoomID, e AuditEvent) {
	if err := s.appendAudit(ctx, room, e); err != nil {
		s.log.ErrorContext(ctx, "a line of a room's audit was not kept", "error", err,
			"room", room, "by", e.By, "action", e.Action, "on", e.On, "detail", e.Detail)
	}
}

func (s *Service) appendAudit(ctx context.Context, room RoomID, e AuditEvent) error {
	id, err := s.lineID(e)
	if err != nil {
		return err
	}
	at := e.At
	if at.IsZero() {
		at = s.clock()
	}
	_, err = s.append(ctx, Log{Room: room}, LogEntry{
		ID: id, At: at.UTC().Truncate(LogStep), Type: e.Action, By: e.By, On: e.On, Detail: e.Detail,
	})
	return err
}

// lineID is by which a line is known: made from what it says where that tells it apart, or random.
func (s *Service) lineID(e AuditEvent) (string, error) {
	var id [16]byte
	if !e.At.IsZero() {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q %q %q", e.At.UnixMicro(), e.By, e.Action, e.On, e.Detail))
		copy(id[:], sum[:])
	} else if _, err := io.ReadFull(s.random, id[:]); err != nil {
		return "", fmt.Errorf("make an id for an audit line: %w", err)
	}
	return hex.EncodeToString(id[:]), nil
}

// Audit lists what was done in a room, for its moderators.
func (s *Service) Audit(ctx context.Context, caller UserID, room RoomID, q LogQuestion) (LogPage, error) {
	if _, err := s.authorize(ctx, caller, room, policy.Audit); err != nil {
		return LogPage{}, err
	}
	return s.readLog(ctx, Log{Room: room}, q)
}
