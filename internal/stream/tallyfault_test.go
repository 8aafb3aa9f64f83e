package stream_test

import (
	"context"
	"slices"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
)

// blindStore is a store with a fault: it writes a tally over any other version of it.
type blindStore struct {
	*dynamo.Store
	before func() // is called once, before the next write
}

func (b *blindStore) PutTally(ctx context.Context, room chat.RoomID, id chat.MessageID, after chat.Tally) (bool, error) {
	if then := b.before; then != nil {
		b.before = nil
		then()
	}
	for range 100 {
		m, found, err := b.Counted(ctx, room, id)
		if err != nil || !found {
			return false, err
		}
		after.Version = m.Tally.Version + 1
		if done, err := b.Store.PutTally(ctx, room, id, after); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// racedStore calls before once, before the next write of a tally.
type racedStore struct {
	*dynamo.Store
	before func()
}

func (r *racedStore) PutTally(ctx context.Context, room chat.RoomID, id chat.MessageID, after chat.Tally) (bool, error) {
	if then := r.before; then != nil {
		r.before = nil
		then()
	}
	return r.Store.PutTally(ctx, room, id, after)
}

// addingProjection is a projection with a fault: it adds the rows of a batch to the tally instead of counting
// the rows of the message.
type addingProjection struct{ store *dynamo.Store }

func (d addingProjection) Project(ctx context.Context, w feed.RoomChanges) error {
	for _, row := range w.Rows {
		m, _, err := d.store.Counted(ctx, w.Room, row.Message)
		if err != nil {
			return err
		}
		after := chat.Tally{Version: m.Tally.Version + 1, Reactions: []chat.ReactionCount{{Emoji: row.Emoji, Count: 1}}}
		if len(m.Tally.Reactions) > 0 {
			after.Reactions[0].Count += m.Tally.Reactions[0].Count
		}
		if _, err := d.store.PutTally(ctx, w.Room, row.Message, after); err != nil {
			return err
		}
	}
	return nil
}

// TestProjection_FaultsOfCountsAreNoticed compares the tally with the rows after a race of two counters
// and after a replay. A counter that ignores the version, and one that adds what a batch has, end
// with another count.
func TestProjection_FaultsOfCountsAreNoticed(t *testing.T) {
	t.Parallel()
	exact := func(w *fixture, _ func()) stream.Projection { return tally.NewCounter(w.store) }
	adding := func(w *fixture, _ func()) stream.Projection { return addingProjection{w.store} }
	for name, tt := range map[string]struct {
		projection func(w *fixture, race func()) stream.Projection
		replays    int
		wrong      bool
	}{
		"no fault":                 {projection: exact},
		"no fault, after a replay": {projection: exact, replays: 1},
		"adding, before a replay":  {projection: adding},
		"counted twice on replay":  {projection: adding, replays: 1, wrong: true},
		"a tally without its version": {wrong: true, projection: func(w *fixture, race func()) stream.Projection {
			return tally.NewCounter(&blindStore{Store: w.store, before: race})
		}},
		"a race, with its version": {projection: func(w *fixture, race func()) stream.Projection {
			return tally.NewCounter(&racedStore{Store: w.store, before: race})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.room("seattle", 1)
			m := w.post("seattle", "amsg", 1)
			w.react(m, "bob", "👍")
			work := feed.RoomChanges{Room: "seattle", Rows: []feed.RowChange{{Message: m.ID, User: "bob", Emoji: "👍"}}}
			race := func() { // another process counts one reaction more, meanwhile
				w.react(m, "carol", "👍")
				if _, err := tally.NewCounter(w.store).Count(t.Context(), "seattle", m.ID); err != nil {
					t.Error(err)
				}
			}
			d := tt.projection(w, race)
			for range 1 + tt.replays {
				if err := d.Project(t.Context(), work); err != nil {
					t.Fatal(err)
				}
			}
			rows, err := w.store.ReactionCounts(t.Context(), "seattle", m.ID)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := !slices.Equal(w.tallyOf(m).Reactions, rows); wrong != tt.wrong {
				t.Errorf("the tally is %+v, the rows are %+v", w.tallyOf(m).Reactions, rows)
			}
		})
	}
}
