package chat

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.com/parley/internal/digest"
	"example.com/parley/internal/policy"
)

// MessageDraft is a message to be posted.
type MessageDraft struct {
	// UUID is the client's id for the message. The client creates it once and repeats it in
	// every retry. If it is zero the server creates one, and a retry posts the message twice.
	UUID uuid.UUID
	Text string
	// Metadata is a JSON object; empty if there is none. See ParseMetadata.
	Metadata string
	Mentions Mentions // the people in order, each once
	// Thread is the message to reply to; zero if there is none. ShowInRoom also lists the reply in
	// the room.
	Thread     MessageID
	ShowInRoom bool
	// Quote is a message of the same room; zero if there is none.
	Quote MessageID
	Poll  *Poll // nil if there is none
	// Attachments are uploads of the sender in this room, in order.
	Attachments []uuid.UUID
}

// Content returns everything that a retry must repeat, which is everything except the id.
func (m Message) Content() digest.Content {
	c := digest.Content{Text: m.Text, More: m.Mentions.fields()}
	if m.Metadata != "" {
		c.More["metadata"] = []string{m.Metadata}
	}
	if m.IsReply() {
		c.More["thread"] = []string{m.Thread.String()}
	}
	if m.ShowInRoom {
		c.More["showInRoom"] = []string{"true"}
	}
	if m.Quote != (MessageID{}) {
		c.More["quote"] = []string{m.Quote.String()}
	}
	for _, a := range m.Attachments {
		c.More["attachments"] = append(c.More["attachments"], a.ID.String())
	}
	if m.Poll != nil {
		maps.Copy(c.More, m.Poll.contents())
	}
	return c
}

// PostMessage posts a message of the caller in a room, exactly once for each UUID. On a retry it
// returns the message in its current state, and replay is true.
//
// The error is Invalid for an invalid text, metadata or poll, for a Quote that is unknown, for
// Attachments that the caller has not uploaded, and for a Thread that is unknown or itself a reply.
// It is Conflict if the root of the thread is deleted. It is NotFound for an unknown or hidden
// room, and Forbidden if the caller's role does not allow posting, or mentioning the room. It is
// RateLimited if the caller posts too fast, and Conflict if the UUID was used with different
// content. It is ClockSkew if the UUID's time is more than MaxAhead ahead of the server. The same
// applies to a time more than MaxAge ago, unless the message exists.
func (s *Service) PostMessage(
	ctx context.Context, caller UserID, room RoomID, draft MessageDraft,
) (m Message, replay bool, err error) {
	now := s.now()
	m, err = s.draftedMessage(ctx, MemberOf{Room: room, User: caller}, draft, now)
	if err != nil {
		return Message{}, false, err
	}
	if wait := s.TakeTokens(ctx, caller, 1); wait > 0 {
		return Message{}, false,
			&Error{Kind: RateLimited, Limit: "messages", Detail: "you send too fast; " + RetryHint, RetryAfter: wait}
	}
	in, err := s.AuthorizeRecent(ctx, caller, room, policy.Post)
	if err != nil {
		return Message{}, false, err
	}
	if m.Mentions.Room && policy.Decide(in.Role, in.Room.Policy(), policy.MentionRoom) != policy.Allow {
		if err := s.authorizeMention(ctx, m); err != nil {
			return Message{}, false, err
		}
	}
	m.Digest = digest.Sum(in.Room.DigestKey, m.Content())
	if m.SentAt().Before(now.Add(-MaxAge)) {
		return s.replayOld(ctx, m, now)
	}
	if stored, replay, err := s.checkRoot(ctx, m); replay || err != nil {
		return stored, replay, err
	}
	if err := s.checkQuote(ctx, m); err != nil {
		return Message{}, false, err
	}
	m, replay, err = s.attached(ctx, m)
	if replay || err != nil {
		return m, replay, err
	}
	if in.InSlowMode() {
		if stored, replay, err := s.admit(ctx, m, in); replay || err != nil {
			return stored, replay, err
		}
	}
	stored, created, err := s.store.PutMessage(ctx, m)
	if err != nil || created {
		return stored, false, err
	}
	return asReplay(m, stored)
}

// draftedMessage returns the message of a valid draft, before anything is read.
func (s *Service) draftedMessage(ctx context.Context, by MemberOf, draft MessageDraft, now time.Time) (Message, error) {
	if err := cmp.Or(draft.checkText(), draft.Mentions.check()); err != nil {
		return Message{}, err
	}
	attachments, err := attachmentsOf(draft.Attachments)
	if err != nil {
		return Message{}, err
	}
	metadata, err := ParseMetadata(draft.Metadata)
	if err != nil {
		return Message{}, err
	}
	thread, err := draft.threadOf()
	if err != nil {
		return Message{}, err
	}
	m := Message{
		Room: by.Room, ID: MessageID{UUID: draft.UUID, User: by.User}, Text: draft.Text, Metadata: metadata,
		ReceivedAt: now, Revision: 1,
		Mentions: draft.Mentions, Thread: thread, ShowInRoom: draft.ShowInRoom, Via: Via(ctx, by.User),
		Quote: draft.Quote, Poll: draft.Poll, Attachments: attachments,
	}
	if draft.UUID == (uuid.UUID{}) {
		if m.ID.UUID, err = s.newUUID(now); err != nil {
			return Message{}, err
		}
	}
	if m.SentAt().After(now.Add(MaxAhead)) {
		return Message{}, ClockSkewed("ahead of", now)
	}
	if err := m.Poll.check(m.ID.UUID); err != nil {
		return Message{}, err
	}
	return m, nil
}

// checkQuote returns an Invalid error if m quotes a message that the room does not have, or a
// system message. It may be a tombstone, so that a concurrent deletion loses no message.
func (s *Service) checkQuote(ctx context.Context, m Message) error {
	if m.Quote == (MessageID{}) {
		return nil
	}
	quoted, err := s.store.Message(ctx, m.Room, m.Quote)
	if err == nil && quoted.System != nil {
		return Invalidf("quote", "must not be the id of a system message")
	}
	if KindOf(err) == NotFound {
		return Invalidf("quote", "must be the id of a message in the same room")
	}
	return err
}

// authorizeMention returns Forbidden unless the sender of m may mention the room.
func (s *Service) authorizeMention(ctx context.Context, m Message) error {
	_, err := s.Authorize(ctx, m.ID.User, m.Room, policy.MentionRoom)
	if KindOf(err) == Forbidden {
		return &Error{
			Kind: Forbidden, Detail: "you may not mention everyone in this room: send the message without mentionRoom",
		}
	}
	return err
}

// admit returns an error if slow mode does not allow the message now. For a retry it returns the
// message that was already posted, regardless of later messages.
func (s *Service) admit(ctx context.Context, m Message, in Access) (Message, bool, error) {
	stored, err := s.store.Message(ctx, m.Room, m.ID)
	if err == nil {
		return asReplay(m, stored)
	}
	if KindOf(err) != NotFound {
		return Message{}, false, err
	}
	return Message{}, false, s.slowMode.Admit(ctx, in, m.ID.User, m.ID.UUID.String())
}

// replayOld handles a request whose message is too old to be posted.
func (s *Service) replayOld(ctx context.Context, m Message, now time.Time) (Message, bool, error) {
	stored, err := s.store.Message(ctx, m.Room, m.ID)
	if KindOf(err) == NotFound {
		return Message{}, false, ClockSkewed("behind", now)
	}
	if err != nil {
		return Message{}, false, err
	}
	return asReplay(m, stored)
}

// asReplay returns the stored message if m is a retry of it, and Conflict otherwise.
func asReplay(m, stored Message) (Message, bool, error) {
	if !bytes.Equal(m.Digest, stored.Digest) {
		return Message{}, false,
			&Error{Kind: Conflict, Field: "id", Detail: "this id was used for another message; use a new id"}
	}
	return stored, true, nil
}

// ClockSkewed returns the error for an id whose time is too far ahead of the server's, or behind
// it.
func ClockSkewed(direction string, now time.Time) error {
	return &Error{Kind: ClockSkew, Field: "id", ServerTime: now,
		Detail: "the id's time is too far " + direction + " the server's; create the id with serverTime"}
}

// checkText returns an Invalid error unless the text is valid. Files need no text, but a poll does:
// it is the question.
func (d MessageDraft) checkText() error {
	if d.Text == "" && len(d.Attachments) > 0 && d.Poll == nil {
		return nil
	}
	return CheckText(d.Text)
}

// CheckText returns an Invalid error unless text can be the text of a message or a part, which
// shows something.
func CheckText(text string) error {
	if len(text) > MaxText {
		return Invalidf("text", "must be at most %d bytes of UTF-8", MaxText)
	}
	if !utf8.ValidString(text) {
		return Invalidf("text", "must be valid UTF-8")
	}
	return CheckShows("text", text)
}

// Message returns the current state of a message. The error is NotFound if the message does not
// exist, and otherwise as for Authorize.
func (s *Service) Message(ctx context.Context, caller UserID, room RoomID, id MessageID) (Message, error) {
	if _, err := s.Authorize(ctx, caller, room, policy.Read); err != nil {
		return Message{}, err
	}
	return s.store.Message(ctx, room, id)
}

// threadOf returns the root of a draft's thread. The error is Invalid if ShowInRoom is set without
// a thread.
func (d MessageDraft) threadOf() (MessageID, error) {
	if d.ShowInRoom && d.Thread == (MessageID{}) {
		return MessageID{}, Invalidf("showInRoom", "must come with thread")
	}
	return d.Thread, nil
}

// checkRoot checks that a reply may join its thread. For a reply that was posted before the root
// was deleted, it returns the stored message and replay is true. Messages that are not replies
// always pass.
//
// The error is Invalid if the root does not exist, is a system message or is a reply itself, and
// Conflict if it is deleted.
func (s *Service) checkRoot(ctx context.Context, m Message) (stored Message, replay bool, err error) {
	if !m.IsReply() {
		return Message{}, false, nil
	}
	root, err := s.store.Message(ctx, m.Room, m.Thread)
	switch {
	case KindOf(err) == NotFound:
		return Message{}, false, Invalidf("thread", "must be the id of a message of this room")
	case err != nil:
		return Message{}, false, err
	case root.System != nil:
		return Message{}, false, Invalidf("thread", "must not be a system message, which has no thread")
	case root.IsReply():
		return Message{}, false, Invalidf("thread", "must not be a reply; the root of its thread is %s", root.Thread)
	case !root.Deleted():
		return Message{}, false, nil
	}
	if stored, err = s.store.Message(ctx, m.Room, m.ID); err == nil {
		return asReplay(m, stored)
	}
	if KindOf(err) == NotFound {
		err = &Error{Kind: Conflict, Field: "thread", Detail: "the message is deleted and takes no more replies"}
	}
	return Message{}, false, err
}
