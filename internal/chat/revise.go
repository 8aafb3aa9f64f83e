package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"example.com/parley/internal/policy"
)

// AnyRevision as the base of a change stands for whichever revision is current.
const AnyRevision = -1

// Revision identifies a message and the revision on which a change is based.
type Revision struct {
	Room RoomID
	ID   MessageID
	// Base is the newest revision that the caller knows, or AnyRevision. 0 stands for no revision
	// and is always stale.
	Base int
}

// isEdited reports whether m already has the content of an edit based on this revision. The edit
// is then a retry, or it changes nothing.
func (of Revision) isEdited(m Message, edit MessageEdit) bool {
	next := of.Base == AnyRevision || of.Base > 0 && m.Revision == of.Base+1
	return next && !m.Deleted() && edit.leaves(m)
}

// EditMessage changes the content of one of the caller's messages and stores the previous content
// as a version. On a retry of an edit, it returns the current message with replay true, as long
// as nothing has changed since. With the base AnyRevision the last edit wins: it replaces any
// content. If the message already has the new content, nothing is written and replay is true.
//
// The error is Invalid for invalid content, and NotFound for an unknown message or an unknown or
// hidden room. It is Forbidden for another person's message, if the caller may not post, or if
// the edit mentions the room and the caller may not. It is RateLimited if the caller edits too
// fast, or violates slow mode. It is Stale if the revision has changed. It is Conflict if the
// message is deleted, if the edit would exceed MaxEdits or MaxVersionBytes, or if it changes the
// text of a poll in which somebody has voted, by a count that may be a second old.
func (s *Service) EditMessage(
	ctx context.Context, caller UserID, of Revision, edit MessageEdit,
) (m Message, replay bool, err error) {
	if edit, err = edit.parse(); err != nil {
		return Message{}, false, err
	}
	if wait := s.TakeTokens(ctx, caller, 1); wait > 0 {
		return Message{}, false,
			&Error{Kind: RateLimited, Limit: "messages", Detail: "you edit too fast; " + RetryHint, RetryAfter: wait}
	}
	in, before, err := s.revisable(ctx, caller, of, policy.Edit)
	if err != nil {
		return Message{}, false, err
	}
	for range MaxChangeTries {
		if of.isEdited(before, edit) {
			return before, true, nil
		}
		after := before.edited(edit, s.now())
		if err := editable(before, after, of); err != nil {
			return Message{}, false, err
		}
		if after.Mentions.Room && !before.Mentions.Room {
			if err := s.authorizeMention(ctx, after); err != nil {
				return Message{}, false, err
			}
		}
		if err := s.slowMode.Admit(ctx, in, caller, of.ID.UUID.String()+"@"+strconv.Itoa(after.Revision)); err != nil {
			return Message{}, false, err
		}
		after.Via = Via(ctx, caller)
		current, revised, err := s.store.ReviseMessage(ctx, before, after)
		if err != nil || revised {
			return current, false, err
		}
		before = current // certainly not this edit, unless it has the same content
	}
	return Message{}, false, TooBusy()
}

// editable returns an error if m is deleted, has another revision, has had too many edits to
// become after, or is a poll whose question stays.
func editable(m, after Message, of Revision) error {
	switch {
	case m.Deleted():
		return Conflictf("the message is deleted and cannot be edited")
	case of.Base != AnyRevision && m.Revision != of.Base:
		return staleMessage(m)
	case m.Revision > MaxEdits:
		return Conflictf("the message was edited %d times and takes no more edits", MaxEdits)
	case after.Text == "" && (len(after.Attachments) == 0 || after.Poll != nil):
		return Invalidf("text", "must not be empty")
	case after.Text != m.Text && m.Poll != nil && m.Tally.Votes.Voters > 0:
		return Conflictf("people have voted, so the poll's question stays; delete the message and post another poll")
	case after.VersionBytes > MaxVersionBytes:
		return Conflictf("the versions of a message may hold at most %d bytes together", MaxVersionBytes)
	}
	return nil
}

// DeleteMessage removes the content from a message and from all its versions, and returns the
// tombstone. It leaves a message that is already deleted unchanged.
//
// The error is NotFound for an unknown message or an unknown or hidden room. It is Forbidden for
// another person's message unless the caller is a moderator, and Stale if the revision has
// changed.
func (s *Service) DeleteMessage(ctx context.Context, caller UserID, of Revision) (Message, error) {
	for range MaxChangeTries {
		_, before, err := s.revisable(ctx, caller, of, policy.Delete)
		if err != nil {
			return Message{}, err
		}
		if of.Base == 0 {
			return Message{}, staleMessage(before)
		}
		if before.Deleted() {
			if caller == before.DeletedBy {
				s.messageDeleted(ctx, before)
			}
			return before, nil
		}
		if of.Base != AnyRevision && of.Base != before.Revision {
			return Message{}, staleMessage(before)
		}
		current, revised, err := s.store.ReviseMessage(ctx, before, before.Tombstone(caller, s.now()))
		if err != nil {
			return Message{}, err
		}
		if revised {
			s.messageDeleted(ctx, current)
			return current, nil
		}
	}
	return Message{}, TooBusy()
}

// messageDeleted adds a deletion to the room's audit log, unless the sender deleted their own
// message. It must be called after every deletion and every retry, because the first attempt may
// have failed before the audit.
func (s *Service) messageDeleted(ctx context.Context, m Message) {
	if m.DeletedBy != m.ID.User {
		s.audit.Audit(ctx, m.Room, AuditEvent{
			By: m.DeletedBy, At: m.DeletedAt, Action: "message.deleted", On: m.ID.User, Detail: m.ID.String(),
		})
	}
}

// revisable returns a message on which the caller may perform an action. Nobody wrote a system
// message, so nobody has the rights of its sender.
func (s *Service) revisable(
	ctx context.Context, caller UserID, of Revision, action policy.MessageAction,
) (a Access, m Message, err error) {
	if a, err = s.Authorize(ctx, caller, of.Room, policy.Read); err != nil {
		return Access{}, Message{}, err
	}
	switch policy.DecideMessage(a.Role, a.Room.Policy(), of.ID.User == caller, action) {
	case policy.Allow:
	case policy.DenyArchived:
		return Access{}, Message{}, RoomArchived()
	default:
		return Access{}, Message{}, NotAllowed()
	}
	m, err = s.store.Message(ctx, of.Room, of.ID)
	if err == nil && m.System != nil && policy.DecideMessage(a.Role, a.Room.Policy(), false, action) != policy.Allow {
		err = NotAllowed()
	}
	return a, m, err
}

func staleMessage(m Message) error {
	return &Error{Kind: Stale, Field: "If-Match",
		Detail: "the message is at revision " + strconv.Itoa(m.Revision) + ": read it and send its ETag in If-Match"}
}

// ParseMetadata checks the metadata that a client attaches to a message, a room or a profile: one
// JSON object. It returns the metadata without white space around its tokens. The order of keys,
// the digits of numbers and the escapes of strings do not change. The empty text means no
// metadata. Edges refuse duplicate keys, as in the rest of a request.
func ParseMetadata(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, []byte(given))
	if err != nil || compact.Bytes()[0] != '{' || !utf8.ValidString(given) {
		return "", Invalidf("metadata", "must be a JSON object")
	}
	if compact.Len() > MaxMetadata {
		return "", Invalidf("metadata", "must be at most %d bytes of JSON", MaxMetadata)
	}
	return compact.String(), nil
}

// MessageEdit is a change of a message's content. A nil field keeps the current value.
type MessageEdit struct {
	Text     *string
	Metadata *string // a JSON object
	// Mentions replaces the people whom the message mentions, in order, each once.
	Mentions    *[]UserID
	MentionRoom *bool
}

// parse checks e and returns it with the metadata as stored.
func (e MessageEdit) parse() (MessageEdit, error) {
	if e == (MessageEdit{}) {
		return e, Invalidf("text", "must be given, or metadata or mentions")
	}
	if e.Mentions != nil {
		if err := (Mentions{Users: *e.Mentions}).check(); err != nil {
			return e, err
		}
	}
	if e.Text != nil && *e.Text != "" { // a message with files needs no text
		if err := CheckText(*e.Text); err != nil {
			return e, err
		}
	}
	if e.Metadata == nil {
		return e, nil
	}
	stored, err := ParseMetadata(*e.Metadata)
	if err == nil && stored == "" {
		err = Invalidf("metadata", "must be a JSON object")
	}
	e.Metadata = &stored
	return e, err
}

// appliedTo returns m after the edit. It changes only the text, the metadata and the mentions.
func (e MessageEdit) appliedTo(m Message) Message {
	if e.Text != nil {
		m.Text = *e.Text
	}
	if e.Metadata != nil {
		m.Metadata = *e.Metadata
	}
	if e.Mentions != nil {
		m.Mentions.Users = *e.Mentions
	}
	if e.MentionRoom != nil {
		m.Mentions.Room = *e.MentionRoom
	}
	return m
}

// leaves reports whether the edit would leave m unchanged.
func (e MessageEdit) leaves(m Message) bool {
	after := e.appliedTo(m)
	return after.Text == m.Text && after.Metadata == m.Metadata && after.Mentions.Equal(m.Mentions)
}
