package model

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/policy"
)

// settings are the settings of a room that its owner may change.
type settings struct {
	Name, Topic  string
	Metadata     string
	Place        []string
	Posting      policy.Posting
	RoomMentions policy.Grant
	Pinning      policy.Grant
	Slow         time.Duration
	Archived     bool
	NoReceipts   bool
	Silent       bool
}

// with returns the settings with the draft applied.
func (s settings) with(draft chat.RoomDraft) settings {
	if draft.Name != nil {
		s.Name = *draft.Name
	}
	if draft.Topic != nil {
		s.Topic = *draft.Topic
	}
	if draft.Place != nil {
		s.Place = *draft.Place
	}
	if draft.Posting != nil {
		s.Posting = *draft.Posting
	}
	if draft.RoomMentions != nil {
		s.RoomMentions = *draft.RoomMentions
	}
	if draft.Pinning != nil {
		s.Pinning = *draft.Pinning
	}
	if draft.SlowMode != nil {
		s.Slow = *draft.SlowMode
	}
	if draft.Archived != nil {
		s.Archived = *draft.Archived
	}
	if draft.Receipts != nil {
		s.NoReceipts = !*draft.Receipts
	}
	if draft.SystemMessages != nil {
		s.Silent = !*draft.SystemMessages
	}
	if draft.Metadata != nil {
		s.Metadata, _ = metadataOf(*draft.Metadata)
	}
	return s
}

// spread is over how many shards a room's messages are spread.
type spread struct {
	shards int
	pinned bool // by an owner
}

// with returns the spread after a change by a draft. A room that is left to its rate keeps the
// number: nobody writes enough here to change it.
func (s spread) with(draft chat.RoomDraft) spread {
	if draft.Shards == nil {
		return s
	}
	if s.pinned = *draft.Shards > 0; s.pinned {
		s.shards = *draft.Shards
	}
	return s
}

// same reports whether two settings are equal.
func same(a, b settings) bool {
	samePlace := slices.Equal(a.Place, b.Place)
	a.Place, b.Place = nil, nil
	return samePlace && reflect.DeepEqual(a, b)
}

// shown returns the room as an owner sees it.
func (r *room) shown() chat.Room {
	s := r.settings
	return chat.Room{
		ID: r.id, Name: s.Name, Topic: s.Topic, Metadata: s.Metadata, CreatedBy: r.createdBy, CreatedAt: r.createdAt, Shards: r.spread.shards, ShardsPinned: r.spread.pinned, Place: s.Place,
		Private: r.private, Direct: r.direct, Posting: s.Posting, Pinning: s.Pinning, RoomMentions: s.RoomMentions, SlowMode: s.Slow, Archived: s.Archived, NoReceipts: s.NoReceipts, Silent: s.Silent, Revision: r.revision,
	}
}

// shownTo returns the room as a caller sees it. Only owners see how its messages are spread.
func (r *room) shownTo(caller chat.UserID) chat.Room {
	shown := r.shown()
	if r.role(caller) != policy.Owner {
		shown.Shards, shown.ShardsPinned = 0, false
	}
	return shown
}

// draft returns a draft that changes a few settings. Most drafts keep the room open, so that people
// can post. Few rooms are archived, and not for long.
func (w *world) draft() chat.RoomDraft {
	d := chat.RoomDraft{SystemMessages: new(false)} // which the model does not have
	if w.percent(40) {
		d.Metadata = new(oneOf(w, `{}`, `{ "a" : 1.50 }`, `{"b":[null]}`))
	}
	if w.percent(40) {
		d.Topic = new(fmt.Sprintf("topic %d", w.rand.IntN(3)))
	}
	if w.percent(20) {
		d.Name = new(fmt.Sprintf("name %d", w.rand.IntN(3)))
	}
	if w.percent(50) {
		d.Posting = new(oneOf(w, policy.Everyone, policy.Everyone, policy.Members, policy.Moderators))
	}
	if w.percent(30) {
		d.Pinning = new(oneOf(w, policy.GrantModerators, policy.GrantMembers))
	}
	if w.percent(50) {
		d.RoomMentions = new(oneOf(w, policy.GrantModerators, policy.GrantMembers))
	}
	if w.percent(50) {
		d.SlowMode = new(time.Duration(oneOf(w, 0, 0, 1, 5, 60)) * time.Second)
	}
	if w.percent(20) {
		d.Place = new(oneOf(w, nil, []string{"USA"}, []string{"USA", "WA"}))
	}
	if w.percent(60) {
		d.Archived = new(w.percent(15))
	}
	if w.percent(20) {
		d.Receipts = new(w.percent(50))
	}
	return d
}

// draftText formats a draft without its pointers.
func draftText(d chat.RoomDraft) string {
	s := settings{}.with(d)
	text := fmt.Sprintf("%+v", s)
	if d.Shards != nil {
		text += fmt.Sprintf(", %d shards", *d.Shards)
	}
	if d.If != nil {
		text += fmt.Sprintf(", if %+v", *d.If)
	}
	return text
}

// precondition returns what some changes of a room require: its revision, a former one, or that it
// exists or does not. Most have no precondition, so that rooms change.
func (w *world) precondition(id chat.RoomID) *chat.Precondition {
	p := &chat.Precondition{}
	if r := w.model.rooms[id]; r != nil {
		p.Revision = max(0, r.revision-oneOf(w, 0, 0, 1))
	}
	if w.percent(70) {
		return nil
	}
	p.Any = w.percent(20)
	p.Absent = !p.Any && w.percent(20)
	return p
}

// fails reports whether the room is not in a state that a precondition accepts.
func (r *room) fails(p *chat.Precondition) bool {
	return p != nil && !p.Any && p.Revision != r.revision
}

// TestDraft_SetsEverySetting fails for a setting that the model leaves out.
func TestDraft_SetsEverySetting(t *testing.T) {
	t.Parallel()
	w := &world{rand: rand.New(rand.NewPCG(1, 2))}
	set := map[string]bool{"Shards": true, "If": true} // spread and precondition cover them
	for range 1000 {
		for field, value := range reflect.ValueOf(w.draft()).Fields() {
			set[field.Name] = set[field.Name] || !value.IsNil()
		}
	}
	for field := range reflect.TypeFor[chat.RoomDraft]().Fields() {
		if !set[field.Name] {
			t.Errorf("no draft sets %s: add it to draft, settings, with and shown", field.Name)
		}
	}
}

// prefer sets what a person prefers about a room. Lists of the person's rooms show it.
func (w *world) prefer() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
	p := inbox.Preferences{Favorite: w.percent(50), Level: notify.Choice{Level: oneOf(w, notify.Unset, notify.All, notify.Direct, notify.Mentions, notify.None)}}
	w.note("%s prefers about %s: %+v", caller, in, p)
	r, denied := w.model.enter(caller, in, policy.Read)
	switch {
	case denied != (refusal{}):
	case !r.isMember(caller):
		denied = refused(chat.NotFound)
	default:
		r.prefers[caller] = p
		if _, ok := r.marks[caller]; !ok {
			r.marks[caller] = mark{} // which contains them
		}
	}
	err := w.service(in).Inbox.SetPreferences(w.ctx, caller, caller, in, p)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// forgottenPreferences is a fault of calls: a mark resets preferences.
func forgottenPreferences(input any) any {
	if in, forward := markerUpdate(input); forward {
		*in.UpdateExpression += " REMOVE favorite, #level, levelUntil"
		in.ExpressionAttributeNames["#level"] = "level"
	}
	return nil
}
