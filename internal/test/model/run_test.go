package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

const (
	// runs is the number of runs without a fault, each with its own seed.
	runs = 3
	// steps and nightlySteps are the operations of a run.
	steps, nightlySteps = 1000, 10_000
)

// operation is a random operation and its relative frequency.
type operation struct {
	name   string
	weight int
	do     func(*world) error
}

func operations() []operation {
	return []operation{
		{"post", 20, (*world).postNew},
		{"retry post", 8, (*world).retryPost},
		{"edit", 12, (*world).edit},
		{"edit often", 1, (*world).editOften},
		{"delete", 5, (*world).deleteMessage},
		{"get", 3, (*world).get},
		{"versions", 4, (*world).versions},
		{"quotes", 4, (*world).quotes},
		{"react", 14, (*world).react},
		{"unreact", 5, (*world).unreact},
		{"reactors", 3, (*world).reactors},
		{"own reactions", 4, (*world).ownReactions},
		{"save", 6, (*world).save},
		{"unsave", 2, (*world).unsave},
		{"saved", 5, (*world).savedMessages},
		{"mentioned", 5, (*world).mentioned},
		{"block", 2, (*world).block},
		{"suspend", 2, (*world).suspend},
		{"upload", 14, (*world).upload},
		{"links", 6, (*world).links},
		{"files", 3, (*world).files},
		{"pin", 5, (*world).pin},
		{"unpin", 2, (*world).unpin},
		{"set member", 14, (*world).setMember},
		{"restrict", 5, (*world).restrict},
		{"remove member", 4, (*world).removeMember},
		{"hand over", 2, (*world).handOver},
		{"create invite", 3, (*world).createInvite},
		{"use invite", 5, (*world).useInvite},
		{"revoke invite", 1, (*world).revokeInvite},
		{"report", 4, (*world).report},
		{"resolve report", 2, (*world).resolveReport},
		{"members", 2, (*world).members},
		{"bans", 2, (*world).bans},
		{"put room", 3, (*world).putRoom},
		{"patch room", 3, (*world).patchRoom},
		{"archive", 1, (*world).archive},
		{"delete room", 2, (*world).deleteRoom},
		{"create private room", 2, (*world).createPrivateRoom},
		{"retry private room", 2, (*world).retryPrivateRoom},
		{"open direct room", 4, (*world).openDirectRoom},
		{"get room", 4, (*world).getRoom},
		{"own rooms", 5, (*world).ownRooms},
		{"mark read", 6, (*world).markRead},
		{"mark message", 8, (*world).markMessage},
		{"prefer", 4, (*world).prefer},
		{"read thread", 8, (*world).readThread},
		{"follow thread", 4, (*world).followThread},
		{"own threads", 4, (*world).ownThreads},
		{"changes", 6, (*world).changes},
		{"read", 14, (*world).read},
		{"follow", 10, (*world).follow},
		{"deliver", 12, (*world).deliver},
		{"advance", 14, (*world).advance},
		{"remove expired", 2, (*world).removeExpired},
		{"restart stream", 1, (*world).restartStream},
	}
}

// pick returns a random operation, chosen by weight.
func (w *world) pick(from []operation) operation {
	sum := 0
	for _, o := range from {
		sum += o.weight
	}
	n := w.rand.IntN(sum)
	for _, o := range from {
		if n -= o.weight; n < 0 {
			return o
		}
	}
	panic("the weights have changed")
}

// run performs random operations and compares whole rooms at the end. The error describes the first
// difference between the model and the engine.
func (w *world) run(steps int) error {
	all := operations()
	for step := range steps {
		o := w.pick(all)
		if err := w.project(o.do); err != nil {
			return fmt.Errorf("operation %d, %s: %w\nthe last operations:\n%s", step, o.name, err, strings.Join(w.trace, "\n"))
		}
		w.counts[o.name]++
		w.done++
	}
	if err := w.project((*world).finish); err != nil {
		return fmt.Errorf("at the end: %w\nthe last operations:\n%s", err, strings.Join(w.trace, "\n"))
	}
	return nil
}

func (w *world) project(do func(*world) error) error {
	if err := do(w); err != nil {
		return err
	}
	w.readStream()
	return w.online.after(w)
}

// finish completes all readers and replicas and then compares everything.
func (w *world) finish() error {
	if err := w.deliverAll(); err != nil {
		return err
	}
	for len(w.pagers) > 0 {
		if err := w.readPage(w.pagers[0], maxPage); err != nil {
			return err
		}
	}
	for _, c := range slices.Clone(w.replicas) {
		if err := w.dropRefused(c, w.catchUp(c)); err != nil {
			return err
		}
	}
	for _, user := range people {
		if err := w.roomsOf(user); err != nil {
			return err
		}
		if err := w.savedBy(user); err != nil {
			return err
		}
		if err := w.mentionsOf(user); err != nil {
			return err
		}
	}
	for _, id := range w.roomIDs() {
		if err := w.compareRoom(w.model.rooms[id]); err != nil {
			return fmt.Errorf("room %s: %w", id, err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.model.deleted)) {
		if err := w.compareDeleted(w.model.deleted[id]); err != nil {
			return fmt.Errorf("deleted room %s: %w", id, err)
		}
	}
	return w.compareFiles()
}

// compareRoom compares the complete state of a room.
func (w *world) compareRoom(r *room) error {
	i := slices.IndexFunc(people, func(u chat.UserID) bool { return r.role(u) == policy.Owner || r.direct != nil && r.isMember(u) })
	if i < 0 && r.direct != nil {
		return nil // everyone has left
	}
	if i < 0 {
		return fmt.Errorf("the room has no owner")
	}
	owner := people[i]
	queries := []query{{room: r.id, order: chat.Newest}, {room: r.id, order: chat.Oldest}}
	for _, user := range people {
		queries = append(queries, query{room: r.id, user: user, order: chat.Oldest})
	}
	for _, q := range queries {
		w.pagers = []*pager{{caller: owner, q: q, initial: r.matching(q)}}
		for len(w.pagers) > 0 {
			if err := w.readPage(w.pagers[0], maxPage); err != nil {
				return err
			}
		}
	}
	for _, m := range r.messages {
		if len(m.texts) > 1 {
			if err := w.versionsOf(owner, r.id, m.id, m); err != nil {
				return err
			}
		}
	}
	everything := &replica{caller: owner, room: r.id, held: map[chat.MessageID]chat.Message{}}
	for _, err := range []error{w.roomAs(owner, r.id), w.membersOf(owner, r.id), w.catchUp(everything), w.compareTallies(r), w.compareMentions(r)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// logSummary logs the operations and results of a run.
func (w *world) logSummary() {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(w.counts)) {
		all = append(all, fmt.Sprintf("%d %s", w.counts[name], name))
	}
	w.t.Logf("%d operations: %s", w.done, strings.Join(all, ", "))
	all = nil
	for _, kind := range slices.Sorted(maps.Keys(w.answers)) {
		name := "done"
		if kind != 0 {
			name = kind.String()
		}
		all = append(all, fmt.Sprintf("%d %s", w.answers[kind], name))
	}
	w.t.Logf("%s", strings.Join(all, ", "))
	for _, id := range w.roomIDs() {
		r := w.model.rooms[id]
		w.t.Logf("%s: %d shards, %d messages, %d batches in the feed", id, r.spread.shards, len(r.messages), len(r.feed))
	}
}

func TestModel_AgreesWithTheEngine(t *testing.T) {
	t.Parallel()
	first, count := nightly.Seed(t), race.Rounds(nightly.Times(steps, nightlySteps))
	for n := range uint64(runs) {
		t.Run(fmt.Sprint("run ", n+1), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, first+n, func(s store) store { return s })
			if err := w.run(count); err != nil {
				t.Fatal(err)
			}
			w.logSummary()
		})
	}
}
