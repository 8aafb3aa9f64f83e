package model

import (
	"fmt"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// postRequest is a message that a client posts and may retry.
type postRequest struct {
	caller chat.UserID
	room   chat.RoomID
	draft  chat.MessageDraft
}

func (w *world) postNew() error {
	room := w.randomRoom()
	caller := w.randomUser(room, policy.Post)
	for { // some users post several messages
		draft := chat.MessageDraft{UUID: w.randomUUID(), Text: w.randomText(), Metadata: w.randomMetadata(), Quote: w.randomQuote(room)}
		draft.Thread, draft.ShowInRoom = w.randomThread(room)
		draft.Mentions.Users, draft.Mentions.Room = w.randomMentions()
		if draft.UUID != (uuid.UUID{}) {
			draft.Attachments = w.randomFiles(room, caller)
		}
		if len(draft.Attachments) > 0 && w.percent(50) {
			draft.Text = ""
		}
		if err := w.post(postRequest{caller, room, draft}); err != nil || w.percent(75) {
			return err
		}
	}
}

// retryPost repeats an earlier request, usually a recent one, and sometimes changes it.
func (w *world) retryPost() error {
	if len(w.posted) == 0 {
		return w.postNew()
	}
	s := w.posted[w.rand.IntN(len(w.posted))]
	if w.percent(50) {
		s = w.posted[len(w.posted)-1-w.rand.IntN(min(len(w.posted), 10))]
	}
	switch n := w.rand.IntN(100); {
	case n < 15:
		s.draft.Text = w.randomText()
	case n < 20:
		s.draft.Metadata = w.randomMetadata()
	case n < 23:
		s.draft.Quote = w.randomQuote(s.room)
	case n < 25:
		s.draft.Thread, s.draft.ShowInRoom = w.randomThread(s.room)
	case n < 26:
		s.draft.Mentions.Users, s.draft.Mentions.Room = w.randomMentions()
	case n < 27 && s.draft.UUID != (uuid.UUID{}):
		s.draft.Attachments = w.randomFiles(s.room, s.caller)
	case n < 28: // the id belongs to its author
		s.caller = w.randomUser(s.room, policy.Post)
	case n < 33: // the id belongs to its room
		s.room = w.randomRoom()
	}
	return w.post(s)
}

func (w *world) post(s postRequest) error {
	w.note("%s posts %q with %s to %s as %s, quoting %s, in thread %s, %v, mentioning %v, with files %v", s.caller, s.draft.Text, s.draft.Metadata, s.room, s.draft.UUID, s.draft.Quote, s.draft.Thread, s.draft.ShowInRoom, s.draft.Mentions, s.draft.Attachments)
	want, wantReplay, denied := w.model.postMessage(s.caller, s.room, s.draft)
	got, replay, err := w.service(s.room).PostMessage(w.ctx, s.caller, s.room, s.draft)
	if denied != (refusal{}) || err != nil {
		return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
	}
	if s.draft.UUID == (uuid.UUID{}) {
		if got.ID.User != s.caller || !got.SentAt().Equal(w.model.now()) || w.model.rooms[s.room].find(got.ID) != nil {
			return fmt.Errorf("the engine created the id %s", got.ID)
		}
		want.id, s.draft.UUID = got.ID, got.ID.UUID
	}
	if !wantReplay {
		w.model.addMessage(s.room, want)
	}
	w.posted = append(w.posted, s)
	got.Digest = nil
	return w.agree(answer{Given: want.shown(s.room), Flag: wantReplay}, answer{Given: got, Flag: replay})
}

// randomTarget returns a room and the id of a message, which usually exists. The message is nil if
// it does not.
func (w *world) randomTarget() (in chat.RoomID, id chat.MessageID, m *message) {
	in = w.randomRoom()
	if m = w.randomMessage(in); m != nil && !w.percent(3) {
		return in, m.id, m
	}
	return in, chat.MessageID{UUID: chat.NewUUID(w.model.now(), [10]byte{1}), User: oneOf(w, people...)}, nil
}

// randomBase returns the base revision of a request, usually the newest.
func (w *world) randomBase(m *message) int {
	switch {
	case m == nil:
		return 1
	case w.percent(70):
		return m.revision()
	}
	return oneOf(w, m.revision()-1, m.revision()+1, 1, 0, chat.AnyRevision)
}

func (w *world) edit() error {
	in, id, m := w.randomTarget()
	caller := id.User
	if w.percent(15) {
		caller = oneOf(w, people...)
	}
	of := chat.Revision{Room: in, ID: id, Base: w.randomBase(m)}
	edit := w.randomEdit(w.randomText())
	if m != nil && w.percent(5) {
		edit.Text = new("")
	}
	switch n := w.rand.IntN(100); {
	case m == nil:
	case n < 20: // a retry of the last edit
		edit, of.Base = m.asEdit(), m.revision()-1
	case n < 25:
		edit = m.asEdit()
	case n < 40: // the last edit wins
		of.Base = chat.AnyRevision
	}
	if m != nil && of.Base == chat.AnyRevision && w.percent(30) {
		edit = m.asEdit()
	}
	return w.revise(caller, of, edit)
}

// asEdit returns the edit that changes nothing.
func (m *message) asEdit() chat.MessageEdit {
	e := chat.MessageEdit{Text: new(m.current().body)}
	if metadata := m.current().metadata; metadata != "" {
		e.Metadata = &metadata
	}
	return e
}

func (w *world) revise(caller chat.UserID, of chat.Revision, edit chat.MessageEdit) error {
	w.note("%s edits %s of %s, %d, to %q", caller, of.ID, of.Room, of.Base, editText(edit))
	want, wantReplay, denied := w.model.edit(caller, of, edit)
	got, replay, err := w.service(of.Room).EditMessage(w.ctx, caller, of, edit)
	got.Digest = nil
	return w.agree(answer{denied, shownOrZero(want, of.Room), wantReplay}, answer{refusalOf(err), got, replay})
}

// shownOrZero returns the message as clients see it, or the zero message for nil.
func shownOrZero(m *message, in chat.RoomID) chat.Message {
	if m == nil {
		return chat.Message{}
	}
	return m.shown(in)
}

// editOften edits one message many times, up to the limit of edits. It always chooses the message
// with the most edits.
func (w *world) editOften() error {
	in, _, _ := w.randomTarget()
	r := w.model.rooms[in]
	if r == nil {
		return nil
	}
	var most *message
	for _, m := range r.messages {
		if !m.isDeleted() && (most == nil || len(m.texts) > len(most.texts)) {
			most = m
		}
	}
	if most == nil {
		return nil
	}
	body := w.randomText
	if w.percent(30) {
		body = func() string { return fmt.Sprintf("%0*d", maxText, w.rand.IntN(1000)) }
	}
	for range 5 + w.rand.IntN(10) {
		if err := w.revise(most.id.User, chat.Revision{Room: in, ID: most.id, Base: most.revision()}, w.randomEdit(body())); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) deleteMessage() error {
	in, id, m := w.randomTarget()
	caller := id.User
	if w.percent(40) {
		caller = w.randomUser(in, policy.Administer)
	}
	of := chat.Revision{Room: in, ID: id, Base: w.randomBase(m)}
	if w.percent(20) {
		of.Base = chat.AnyRevision
	}
	w.note("%s deletes %s of %s, %d", caller, id, in, of.Base)
	want, denied := w.model.deleteMessage(caller, of)
	got, err := w.service(in).DeleteMessage(w.ctx, caller, of)
	got.Digest = nil
	return w.agree(answer{Refusal: denied, Given: shownOrZero(want, in)}, answer{Refusal: refusalOf(err), Given: got})
}

func (w *world) get() error {
	in, id, m := w.randomTarget()
	caller := w.randomUser(in, policy.Read)
	w.note("%s gets %s of %s", caller, id, in)
	_, denied := w.model.enter(caller, in, policy.Read)
	if denied == (refusal{}) && m == nil {
		denied = refused(chat.NotFound)
	}
	got, err := w.service(in).Message(w.ctx, caller, in, id)
	got.Digest = nil
	return w.agree(answer{Refusal: denied, Given: shownOrZero(m, in)}, answer{Refusal: refusalOf(err), Given: got})
}

// versions reads all versions of a message page by page.
func (w *world) versions() error {
	in, id, m := w.randomTarget()
	return w.versionsOf(w.randomUser(in, policy.Read), in, id, m)
}

func (w *world) versionsOf(caller chat.UserID, in chat.RoomID, id chat.MessageID, m *message) error {
	limit := 1 + w.rand.IntN(6)
	w.note("%s reads the versions of %s of %s by %d", caller, id, in, limit)
	_, denied := w.model.enter(caller, in, policy.Read)
	if denied == (refusal{}) && m == nil {
		denied = refused(chat.NotFound)
	}
	var want, got []chat.Version
	if m != nil {
		want = m.versions(in)
	}
	service, cursor := w.service(in), ""
	for {
		page, err := service.MessageVersions(w.ctx, caller, chat.VersionQuery{Room: in, ID: id, Page: chat.PageRequest{Limit: limit, Cursor: cursor}})
		if err != nil {
			return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err)})
		}
		got = append(got, page.Items...)
		if cursor = page.Next; cursor == "" || len(page.Items) == 0 || len(page.Items) > limit {
			return w.agree(answer{Refusal: denied, Given: want}, answer{Given: got})
		}
	}
}
