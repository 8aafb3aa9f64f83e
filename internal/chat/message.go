package chat

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Message is a message of a room in its current state.
type Message struct {
	Room RoomID
	ID   MessageID // who sent it and when
	Text string    // at most MaxText bytes; empty after a deletion, and perhaps with Attachments
	// Metadata is the sender's JSON object; empty if there is none or after a deletion.
	Metadata string
	Mentions Mentions // empty after a deletion
	// ReceivedAt is when the service received the message, to the millisecond, in UTC. It
	// determines the order in the room.
	ReceivedAt time.Time
	// Digest distinguishes a retry from another message with the same id, even after the text is
	// deleted. See package digest.
	Digest []byte
	// Revision starts at 1. Each edit and the deletion increment it.
	Revision int
	// Imported is the last revision that an import wrote; 0 if none did.
	Imported int
	// EditedAt is when the content was last edited; zero if it never was.
	EditedAt time.Time
	// DeletedAt and DeletedBy are set if only the tombstone remains.
	DeletedAt time.Time
	DeletedBy UserID
	// VersionBytes is the number of bytes of text and metadata in all versions; 0 if it was never
	// edited.
	VersionBytes int
	// Thread is the message that m replies to, the root of a thread; zero if m is not a reply.
	Thread MessageID
	// ShowInRoom reports whether a reply is also listed in the room.
	ShowInRoom bool
	// Via is the service that wrote the current text on the sender's behalf, if any.
	Via UserID
	// Quote is the message of the same room that this one quotes; zero if there is none or after a
	// deletion.
	Quote MessageID
	Poll  *Poll // nil if there is none or after a deletion
	// Attachments are the files, in order. After a deletion they have only their ids.
	Attachments []Attachment
	// System makes it a line of the room itself, which nobody wrote; nil for all other messages.
	System *System
	Tally  Tally // without reactions and votes after a deletion
}

// SentAt returns when the sender created the message, to the millisecond, in UTC. It determines the
// order of one user's messages.
func (m Message) SentAt() time.Time { return m.ID.SentAt() }

// PageBytes returns the number of bytes of m that count against MaxPageBytes: texts and metadata as
// encoded in JSON, and an estimate for the other fields.
func (m Message) PageBytes() int {
	const rest = 300 // ids, times and field names of a message in JSON
	n := rest + jsonBytes(m.Text) + len(m.Metadata) + m.Tally.PageBytes() + m.Poll.pageBytes()
	for _, a := range m.Attachments {
		n += a.pageBytes()
	}
	if m.System != nil {
		n += jsonBytes(m.System.Value)
		for _, user := range m.System.People {
			n += len(user) + len(`"",`)
		}
	}
	for _, user := range m.Mentions.Users {
		n += len(user) + len(`"",`)
	}
	return n
}

// jsonBytes returns the number of bytes of a text as encoded in JSON.
func jsonBytes(text string) int {
	n := len(text)
	for i := range len(text) {
		if c := text[i]; c < 0x20 {
			n += 5 // \u0000
		} else if c == '"' || c == '\\' {
			n++
		}
	}
	return n
}

// Deleted reports whether m is deleted, so that only its tombstone remains.
func (m Message) Deleted() bool { return !m.DeletedAt.IsZero() }

// IsReply reports whether m belongs to the thread of another message.
func (m Message) IsReply() bool { return m.Thread != (MessageID{}) }

// InRoom reports whether the room lists m and counts it. Replies are listed only in their thread,
// unless they have ShowInRoom.
func (m Message) InRoom() bool { return !m.IsReply() || m.ShowInRoom }

// Edited returns m after an edit of its text.
func (m Message) Edited(text string, at time.Time) Message {
	return m.edited(MessageEdit{Text: &text}, at)
}

func (m Message) edited(edit MessageEdit, at time.Time) Message {
	if m.VersionBytes == 0 {
		m.VersionBytes = len(m.Text) + len(m.Metadata)
	}
	m = edit.appliedTo(m)
	m.VersionBytes += len(m.Text) + len(m.Metadata)
	m.EditedAt = at
	m.Revision++
	return m
}

// Tombstone returns m after its deletion. It keeps the message's id, times, and digest, which
// still identifies a retry.
func (m Message) Tombstone(by UserID, at time.Time) Message {
	m.Text, m.Metadata, m.VersionBytes, m.Quote, m.Poll, m.Mentions = "", "", 0, MessageID{}, nil, Mentions{}
	m.Tally.Reactions, m.Tally.Votes = nil, VoteCount{}
	if m.System != nil {
		m.System = &System{Event: m.System.Event}
	}
	m.Attachments, _ = attachmentsOf(m.attachmentIDs())
	m.DeletedAt, m.DeletedBy = at, by
	m.Revision++
	return m
}

// Mentions are the people whom a message addresses. They are separate from its text, which
// mentions nobody.
type Mentions struct {
	Users []UserID // in order, each once, at most MaxMentions; nil for none
	Room  bool     // everyone in the room
}

// None reports whether m mentions nobody.
func (m Mentions) None() bool { return len(m.Users) == 0 && !m.Room }

// Equal reports whether m and other mention the same people.
func (m Mentions) Equal(other Mentions) bool {
	return m.Room == other.Room && slices.Equal(m.Users, other.Users)
}

// check returns an Invalid error unless the people are in order, each once, and not too many.
func (m Mentions) check() error {
	if !slices.IsSorted(m.Users) || len(slices.Compact(slices.Clone(m.Users))) != min(len(m.Users), MaxMentions) {
		return Invalidf("mentions", "must be at most %d different people", MaxMentions)
	}
	return nil
}

// fields returns the mentions as fields of a Content.
func (m Mentions) fields() map[string][]string {
	more := map[string][]string{}
	for _, user := range m.Users {
		more["mentions"] = append(more["mentions"], string(user))
	}
	if m.Room {
		more["mentionRoom"] = []string{"true"}
	}
	return more
}

// Tally is what people have done with a message, as counted by the feed function. It may be a few
// seconds old.
type Tally struct {
	Version   int // incremented by each change; 0 if nothing was ever counted
	Reactions []ReactionCount
	Replies   ReplyCount
	Votes     VoteCount
	// Opaque holds stored parts unknown to this version, which writes them back unchanged.
	Opaque string
}

// ReactionCount is how many people reacted to a message with one emoji.
type ReactionCount struct {
	Emoji string // the key of package emoji
	Count int
}

// ReplyCount describes the thread of a message.
type ReplyCount struct {
	Count  int
	Users  []string // the ids of the people who replied last, newest first, at most MaxReplyUsers
	LastAt time.Time
}

const (
	// MaxEmoji is the maximum number of different emoji on a message: more would be hard to read
	// and enlarge the item.
	MaxEmoji = 20
	// MaxReactions is the maximum number of people who may react with one emoji: counting them
	// reads 457 units.
	MaxReactions = 10_000
	// MaxReplyUsers is how many of a thread's repliers its root names: as many faces as fit in one
	// line.
	MaxReplyUsers = 3
	// reactionBytes and replyBytes estimate a reaction and a thread in JSON.
	reactionBytes = 80
	replyBytes    = 300
)

// PageBytes returns the approximate number of bytes of t in JSON.
func (t Tally) PageBytes() int {
	n := len(t.Reactions) * reactionBytes
	if t.Replies.Count > 0 {
		n += replyBytes
	}
	return n
}

// MaxAttachments is the maximum number of files of a message: a screen of pictures.
const MaxAttachments = 20

// Attachment is a file of a message. Its bytes are not in the table; see package attachment.
type Attachment struct {
	ID    uuid.UUID
	Name  string // such as "plan.png"
	Type  string // the media type
	Bytes int64
	// Width and Height are the size of a picture or a video in pixels; 0 if unknown.
	Width, Height int
	Placeholder   []byte // a ThumbHash; empty if there is none
	Alt           string // describes a picture to people who cannot see it
	Preview       bool   // it has a smaller picture
}

// Uploads finds the files that people have uploaded.
type Uploads interface {
	// Attach assigns uploads of the message's sender to it and returns them in order. Assigning
	// them again to the same message changes nothing. The error is Invalid, for "attachments[i]",
	// if one cannot be used, and Conflict if no files are stored.
	Attach(ctx context.Context, room RoomID, to MessageID, uploads []uuid.UUID) ([]Attachment, error)
}

// attached returns m with the attachments that a draft names. On a retry it returns the message
// that was already posted, even if its uploads are gone.
func (s *Service) attached(ctx context.Context, m Message) (Message, bool, error) {
	ids := m.attachmentIDs()
	if len(ids) == 0 {
		return m, false, nil
	}
	if s.uploads == nil {
		return m, false, Conflictf("this deployment stores no files")
	}
	all, err := s.uploads.Attach(ctx, m.Room, m.ID, ids)
	if KindOf(err) == Invalid {
		if stored, readErr := s.store.Message(ctx, m.Room, m.ID); readErr == nil {
			return asReplay(m, stored)
		}
	}
	m.Attachments = all
	return m, false, err
}

// attachmentsOf returns the attachments that a draft names, without their details.
func attachmentsOf(uploads []uuid.UUID) ([]Attachment, error) {
	if len(uploads) > MaxAttachments {
		return nil, Invalidf("attachments", "must be at most %d", MaxAttachments)
	}
	var all []Attachment
	seen := map[uuid.UUID]bool{}
	for i, id := range uploads {
		if seen[id] {
			return nil, Invalidf("attachments["+strconv.Itoa(i)+"]", "must differ from the others")
		}
		seen[id] = true
		all = append(all, Attachment{ID: id})
	}
	return all, nil
}

func (m Message) attachmentIDs() (ids []uuid.UUID) {
	for _, a := range m.Attachments {
		ids = append(ids, a.ID)
	}
	return ids
}

// attachmentBytes estimates an attachment in JSON without its name and its description.
const attachmentBytes = 300

func (a Attachment) pageBytes() int { return attachmentBytes + jsonBytes(a.Name) + jsonBytes(a.Alt) }
