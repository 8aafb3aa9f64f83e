package activity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// Service manages the activity logs of people's devices and lists the audit logs of rooms. It is
// safe for concurrent use.
type Service struct {
	recorder *Recorder
	rooms    *chat.Service
}

// NewService returns a Service that writes through a recorder.
func NewService(recorder *Recorder, rooms *chat.Service) *Service {
	return &Service{recorder: recorder, rooms: rooms}
}

// DeviceID identifies one of a person's devices. The person chooses it.
type DeviceID string

// ParseDeviceID parses a device id: 1 to MaxDeviceID of A-Z a-z 0-9 . _ -
func ParseDeviceID(s string) (DeviceID, error) {
	if s == "" || len(s) > MaxDeviceID {
		return "", chat.Invalidf("device", "must be 1 to %d bytes long", MaxDeviceID)
	}
	for i := range len(s) {
		upper := 'A' <= s[i] && s[i] <= 'Z'
		if !chat.LowerAlnum(s[i]) && !upper && strings.IndexByte("._-", s[i]) < 0 {
			return "", chat.Invalidf("device", "must contain only A-Z a-z 0-9 . _ -")
		}
	}
	return DeviceID(s), nil
}

// EventDraft is an event that a device reports. At or UUID must be given, because they identify a
// retry.
type EventDraft struct {
	// UUID is the client's id for the event. If it is zero, the id is derived from the time, type
	// and detail.
	UUID uuid.UUID
	// At is the time of the event, to the microsecond; zero is the UUID's time.
	At     time.Time
	Type   string // such as "connection", "delivery", "error"
	Detail string
}

// AppendEvents stores events of one of the caller's devices, each exactly once even if it is
// reported repeatedly. It returns the stored entries in the same order. If the time of an event is
// taken by another event, the entry gets the next free microsecond.
//
// A batch that fails halfway may be retried unchanged. The error is Invalid for an invalid event
// and names it, for example events[0]. It is ClockSkew if an event is more than MaxAhead ahead of
// the server's time. It is Conflict if an id was used for another event or if an instant is full.
// It is RateLimited if the caller sends too many events; each counts as one message.
func (s *Service) AppendEvents(
	ctx context.Context, caller chat.UserID, device DeviceID, events []EventDraft,
) ([]LogEntry, error) {
	if len(events) < 1 || len(events) > MaxEvents {
		return nil, chat.Invalidf("events", "must have 1 to %d elements", MaxEvents)
	}
	now := chat.ServerTime(s.recorder.clock())
	entries := make([]LogEntry, len(events))
	duplicates := map[string]int{}
	for i, e := range events {
		field := fmt.Sprintf("events[%d]", i)
		entry, err := e.entry(field, duplicates)
		if err == nil {
			err = s.checkEventTime(e.timeField(field), entry.At, now)
		}
		if err != nil {
			return nil, err
		}
		entries[i] = entry
	}
	if wait := s.rooms.TakeTokens(ctx, caller, len(events)); wait > 0 {
		return nil, &chat.Error{
			Kind: chat.RateLimited, Limit: "messages", Detail: "you report events too fast; " + chat.RetryHint,
			RetryAfter: wait,
		}
	}
	log := Log{User: caller, Device: device}
	for i, entry := range entries {
		stored, err := s.recorder.append(ctx, log, entry)
		if err != nil {
			return nil, chat.InField(fmt.Sprintf("events[%d]", i), err)
		}
		entries[i] = stored
	}
	return entries, nil
}

// append stores one entry. It expires at the first whole second after its retention.
func (r *Recorder) append(ctx context.Context, log Log, e LogEntry) (LogEntry, error) {
	e.Expires = r.expires(e.At)
	stored, created, err := r.store.AppendLog(ctx, log, e)
	if err != nil || created {
		return stored, err
	}
	if stored.Type != e.Type || stored.Detail != e.Detail {
		return LogEntry{}, chat.Conflictf("this id was used for another event; use a new id")
	}
	return stored, nil
}

// expires returns when an entry of a time is no longer returned.
func (r *Recorder) expires(at time.Time) time.Time {
	return at.Add(r.retention).Truncate(time.Second).Add(time.Second)
}

// timeField returns the path of the field that gives the event its time.
func (e EventDraft) timeField(event string) string {
	if e.At.IsZero() {
		return event + ".id"
	}
	return event + ".at"
}

func (s *Service) checkEventTime(field string, at, now time.Time) error {
	if at.After(now.Add(chat.MaxAhead)) {
		return &chat.Error{
			Kind: chat.ClockSkew, Field: field, ServerTime: now,
			Detail: "the event's time is too far ahead of the server's; correct it with serverTime",
		}
	}
	if !at.After(now.Add(-s.recorder.retention)) {
		return chat.Invalidf(field, "must be within the retention of the log")
	}
	return nil
}

// entry validates an event and returns its entry with an id. duplicates counts identical events of
// the batch. Each of them is a separate event, and a retry of the batch counts them in the same
// way.
func (e EventDraft) entry(field string, duplicates map[string]int) (LogEntry, error) {
	if e.At.IsZero() && e.UUID == (uuid.UUID{}) {
		return LogEntry{}, chat.Invalidf(field+".at", "must be given where there is no id")
	}
	if err := checkEventType(field+".type", e.Type); err != nil {
		return LogEntry{}, err
	}
	if len(e.Detail) > MaxEventDetail || !utf8.ValidString(e.Detail) {
		return LogEntry{}, chat.Invalidf(field+".detail", "must be at most %d bytes of UTF-8", MaxEventDetail)
	}
	at := e.At.UTC().Truncate(LogStep)
	if e.At.IsZero() {
		at = chat.MessageID{UUID: e.UUID}.SentAt()
	}
	id := e.UUID.String()
	if e.UUID == (uuid.UUID{}) {
		content := fmt.Sprintf("%d\n%s\n%s", at.UnixMicro(), e.Type, e.Detail)
		content = fmt.Sprintf("%d\n%s", duplicates[content], content)
		duplicates[content[strings.IndexByte(content, '\n')+1:]]++
		sum := sha256.Sum256([]byte(content))
		id = hex.EncodeToString(sum[:16])
	}
	return LogEntry{ID: id, At: at, Type: e.Type, Detail: e.Detail}, nil
}

func checkEventType(field, s string) error {
	if s == "" || len(s) > MaxEventType {
		return chat.Invalidf(field, "must be 1 to %d bytes long", MaxEventType)
	}
	for i := range len(s) {
		if !chat.LowerAlnum(s[i]) && (i == 0 || strings.IndexByte("._-", s[i]) < 0) {
			return chat.Invalidf(field, "must contain only a-z 0-9 . _ - and begin with a letter or a digit")
		}
	}
	return nil
}

// Events lists the events that one of the caller's devices has reported.
func (s *Service) Events(
	ctx context.Context, caller chat.UserID, device DeviceID, q LogQuery,
) (chat.Page[LogEntry], error) {
	return s.readLog(ctx, Log{User: caller, Device: device}, q)
}
