package model

import (
	"fmt"

	"github.com/google/uuid"

	"parley/internal/chat"
	"parley/internal/policy"
)

// sending is what a client sends, and may send again.
type sending struct {
	caller chat.UserID
	room   chat.RoomID
	draft  chat.MessageDraft
}

func (w *world) send() error {
	room := w.somewhere()
	caller := w.someone(room, policy.Post)
	for { // some have more to say
		if err := w.post(sending{caller, room, chat.MessageDraft{UUID: w.uuid(), Text: w.body()}}); err != nil || w.percent(75) {
			return err
		}
	}
}

// resend sends again what was sent before, mostly lately, and sometimes not quite the same.
func (w *world) resend() error {
	if len(w.sent) == 0 {
		return w.send()
	}
	s := w.sent[w.rand.IntN(len(w.sent))]
	if w.percent(50) {
		s = w.sent[len(w.sent)-1-w.rand.IntN(min(len(w.sent), 10))]
	}
	switch n := w.rand.IntN(100); {
	case n < 15:
		s.draft.Text = w.body()
	case n < 25: // the id belongs to its sender
		s.caller = w.someone(s.room, policy.Post)
	case n < 30: // and to its room
		s.room = w.somewhere()
	}
	return w.post(s)
}

func (w *world) post(s sending) error {
	w.note("%s sends %q to %s as %s", s.caller, s.draft.Text, s.room, s.draft.UUID)
	want, again, no := w.model.send(s.caller, s.room, s.draft)
	got, replay, err := w.service(s.room).PostMessage(w.ctx, s.caller, s.room, s.draft)
	if no != (refusal{}) || err != nil {
		return w.agree(answer{Refusal: no}, answer{Refusal: refusalOf(err)})
	}
	if s.draft.UUID == (uuid.UUID{}) {
		if got.ID.User != s.caller || !got.SentAt().Equal(w.model.now()) || w.model.rooms[s.room].find(got.ID) != nil {
			return fmt.Errorf("the engine made the id %s", got.ID)
		}
		want.id, s.draft.UUID = got.ID, got.ID.UUID
	}
	if !again {
		w.model.keep(s.room, want)
	}
	w.sent = append(w.sent, s)
	got.Digest = nil
	return w.agree(answer{Given: want.shown(s.room), Flag: again}, answer{Given: got, Flag: replay})
}

// target is a message that somebody means, mostly one that is there, and its author.
func (w *world) target() (in chat.RoomID, id chat.MessageID, m *message) {
	in = w.somewhere()
	if m = w.message(in); m != nil && !w.percent(3) {
		return in, m.id, m
	}
	return in, chat.MessageID{UUID: chat.NewUUID(w.model.now(), [10]byte{1}), User: oneOf(w, people...)}, nil
}

// base is the revision that somebody believes to be the newest.
func (w *world) base(m *message) int {
	switch {
	case m == nil:
		return 1
	case w.percent(70):
		return m.revision()
	}
	return oneOf(w, m.revision()-1, m.revision()+1, 1, 0, chat.AnyRevision)
}

func (w *world) edit() error {
	in, id, m := w.target()
	caller := id.User
	if w.percent(15) {
		caller = oneOf(w, people...)
	}
	of := chat.Revision{Room: in, ID: id, Base: w.base(m)}
	body := w.body()
	switch n := w.rand.IntN(100); {
	case m == nil:
	case n < 20: // the retry of the last edit
		body, of.Base = m.current(), m.revision()-1
	case n < 25:
		body = m.current()
	}
	return w.revise(caller, of, body)
}

func (w *world) revise(caller chat.UserID, of chat.Revision, body string) error {
	w.note("%s edits %s of %s, %d, to %q", caller, of.ID, of.Room, of.Base, body)
	want, again, no := w.model.edit(caller, of, body)
	got, replay, err := w.service(of.Room).EditMessage(w.ctx, caller, of, body)
	got.Digest = nil
	return w.agree(answer{no, shownIf(want, of.Room), again}, answer{refusalOf(err), got, replay})
}

// shownIf is the message as seen, where there is one.
func shownIf(m *message, in chat.RoomID) chat.Message {
	if m == nil {
		return chat.Message{}
	}
	return m.shown(in)
}

// editOften edits one message many times, up to how often that may be. It is always the one that
// was edited most already.
func (w *world) editOften() error {
	in, _, _ := w.target()
	r := w.model.rooms[in]
	if r == nil {
		return nil
	}
	var most *message
	for _, m := range r.messages {
		if !m.gone() && (most == nil || len(m.texts) > len(most.texts)) {
			most = m
		}
	}
	if most == nil {
		return nil
	}
	body := w.body
	if w.percent(30) {
		body = func() string { return fmt.Sprintf("%0*d", mostText, w.rand.IntN(1000)) }
	}
	for range 5 + w.rand.IntN(10) {
		if err := w.revise(most.id.User, chat.Revision{Room: in, ID: most.id, Base: most.revision()}, body()); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) erase() error {
	in, id, m := w.target()
	caller := id.User
	if w.percent(40) {
		caller = w.someone(in, policy.Administer)
	}
	of := chat.Revision{Room: in, ID: id, Base: w.base(m)}
	if w.percent(20) {
		of.Base = chat.AnyRevision
	}
	w.note("%s deletes %s of %s, %d", caller, id, in, of.Base)
	want, no := w.model.erase(caller, of)
	got, err := w.service(in).DeleteMessage(w.ctx, caller, of)
	got.Digest = nil
	return w.agree(answer{Refusal: no, Given: shownIf(want, in)}, answer{Refusal: refusalOf(err), Given: got})
}

func (w *world) get() error {
	in, id, m := w.target()
	caller := w.someone(in, policy.Read)
	w.note("%s gets %s of %s", caller, id, in)
	_, no := w.model.enter(caller, in, policy.Read)
	if no == (refusal{}) && m == nil {
		no = refused(chat.NotFound)
	}
	got, err := w.service(in).Message(w.ctx, caller, in, id)
	got.Digest = nil
	return w.agree(answer{Refusal: no, Given: shownIf(m, in)}, answer{Refusal: refusalOf(err), Given: got})
}

// versions pages through the texts of a message.
func (w *world) versions() error {
	in, id, m := w.target()
	return w.versionsOf(w.someone(in, policy.Read), in, id, m)
}

func (w *world) versionsOf(caller chat.UserID, in chat.RoomID, id chat.MessageID, m *message) error {
	limit := 1 + w.rand.IntN(6)
	w.note("%s reads the versions of %s of %s by %d", caller, id, in, limit)
	_, no := w.model.enter(caller, in, policy.Read)
	if no == (refusal{}) && m == nil {
		no = refused(chat.NotFound)
	}
	var want, got []chat.MessageVersion
	if m != nil {
		want = m.versions(in)
	}
	service, cursor := w.service(in), ""
	for {
		page, err := service.MessageVersions(w.ctx, caller, chat.VersionQuery{Room: in, ID: id, Page: chat.PageRequest{Limit: limit, Cursor: cursor}})
		if err != nil {
			return w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err)})
		}
		got = append(got, page.Items...)
		if cursor = page.Next; cursor == "" || len(page.Items) == 0 || len(page.Items) > limit {
			return w.agree(answer{Refusal: no, Given: want}, answer{Given: got})
		}
	}
}
