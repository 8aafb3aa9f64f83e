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

	"parley/internal/chat"
)

// Service keeps the activity logs of people's devices and shows the audits of rooms. It is safe
// for concurrent use.
type Service struct {
	recorder *Recorder
	rooms    Rooms
}

// Rooms is the chat that an Service belongs to.
type Rooms interface {
	chat.Authorizer
	// TakeTokens takes tokens from the caller's budget, which messages and events share. It returns how
	// long to wait when the budget is used up.
	TakeTokens(caller chat.UserID, tokens int) (wait time.Duration)
}

// NewService returns a service that writes with a recorder.
func NewService(recorder *Recorder, rooms Rooms) *Service {
	return &Service{recorder: recorder, rooms: rooms}
}

// DeviceID names one of a person's devices, in the person's own words.
type DeviceID string

// ParseDeviceID checks a device id: 1 to MaxDeviceID of A-Z a-z 0-9 . _ -
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

// EventDraft is something that a device has seen. At or UUID must be given: by
// them a retry is known.
type EventDraft struct {
	// UUID is the client's id for the event. Without one the id is made from
	// time, type and detail.
	UUID uuid.UUID
	// At is when it happened, to the microsecond; zero is the UUID's time.
	At     time.Time
	Type   string // such as "connection", "delivery", "error"
	Detail string
}

// AppendEvents keeps events of one of the caller's devices, each once, however often
// it is reported, and returns them as they are kept, in the same order. An
// event whose instant is taken by another goes to the next free microsecond.
//
// A batch that fails half way may be sent again as it was. Invalid names the
// event as events[0]; ClockSkew when it is more than MaxAhead ahead of the
// server's time; Conflict when its id was used for another, or when its
// instant is full. RateLimited when the caller sends too fast: each event counts as a message does.
func (s *Service) AppendEvents(ctx context.Context, caller chat.UserID, device DeviceID, events []EventDraft) ([]LogEntry, error) {
	if len(events) < 1 || len(events) > MaxEvents {
		return nil, chat.Invalidf("events", "must have 1 to %d elements", MaxEvents)
	}
	now := chat.ServerTime(s.recorder.clock())
	entries := make([]LogEntry, len(events))
	alike := map[string]int{}
	for i, e := range events {
		field := fmt.Sprintf("events[%d]", i)
		entry, err := e.entry(field, alike)
		if err == nil {
			err = s.checkEventTime(field, entry.At, now)
		}
		if err != nil {
			return nil, err
		}
		entries[i] = entry
	}
	if wait := s.rooms.TakeTokens(caller, len(events)); wait > 0 {
		return nil, &chat.Error{Kind: chat.RateLimited, Detail: "you report events too fast; " + chat.RetryHint, RetryAfter: wait}
	}
	log := Log{User: caller, Device: device}
	for i, entry := range entries {
		kept, err := s.recorder.append(ctx, log, entry)
		if err != nil {
			return nil, chat.InField(fmt.Sprintf("events[%d]", i), err)
		}
		entries[i] = kept
	}
	return entries, nil
}

// append keeps one entry, with its end: whole seconds, the first after its life.
func (r *Recorder) append(ctx context.Context, log Log, e LogEntry) (LogEntry, error) {
	e.Expires = e.At.Add(r.retention).Truncate(time.Second).Add(time.Second)
	kept, created, err := r.store.AppendLog(ctx, log, e)
	if err != nil || created {
		return kept, err
	}
	if kept.Type != e.Type || kept.Detail != e.Detail {
		return LogEntry{}, &chat.Error{Kind: chat.Conflict, Detail: "this id was used for another event; use a new id"}
	}
	return kept, nil
}

func (s *Service) checkEventTime(field string, at, now time.Time) error {
	if at.After(now.Add(chat.MaxAhead)) {
		return &chat.Error{Kind: chat.ClockSkew, Field: field + ".at", ServerTime: now, Detail: "the event's time is too far ahead of the server's; correct it by serverTime"}
	}
	if !at.After(now.Add(-s.recorder.retention)) {
		return chat.Invalidf(field+".at", "must be within the time that the log is kept")
	}
	return nil
}

// entry checks an event and gives it its id. alike counts the events of the
// batch that nothing tells apart: each is one, and a retry of the batch counts
// them alike.
func (e EventDraft) entry(field string, alike map[string]int) (LogEntry, error) {
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
		content = fmt.Sprintf("%d\n%s", alike[content], content)
		alike[content[strings.IndexByte(content, '\n')+1:]]++
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

// Events lists what one of the caller's devices has reported.
func (s *Service) Events(ctx context.Context, caller chat.UserID, device DeviceID, q LogQuery) (chat.Page[LogEntry], error) {
	return s.readLog(ctx, Log{User: caller, Device: device}, q)
}
