package model

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// What is promised, in numbers. They are written again here, so that a bound that moves by
// accident is seen.
const (
	mostText    = 32 << 10
	mostEdits   = 90
	mostKept    = 256 << 10
	mostOnPage  = 200
	pageBytes   = 1 << 20
	oldest      = 24 * time.Hour
	ahead       = 2 * time.Second
	lag         = 10 * time.Second
	cacheAge    = 5 * time.Second
	lastNumber  = 1<<53 - 1
	betweenGens = 1_000_000_000
)

// model is everything that was said and done.
type model struct {
	clock func() time.Time
	life  time.Duration // of what was superseded in a feed
	rooms map[chat.RoomID]*room
	// news is what has happened since somebody last took it away, in order.
	news []event
}

// now is the time as messages carry it.
func (m *model) now() time.Time { return m.clock().UTC().Truncate(time.Millisecond) }

// room is one room with everything in it.
type room struct {
	id       chat.RoomID
	private  bool
	maker    chat.UserID
	madeAt   time.Time
	shards   int
	settings settings
	changed  int // how often its settings were

	messages []*message // as they came
	members  map[chat.UserID]*member
	slots    map[chat.UserID]time.Time // of the last message in slow mode
	feed     []*batch
	marks    map[chat.UserID]mark
}

// message is a message with all that was ever its text.
type message struct {
	id        chat.MessageID
	texts     []text // the original and every edit
	received  time.Time
	deleted   time.Time
	deletedBy chat.UserID
}

type text struct {
	body string
	at   time.Time
}

func (m *message) gone() bool { return !m.deleted.IsZero() }

func (m *message) revision() int {
	if m.gone() {
		return len(m.texts) + 1
	}
	return len(m.texts)
}

func (m *message) current() string { return m.texts[len(m.texts)-1].body }

// kept is how many bytes all versions of a message hold, with those of one more text if any.
func (m *message) kept(more ...string) int {
	n := 0
	for _, t := range m.texts {
		n += len(t.body)
	}
	for _, t := range more {
		n += len(t)
	}
	return n
}

// shown is the message as everyone sees it.
func (m *message) shown(in chat.RoomID) chat.Message {
	s := chat.Message{Room: in, ID: m.id, ReceivedAt: m.received, Revision: m.revision(), DeletedAt: m.deleted, DeletedBy: m.deletedBy}
	if len(m.texts) > 1 {
		s.EditedAt = m.texts[len(m.texts)-1].at
	}
	if !m.gone() {
		s.Text = m.current()
		if len(m.texts) > 1 {
			s.VersionBytes = m.kept()
		}
	}
	return s
}

// versions are all texts of the message, newest first.
func (m *message) versions(in chat.RoomID) []chat.MessageVersion {
	var all []chat.MessageVersion
	for i, t := range slices.Backward(m.texts) {
		v := chat.MessageVersion{Room: in, ID: m.id, Number: i + 1, Text: t.body, By: m.id.User, At: t.at}
		if m.gone() {
			v.Text = ""
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

// enter is the room, if somebody may do something there.
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
	return policy.Room{Private: r.private, Posting: r.settings.Posting}
}

func goodText(s string) bool { return s != "" && len(s) <= mostText && utf8.ValidString(s) }

// send returns the message that answers. A new one without an id gets the one that the
// engine has made for it.
func (m *model) send(caller chat.UserID, in chat.RoomID, draft chat.MessageDraft) (sent *message, replay bool, no refusal) {
	now, own := m.now(), draft.UUID == uuid.UUID{}
	id := chat.MessageID{UUID: draft.UUID, User: caller}
	if !goodText(draft.Text) {
		return nil, false, refused(chat.Invalid)
	}
	if !own && id.SentAt().After(now.Add(ahead)) {
		return nil, false, refusal{Kind: chat.ClockSkew, Server: now}
	}
	r, no := m.enter(caller, in, policy.Post)
	if no != (refusal{}) {
		return nil, false, no
	}
	if earlier := r.find(id); earlier != nil {
		if earlier.texts[0].body != draft.Text {
			return nil, false, refused(chat.Conflict)
		}
		return earlier, true, refusal{}
	}
	if !own && id.SentAt().Before(now.Add(-oldest)) {
		return nil, false, refusal{Kind: chat.ClockSkew, Server: now}
	}
	if r.settings.Slow > 0 && r.role(caller) < policy.Moderator {
		if last, ok := r.slots[caller]; ok && now.Before(last.Add(r.settings.Slow)) {
			return nil, false, refusal{Kind: chat.RateLimited, Wait: last.Add(r.settings.Slow).Sub(now)}
		}
		r.slots[caller] = now
	}
	return &message{id: id, texts: []text{{draft.Text, now}}, received: now}, false, refusal{}
}

// keep puts a message that was sent into its room.
func (m *model) keep(in chat.RoomID, sent *message) {
	r := m.rooms[in]
	r.messages = append(r.messages, sent)
	m.happened(r, feed.Change{Type: feed.MessageCreated, Message: sent.id, Revision: 1})
}

// revisable is a message that the caller may do something to.
func (m *model) revisable(caller chat.UserID, of chat.Revision, action policy.MessageAction) (*message, refusal) {
	r, no := m.enter(caller, of.Room, policy.Read)
	if no != (refusal{}) {
		return nil, no
	}
	if policy.DecideMessage(r.role(caller), r.rules(), caller == of.ID.User, action) != policy.Allow {
		return nil, refused(chat.Forbidden)
	}
	if found := r.find(of.ID); found != nil {
		return found, refusal{}
	}
	return nil, refused(chat.NotFound)
}

func (m *model) edit(caller chat.UserID, of chat.Revision, body string) (edited *message, replay bool, no refusal) {
	if !goodText(body) {
		return nil, false, refused(chat.Invalid)
	}
	e, no := m.revisable(caller, of, policy.Edit)
	switch {
	case no != (refusal{}):
		return nil, false, no
	case e.gone():
		return nil, false, refused(chat.Conflict)
	case of.Base >= 1 && of.Base == e.revision()-1 && e.current() == body:
		return e, true, refusal{}
	case of.Base != e.revision():
		return nil, false, refused(chat.Stale)
	case len(e.texts) == 1+mostEdits, e.kept(body) > mostKept:
		return nil, false, refused(chat.Conflict)
	}
	e.texts = append(e.texts, text{body, m.now()})
	m.happened(m.rooms[of.Room], feed.Change{Type: feed.MessageEdited, Message: e.id, Revision: e.revision()})
	return e, false, refusal{}
}

func (m *model) erase(caller chat.UserID, of chat.Revision) (*message, refusal) {
	e, no := m.revisable(caller, of, policy.Delete)
	switch {
	case no != (refusal{}):
		return nil, no
	case of.Base == 0:
		return nil, refused(chat.Stale)
	case e.gone():
		return e, refusal{}
	case of.Base != chat.AnyRevision && of.Base != e.revision():
		return nil, refused(chat.Stale)
	}
	e.deleted, e.deletedBy = m.now(), caller
	m.happened(m.rooms[of.Room], feed.Change{Type: feed.MessageDeleted, Message: e.id, Revision: e.revision()})
	return e, refusal{}
}
