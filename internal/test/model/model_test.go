package model

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/report"
	"example.com/parley/internal/saved"
)

// The limits that the service promises. The model repeats them, so that an accidental change of a
// limit fails the test.
const (
	maxText         = 32 << 10
	maxEdits        = 90
	maxVersionBytes = 256 << 10
	maxPage         = 200
	pageBytes       = 1 << 20
	maxSendDelay    = 24 * time.Hour
	maxClockAhead   = 2 * time.Second
	indexLag        = 10 * time.Second
	cacheAge        = 5 * time.Second
	maxRestriction  = 366 * 24 * time.Hour
	maxSeq          = 1<<53 - 1
	generationGap   = 1_000_000_000
)

// model is the expected state of all rooms.
type model struct {
	clock     func() time.Time
	retention time.Duration // of superseded segments of a feed
	rooms     map[chat.RoomID]*room
	deleted   map[chat.RoomID]*room // their ids are never free again
	invites   []*invitation
	reports   []*report.Report // of deleted rooms too
	saved     map[chat.UserID][]saved.Entry
	blocks    blockList
	uploads   []*upload
	// events are the changes since the last call of readStream, in order.
	events []event
}

// now returns the current time in the precision of messages.
func (m *model) now() time.Time { return m.clock().UTC().Truncate(time.Millisecond) }

// room is a room with its complete state.
type room struct {
	id        chat.RoomID
	private   bool
	direct    []chat.UserID // of a direct room, in order
	createdBy chat.UserID
	createdAt time.Time
	spread    spread
	settings  settings
	revision  int // the number of changes of its settings
	now       func() time.Time

	messages []*message // in order of receipt
	members  map[chat.UserID]*member
	slots    map[chat.UserID]time.Time // of the last message or edit in slow mode
	feed     []*batch
	marks    map[chat.UserID]mark
	threads  map[threadOf]*threadRow
	receipts map[chat.UserID]inbox.Receipt
	prefers  map[chat.UserID]inbox.Preferences
	board    pinBoard
	blocks   blockList // of the model
}

// message is a message with all its texts.
type message struct {
	id         chat.MessageID
	texts      []text // the original and every edit
	receivedAt time.Time
	deletedAt  time.Time
	deletedBy  chat.UserID
	quote      chat.MessageID
	files      []*upload
	thread     chat.MessageID
	showInRoom bool
	reactions  []reactionRow
	// referenced and unlisted say whether the feed function knows that a reply was created and
	// deleted.
	referenced, unlisted bool
	tally                chat.Tally // as stored, with the reactions of a deleted message
	ledger               ledger
}

// text is a text of a message with its metadata and mentions.
type text struct {
	body, metadata string
	mentions       mentions
	at             time.Time
}

func (m *message) isDeleted() bool { return !m.deletedAt.IsZero() }

func (m *message) revision() int {
	if m.isDeleted() {
		return len(m.texts) + 1
	}
	return len(m.texts)
}

func (m *message) current() text { return m.texts[len(m.texts)-1] }

// versionBytes returns the size of all versions of a message and of the texts in more.
func (m *message) versionBytes(more ...text) int {
	n := 0
	for _, t := range slices.Concat(m.texts, more) {
		n += len(t.body) + len(t.metadata)
	}
	return n
}

// shown returns the message as clients see it.
func (m *message) shown(in chat.RoomID) chat.Message {
	s := chat.Message{
		Room: in, ID: m.id, ReceivedAt: m.receivedAt, Revision: m.revision(), DeletedAt: m.deletedAt, DeletedBy: m.deletedBy,
		Thread: m.thread, ShowInRoom: m.showInRoom, Tally: m.tally,
	}
	for _, u := range m.files {
		a := u.shown()
		if m.isDeleted() {
			a = chat.Attachment{ID: a.ID}
		}
		s.Attachments = append(s.Attachments, a)
	}
	if m.isDeleted() {
		s.Tally.Reactions = nil
	}
	if len(m.texts) > 1 {
		s.EditedAt = m.texts[len(m.texts)-1].at
	}
	if !m.isDeleted() {
		s.Text, s.Metadata, s.Quote = m.current().body, m.current().metadata, m.quote
		s.Mentions = m.current().mentions.shown()
		if len(m.texts) > 1 {
			s.VersionBytes = m.versionBytes()
		}
	}
	return s
}

// versions returns all versions of the message, newest first.
func (m *message) versions(in chat.RoomID) []chat.Version {
	var all []chat.Version
	for i, t := range slices.Backward(m.texts) {
		v := chat.Version{Room: in, ID: m.id, Number: i + 1, Text: t.body, Metadata: t.metadata, By: m.id.User, At: t.at}
		if m.isDeleted() {
			v.Text, v.Metadata = "", ""
		}
		all = append(all, v)
	}
	return all
}

func (r *room) find(id chat.MessageID) *message {
	for _, m := range r.messages {
		if m.id == id {
			return m
		}
	}
	return nil
}

// enter returns the room if the caller may perform the action there.
func (m *model) enter(caller chat.UserID, id chat.RoomID, action policy.Action) (*room, refusal) {
	r := m.rooms[id]
	if r == nil {
		return nil, refused(chat.NotFound)
	}
	switch policy.Decide(r.role(caller), r.rules(), action) {
	case policy.Allow:
		return r, refusal{}
	case policy.Hide:
		return nil, refused(chat.NotFound)
	}
	return nil, refused(chat.Forbidden)
}

func (r *room) rules() policy.Room {
	return policy.Room{Private: r.private, Posting: r.settings.Posting, Pinning: r.settings.Pinning, RoomMentions: r.settings.RoomMentions, Direct: r.direct != nil, Archived: r.settings.Archived}
}

func goodText(s string) bool { return s != "" && len(s) <= maxText && utf8.ValidString(s) }

// postMessage returns the stored or new message. A new message without an id gets the one that the
// engine created.
func (m *model) postMessage(caller chat.UserID, in chat.RoomID, draft chat.MessageDraft) (sent *message, replay bool, denied refusal) {
	now, own := m.now(), draft.UUID == uuid.UUID{}
	id := chat.MessageID{UUID: draft.UUID, User: caller}
	metadata, ok := metadataOf(draft.Metadata)
	mentions, valid := mentionsOf(draft.Mentions.Users, draft.Mentions.Room)
	if !ok || !valid || !goodText(draft.Text) && (draft.Text != "" || len(draft.Attachments) == 0) || draft.ShowInRoom && draft.Thread == (chat.MessageID{}) {
		return nil, false, refused(chat.Invalid)
	}
	if !own && id.SentAt().After(now.Add(maxClockAhead)) {
		return nil, false, refusal{Kind: chat.ClockSkew, Server: now}
	}
	r, denied := m.enter(caller, in, policy.Post)
	if denied != (refusal{}) {
		return nil, false, denied
	}
	if mentions.room {
		if _, denied := m.enter(caller, in, policy.MentionRoom); denied != (refusal{}) {
			return nil, false, denied
		}
	}
	earlier, late := r.find(id), !own && id.SentAt().Before(now.Add(-maxSendDelay))
	switch {
	case late && earlier == nil:
		return nil, false, refusal{Kind: chat.ClockSkew, Server: now}
	case !late: // what a draft names must exist, also in a retry
		if denied := r.mayReply(draft, earlier != nil); denied != (refusal{}) {
			return nil, false, denied
		}
		if draft.Quote != (chat.MessageID{}) && r.find(draft.Quote) == nil {
			return nil, false, refused(chat.Invalid)
		}
	}
	var files []*upload
	if !late && len(draft.Attachments) > 0 {
		if files, denied = m.attach(r, id, draft.Attachments); denied != (refusal{}) && earlier == nil {
			return nil, false, denied
		}
	}
	if earlier != nil {
		if !earlier.hasFiles(draft.Attachments) || earlier.texts[0].mentions != mentions || earlier.texts[0].body != draft.Text || earlier.texts[0].metadata != metadata || earlier.quote != draft.Quote || earlier.thread != draft.Thread || earlier.showInRoom != draft.ShowInRoom {
			return nil, false, refused(chat.Conflict)
		}
		return earlier, true, refusal{}
	}
	if denied := r.slowMode(caller, now); denied != (refusal{}) {
		return nil, false, denied
	}
	return &message{id: id, texts: []text{{draft.Text, metadata, mentions, now}}, receivedAt: now, quote: draft.Quote, files: files, thread: draft.Thread, showInRoom: draft.ShowInRoom}, false, refusal{}
}

// slowMode refuses a message or an edit that follows the last one of the caller too soon. Retries of
// those that are stored have been answered before.
func (r *room) slowMode(caller chat.UserID, now time.Time) refusal {
	if r.settings.Slow == 0 || r.role(caller) >= policy.Moderator {
		return refusal{}
	}
	if last, ok := r.slots[caller]; ok && now.Before(last.Add(r.settings.Slow)) {
		return refusal{Kind: chat.RateLimited, Wait: last.Add(r.settings.Slow).Sub(now)}
	}
	r.slots[caller] = now
	return refusal{}
}

// addMessage adds a new message to its room.
func (m *model) addMessage(in chat.RoomID, sent *message) {
	r := m.rooms[in]
	r.messages = append(r.messages, sent)
	m.emit(r, sent.created())
}

// revisable returns the message if the caller may perform the action on it.
func (m *model) revisable(caller chat.UserID, of chat.Revision, action policy.MessageAction) (*message, refusal) {
	r, denied := m.enter(caller, of.Room, policy.Read)
	if denied != (refusal{}) {
		return nil, denied
	}
	if policy.DecideMessage(r.role(caller), r.rules(), caller == of.ID.User, action) != policy.Allow {
		return nil, refused(chat.Forbidden)
	}
	if found := r.find(of.ID); found != nil {
		return found, refusal{}
	}
	return nil, refused(chat.NotFound)
}

func (m *model) edit(caller chat.UserID, of chat.Revision, edit chat.MessageEdit) (edited *message, replay bool, denied refusal) {
	if _, ok := (text{}).applied(edit); !ok {
		return nil, false, refused(chat.Invalid)
	}
	e, denied := m.revisable(caller, of, policy.Edit)
	if denied != (refusal{}) {
		return nil, false, denied
	}
	before := e.current()
	after, _ := before.applied(edit)
	switch {
	case e.isDeleted():
		return nil, false, refused(chat.Conflict)
	case (of.Base == chat.AnyRevision || of.Base >= 1 && of.Base == e.revision()-1) && before == after:
		return e, true, refusal{}
	case of.Base != chat.AnyRevision && of.Base != e.revision():
		return nil, false, refused(chat.Stale)
	case len(e.texts) < 1+maxEdits && after.body == "" && len(e.files) == 0:
		return nil, false, refused(chat.Invalid)
	case len(e.texts) == 1+maxEdits, e.versionBytes(after) > maxVersionBytes:
		return nil, false, refused(chat.Conflict)
	}
	if after.mentions.room && !before.mentions.room {
		if _, denied := m.enter(caller, of.Room, policy.MentionRoom); denied != (refusal{}) {
			return nil, false, denied
		}
	}
	if denied := m.rooms[of.Room].slowMode(caller, m.now()); denied != (refusal{}) {
		return nil, false, denied
	}
	after.at = m.now()
	e.texts = append(e.texts, after)
	m.emit(m.rooms[of.Room], feed.Change{Type: feed.MessageEdited, Message: e.id, Revision: e.revision()})
	return e, false, refusal{}
}

func (m *model) deleteMessage(caller chat.UserID, of chat.Revision) (*message, refusal) {
	e, denied := m.revisable(caller, of, policy.Delete)
	switch {
	case denied != (refusal{}):
		return nil, denied
	case of.Base == 0:
		return nil, refused(chat.Stale)
	case e.isDeleted():
		return e, refusal{}
	case of.Base != chat.AnyRevision && of.Base != e.revision():
		return nil, refused(chat.Stale)
	}
	e.deletedAt, e.deletedBy = m.now(), caller
	m.emit(m.rooms[of.Room], feed.Change{Type: feed.MessageDeleted, Message: e.id, Revision: e.revision()})
	return e, refusal{}
}
