package history_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"parley/internal/chat"
	"parley/internal/feed"
)

// checkTime bounds the check of one message or one feed. They take milliseconds; one that takes longer is no
// verdict, and never passes as one.
const checkTime = 20 * time.Second

// last reads every message once more, after all else.
func (w *world) last() {
	reader := &client{world: w, n: -1, user: person(0), service: w.sound}
	for _, p := range w.pools {
		for _, l := range p.all() {
			reader.get(l)
		}
	}
}

// maxWrong is how many messages are told of: each takes a screen, and those that take too long to check each take
// checkTime.
const maxWrong = 3

// verdict is what is wrong with a history: nothing, it is hoped.
func (w *world) verdict() []finding {
	before := len(w.rec.findings)
	for at, history := range w.rec.messages {
		if len(w.rec.findings) == before+maxWrong {
			break
		}
		result := porcupine.CheckOperationsTimeout(messages(), history, checkTime)
		w.judge(wrongMessage, result, fmt.Sprintf("%s of %s, %d operations\n%s", at.id, at.room, len(history), tell(history)))
	}
	for room := range w.pools {
		_, segments, err := w.store.FeedFrom(w.t.Context(), room, 1, chat.MaxSeq)
		if err != nil {
			w.t.Fatal(err)
		}
		history := resolved(append(w.rec.logs[room], w.rec.hidden[room]...), segments)
		w.judge(wrongLog, porcupine.CheckOperationsTimeout(feedLog(), history, checkTime), fmt.Sprintf("%s, %d operations", room, len(history)))
		w.faithful(room, segments)
	}
	if n := len(w.failures.all); n > 0 {
		w.rec.found(wrongFeed, "%d records could not be read", n)
	}
	return w.rec.findings
}

// judge notes the result of a check, unless all is well.
func (w *world) judge(of fault, result porcupine.CheckResult, what string) {
	switch result {
	case porcupine.Ok:
	case porcupine.Illegal:
		w.rec.found(of, "%s", what)
	default:
		w.rec.found(noVerdict, "%s", what)
	}
}

// faithful finds where a feed is not what happened: every revision of every message once, in order, and nothing
// else, with running counts that are right.
func (w *world) faithful(room chat.RoomID, segments []feed.Segment) {
	revisions := map[chat.MessageID]int{}
	next, created := int64(1), int64(0)
	for _, s := range segments {
		if s.First != next || s.Count != created {
			w.rec.found(wrongFeed, "%s: segment %d with count %d stands where %d with %d would", room, s.First, s.Count, next, created)
		}
		next, created = s.Last()+1, s.Total()
		for i, c := range s.Changes {
			if !c.Type.OfMessage() {
				continue
			}
			if revisions[c.Message]++; c.Revision != revisions[c.Message] {
				w.rec.found(wrongFeed, "%s: number %d is revision %d of %s, where %d would be", room, s.First+int64(i), c.Revision, c.Message, revisions[c.Message])
			}
		}
	}
	for _, l := range w.pools[room].all() {
		m, err := w.store.Message(w.t.Context(), room, l.id)
		if err != nil && chat.KindOf(err) != chat.NotFound {
			w.t.Fatal(err)
		}
		if m.Revision != revisions[l.id] {
			w.rec.found(wrongFeed, "%s: it tells of %d revisions of %s, there are %d", room, revisions[l.id], l.id, m.Revision)
		}
		delete(revisions, l.id)
	}
	for id := range revisions {
		w.rec.found(wrongFeed, "%s: it tells of %s, which nobody sent", room, id)
	}
}

// tell writes a history in the order of its calls.
func tell(history []porcupine.Operation) string {
	history = slices.Clone(history)
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, o := range history {
		c, a := o.Input.(call), o.Output.(answer)
		until := fmt.Sprint(time.Duration(o.Return))
		if o.Return == never {
			until = "never"
		}
		fmt.Fprintf(&b, "  client %d, %v to %s: %s base %d %q -> %s %d again %t %+v\n", o.ClientId, time.Duration(o.Call), until,
			[...]string{"send", "edit", "remove", "get"}[c.kind], c.base, c.text,
			[...]string{"unknown", "made", "kept", "not found", "stale", "conflict"}[a.outcome], a.revision, a.again, a.view)
	}
	return b.String()
}
