package model

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// reactionRow is one person's reaction to a message with one emoji.
type reactionRow struct {
	user  chat.UserID
	emoji string
}

// someEmoji are emoji as clients give them, each with its key. Those without a key are refused.
var someEmoji = map[string]string{
	"👍": "👍", "❤": "❤", "❤\uFE0F": "❤", "#\uFE0F\u20E3": "#\u20E3", "👍🏽": "👍🏽", "👩‍💻": "👩‍💻",
	"a": "", ":party:": "", "": "",
}

// randomEmoji returns an emoji, usually a valid one.
func (w *world) randomEmoji() (text, key string) {
	text = oneOf(w, "👍", "👍", "❤", "❤\uFE0F", "#\uFE0F\u20E3", "👍🏽", "👩‍💻")
	if w.percent(3) {
		text = oneOf(w, "a", ":party:", "")
	}
	return text, someEmoji[text]
}

// reactTo returns the room of a message if the caller may react there, and the message.
func (m *model) reactTo(caller chat.UserID, in chat.RoomID, id chat.MessageID, key string) (*room, *message, refusal) {
	if key == "" {
		return nil, nil, refused(chat.Invalid)
	}
	r, denied := m.enter(caller, in, policy.React)
	if denied != (refusal{}) {
		return nil, nil, denied
	}
	found := r.find(id)
	if found == nil {
		return nil, nil, refused(chat.NotFound)
	}
	return r, found, refusal{}
}

// react reacts to a message, or repeats it.
func (w *world) react() error {
	in, id, _ := w.randomTarget()
	caller := w.randomUser(in, policy.React)
	text, key := w.randomEmoji()
	w.note("%s reacts to %s in %s with %q", caller, id, in, text)
	r, m, denied := w.model.reactTo(caller, in, id, key)
	row := reactionRow{caller, key}
	switch {
	case denied != (refusal{}):
	case m.isDeleted():
		denied = refused(chat.Conflict)
	case !slices.Contains(m.reactions, row):
		m.reactions = append(m.reactions, row)
		w.model.emitRow(r, id)
	}
	_, err := w.service(in).Reactions.React(w.ctx, caller, in, id, text)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// unreact takes a reaction back, which usually exists.
func (w *world) unreact() error {
	in, id, m := w.randomTarget()
	caller := w.randomUser(in, policy.React)
	text, key := w.randomEmoji()
	if m != nil && len(m.reactions) > 0 && w.percent(80) {
		row := oneOf(w, m.reactions...)
		caller, text, key = row.user, row.emoji, row.emoji
	}
	w.note("%s takes %q to %s in %s back", caller, text, id, in)
	r, m, denied := w.model.reactTo(caller, in, id, key)
	if denied == (refusal{}) {
		if i := slices.Index(m.reactions, reactionRow{caller, key}); i >= 0 {
			m.reactions = slices.Delete(m.reactions, i, i+1)
			w.model.emitRow(r, id)
		}
	}
	_, err := w.service(in).Reactions.Unreact(w.ctx, caller, in, id, text)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// reactors lists who reacted to a message with an emoji.
func (w *world) reactors() error {
	in, id, m := w.randomTarget()
	caller := w.randomUser(in, policy.Read)
	text, key := w.randomEmoji()
	w.note("%s lists who reacted to %s in %s with %q", caller, id, in, text)
	denied := refused(chat.Invalid)
	if key != "" {
		if _, denied = w.model.enter(caller, in, policy.Read); denied == (refusal{}) && m == nil {
			denied = refused(chat.NotFound)
		}
	}
	var want []chat.UserID
	if m != nil && !m.isDeleted() {
		for _, row := range m.reactions {
			if row.emoji == key {
				want = append(want, row.user)
			}
		}
		slices.Sort(want)
	}
	service := w.service(in).Reactions
	got, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[chat.UserID], error) {
		return service.Reactors(w.ctx, caller, reaction.Query{Room: in, ID: id, Emoji: text, Page: p})
	})
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// ownReactions reads the newest messages of a room, and which of their reactions are the caller's.
func (w *world) ownReactions() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
	w.note("%s reads their own reactions in %s", caller, in)
	r, denied := w.model.enter(caller, in, policy.Read)
	service := w.service(in)
	page, err := service.Messages(w.ctx, caller, chat.MessageQuery{Room: in, Limit: 1 + w.rand.IntN(50)})
	if err != nil || denied != (refusal{}) {
		return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
	}
	own, err := service.Reactions.OwnReactions(w.ctx, caller, page.Items, w.percent(50))
	want, got := map[chat.MessageID][]string{}, map[chat.MessageID][]string{}
	for _, shown := range page.Items {
		for _, c := range shown.Tally.Reactions {
			if slices.Contains(r.find(shown.ID).reactions, reactionRow{caller, c.Emoji}) {
				want[shown.ID] = append(want[shown.ID], c.Emoji)
			}
			if own.Has(shown.ID, c.Emoji) {
				got[shown.ID] = append(got[shown.ID], c.Emoji)
			}
		}
	}
	return w.agree(answer{Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// emitRow adds a row of a message to the stream. It enters no feed.
func (m *model) emitRow(r *room, of chat.MessageID) {
	m.events = append(m.events, event{room: r, change: feed.Change{Message: of}, row: true})
}

// lateTallies is a store in which a write of a tally arrives once more after the next one, as from
// a process that was slow. The version of the tally refuses it. blind is the fault: the write does
// not compare the version.
type lateTallies struct {
	store
	blind bool
	mu    *sync.Mutex // messages are counted concurrently
	last  map[chat.MessageID]chat.Tally
}

func newLateTallies(s store, blind bool) *lateTallies {
	return &lateTallies{store: s, blind: blind, mu: &sync.Mutex{}, last: map[chat.MessageID]chat.Tally{}}
}

func (b *lateTallies) PutTally(ctx context.Context, room chat.RoomID, id chat.MessageID, after chat.Tally) (bool, error) {
	done, err := b.store.PutTally(ctx, room, id, after)
	if err != nil || !done {
		return done, err
	}
	b.mu.Lock()
	late, ok := b.last[id]
	b.last[id] = after
	b.mu.Unlock()
	if !ok {
		return true, nil
	}
	if b.blind {
		late.Version = after.Version + 1
	}
	_, err = b.store.PutTally(ctx, room, id, late)
	return true, err
}

// addedReactions is a store whose projection adds the rows of a batch to the tally instead of
// counting the rows of the message. A batch that is delivered twice counts twice.
type addedReactions struct{ store }

func (b addedReactions) projections(all []stream.Projection) []stream.Projection {
	for i, d := range all {
		if counter, ok := d.(*tally.Counter); ok {
			all[i] = addingProjection{counter, b.store}
		}
	}
	return all
}

type addingProjection struct {
	counter *tally.Counter
	store   store
}

func (d addingProjection) Project(ctx context.Context, w feed.RoomChanges) error {
	if err := d.counter.Project(ctx, feed.RoomChanges{Room: w.Room, Entries: w.Entries}); err != nil {
		return err
	}
	rows := map[chat.MessageID][]feed.RowChange{}
	for _, row := range w.Rows {
		rows[row.Message] = append(rows[row.Message], row)
	}
	for id, added := range rows {
		m, found, err := d.store.Counted(ctx, w.Room, id)
		if err != nil {
			return err
		}
		if !found || m.Deleted {
			continue
		}
		after := m.Tally
		after.Version++
		if after.Reactions = withRows(m.Tally.Reactions, added); slices.Equal(after.Reactions, m.Tally.Reactions) {
			continue
		}
		if _, err := d.store.PutTally(ctx, w.Room, id, after); err != nil {
			return err
		}
	}
	return nil
}

// withRows returns counts to which rows are added.
func withRows(current []chat.ReactionCount, rows []feed.RowChange) []chat.ReactionCount {
	all := slices.Clone(current)
	for _, row := range rows {
		i := slices.IndexFunc(all, func(c chat.ReactionCount) bool { return c.Emoji == row.Emoji })
		if i < 0 {
			i, all = len(all), append(all, chat.ReactionCount{Emoji: row.Emoji})
		}
		if all[i].Count++; row.Removed {
			all[i].Count -= 2
		}
	}
	all = slices.DeleteFunc(all, func(c chat.ReactionCount) bool { return c.Count <= 0 })
	known := 0
	for known < len(all) && known < len(current) && slices.ContainsFunc(current, func(c chat.ReactionCount) bool { return c.Emoji == all[known].Emoji }) {
		known++
	}
	slices.SortFunc(all[known:], func(a, b chat.ReactionCount) int { return strings.Compare(a.Emoji, b.Emoji) })
	return all
}

// TestModel_LateTalliesAreRefused shows that it is the version of a tally which refuses a late
// write: with it, the store of a seeded bug agrees with the model.
func TestModel_LateTalliesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nightly.Seed(t), func(s store) store { return newLateTallies(s, false) })
	if err := w.run(race.Rounds(steps)); err != nil {
		t.Error(err)
	}
}
