package chat

import (
	"bytes"
	"context"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley/internal/policy"
)

// MessageDraft is a message to be sent.
type MessageDraft struct {
	// UUID is the client's id for it, made once and repeated on every
	// retry. Zero lets the server make one, and then a retry sends twice.
	UUID uuid.UUID
	Text string
}

// content is what a retry must repeat: every field but the id.
func (d MessageDraft) content() Content { return Content{Text: d.Text} }

// PostMessage keeps a message of the caller's in a room, exactly once for each
// UUID. On a retry it returns the message as it stands and replay true.
//
// Invalid for a bad text, NotFound for an unknown or hidden room, Forbidden when the caller's
// role does not let them post, RateLimited when they send too fast, Conflict when the
// UUID was used for another text, ClockSkew when its time is more than MaxAhead ahead of
// the server's, or more than MaxAge behind and there is no such message.
func (s *Service) PostMessage(ctx context.Context, caller UserID, room RoomID, draft MessageDraft) (m Message, replay bool, err error) {
	if err := CheckText(draft.Text); err != nil {
		return Message{}, false, err
	}
	now := s.now()
	m = Message{Room: room, ID: MessageID{UUID: draft.UUID, User: caller}, Text: draft.Text, ReceivedAt: now, Revision: 1}
	if draft.UUID == (uuid.UUID{}) {
		if m.ID.UUID, err = s.newUUID(now); err != nil {
			return Message{}, false, err
		}
	}
	if m.SentAt().After(now.Add(MaxAhead)) {
		return Message{}, false, clockSkew("ahead of", now)
	}
	if wait := s.buckets.take(caller, 1); wait > 0 {
		return Message{}, false, &Error{Kind: RateLimited, Detail: "you send too fast; " + RetryHint, RetryAfter: wait}
	}
	in, err := s.Authorize(ctx, caller, room, policy.Post)
	if err != nil {
		return Message{}, false, err
	}
	m.Digest = ContentDigest(in.Room.DigestKey, draft.content())
	if m.SentAt().Before(now.Add(-MaxAge)) {
		return s.resend(ctx, m, now)
	}
	if in.Room.SlowMode > 0 && in.Role < policy.Moderator {
		if kept, replay, err := s.slowDown(ctx, m, in.Room); replay || err != nil {
			return kept, replay, err
		}
	}
	kept, created, err := s.store.PutMessage(ctx, m)
	if err != nil || created {
		return kept, false, err
	}
	return replayed(m, kept)
}

// slowDown lets m pass in a room in slow mode. A retry of a message that was let
// through is answered here, whatever has been sent since.
func (s *Service) slowDown(ctx context.Context, m Message, room Room) (Message, bool, error) {
	kept, err := s.store.Message(ctx, m.Room, m.ID)
	if err == nil {
		return replayed(m, kept)
	}
	if KindOf(err) != NotFound {
		return Message{}, false, err
	}
	wait, err := s.store.TakeSlot(ctx, Slot{Room: m.Room, ID: m.ID, Now: m.ReceivedAt, Every: room.SlowMode})
	if err == nil && wait > 0 {
		err = &Error{Kind: RateLimited, RetryAfter: wait, Detail: "this room is in slow mode; " + RetryHint}
	}
	return Message{}, false, err
}

// resend answers for a message that is too old to be new.
func (s *Service) resend(ctx context.Context, m Message, now time.Time) (Message, bool, error) {
	kept, err := s.store.Message(ctx, m.Room, m.ID)
	if KindOf(err) == NotFound {
		return Message{}, false, clockSkew("behind", now)
	}
	if err != nil {
		return Message{}, false, err
	}
	return replayed(m, kept)
}

// replayed decides whether m is kept's retry.
func replayed(m, kept Message) (Message, bool, error) {
	if !bytes.Equal(m.Digest, kept.Digest) {
		return Message{}, false, &Error{Kind: Conflict, Field: "id", Detail: "this id was used for another message; use a new id"}
	}
	return kept, true, nil
}

func clockSkew(direction string, now time.Time) error {
	return &Error{Kind: ClockSkew, Field: "id", ServerTime: now,
		Detail: "the id's time is too far " + direction + " the server's; make the id with serverTime"}
}

func CheckText(text string) error {
	if text == "" {
		return Invalidf("text", "must not be empty")
	}
	if len(text) > MaxText {
		return Invalidf("text", "must be at most %d bytes of UTF-8", MaxText)
	}
	if !utf8.ValidString(text) {
		return Invalidf("text", "must be valid UTF-8")
	}
	return nil
}

// Message returns one message, or NotFound.
func (s *Service) Message(ctx context.Context, caller UserID, room RoomID, id MessageID) (Message, error) {
	if _, err := s.Authorize(ctx, caller, room, policy.Read); err != nil {
		return Message{}, err
	}
	return s.store.Message(ctx, room, id)
}
