package history_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
)

func TestHistories_AreLinearizable(t *testing.T) {
	t.Parallel()
	for _, seed := range seedsOf(t, nightly.Times(1, nightlyRounds)) {
		s := setup{seed: seed, clients: 32, steps: 40, rooms: 3, people: 8, sockets: 4}
		start := time.Now()
		w := newWorld(t, s)
		w.run()
		took := time.Since(start)
		wrong := w.check()
		t.Logf("seed %d: %d operations of %d clients on %d messages and %d feeds, %d of unknown outcome, %d attempts failed, %d batches of the stream; %v and %v to check",
			s.seed, w.rec.operations, s.clients, len(w.rec.messages), s.rooms, w.rec.unknown, w.injected(), w.batches(), took.Round(time.Millisecond), (time.Since(start) - took).Round(time.Millisecond))
		for _, v := range wrong {
			t.Error(v)
		}
		t.Logf("%d readers through sockets met %d frames, of which the network lost %d", s.sockets, w.frames, w.lost)
		if w.frames == 0 || w.lost == 0 {
			t.Error("no frame reached a reader, or none was lost, want some")
		}
		if w.rec.unknown == 0 || w.injected() == 0 {
			t.Error("no call failed, want some")
		}
		if t.Failed() {
			return
		}
	}
}

// calls checks that services and consumers make only calls that their roles permit.
var calls = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(calls.Guard(m)) }

// checkTime bounds the check of one message or one feed, which usually takes milliseconds. A check
// that exceeds it fails.
const checkTime = time.Minute

// readAll reads every message once more at the end.
func (w *world) readAll() {
	reader := &client{world: w, n: -1, user: person(0), service: w.reliable}
	for _, p := range w.pools {
		for _, l := range p.all() {
			reader.get(l)
		}
	}
}

// maxReported bounds the messages reported. A report fills a screen, and an expensive check takes
// checkTime.
const maxReported = 3

// check returns all violations in a history.
func (w *world) check() []finding {
	before := len(w.rec.findings)
	for at, history := range w.rec.messages {
		if len(w.rec.findings) == before+maxReported {
			break
		}
		result := porcupine.CheckOperationsTimeout(messages(), history, checkTime)
		w.reportResult(wrongMessage, result, fmt.Sprintf("%s of %s, %d operations\n%s", at.id, at.room, len(history), formatHistory(history)))
	}
	for room := range w.pools {
		_, segments, err := w.store.FeedFrom(w.t.Context(), room, 1, chat.MaxSeq)
		if err != nil {
			w.t.Fatal(err)
		}
		history := dropFailed(append(w.rec.logs[room], w.rec.unpublished[room]...), segments)
		w.reportResult(wrongLog, porcupine.CheckOperationsTimeout(feedLog(), history, checkTime), fmt.Sprintf("%s, %d operations", room, len(history)))
		w.checkFeed(room, segments)
	}
	if n := len(w.failures.all); n > 0 {
		w.rec.report(wrongFeed, "%d records could not be read", n)
	}
	return w.rec.findings
}

// reportResult reports the result of a check unless it passed.
func (w *world) reportResult(kind fault, result porcupine.CheckResult, detail string) {
	switch result {
	case porcupine.Ok:
	case porcupine.Illegal:
		w.rec.report(kind, "%s", detail)
	default:
		w.rec.report(noVerdict, "%s", detail)
	}
}

// checkFeed checks that a feed contains every revision of every message once and in order, nothing
// else, and correct counts.
func (w *world) checkFeed(room chat.RoomID, segments []feed.Segment) {
	revisions := map[chat.MessageID]int{}
	next, created := int64(1), int64(0)
	for _, s := range segments {
		if s.First != next || s.Count != created {
			w.rec.report(wrongFeed, "%s: segment %d has count %d, want segment %d with count %d", room, s.First, s.Count, next, created)
		}
		next, created = s.Last()+1, s.Total()
		for i, c := range s.Changes {
			if !c.Type.OfMessage() {
				continue
			}
			if revisions[c.Message]++; c.Revision != revisions[c.Message] {
				w.rec.report(wrongFeed, "%s: number %d is revision %d of %s, want revision %d", room, s.First+int64(i), c.Revision, c.Message, revisions[c.Message])
			}
		}
	}
	for _, l := range w.pools[room].all() {
		m, err := w.store.Message(w.t.Context(), room, l.id)
		if err != nil && chat.KindOf(err) != chat.NotFound {
			w.t.Fatal(err)
		}
		if m.Revision != revisions[l.id] {
			w.rec.report(wrongFeed, "%s: the feed has %d revisions of %s, want %d", room, revisions[l.id], l.id, m.Revision)
		}
		delete(revisions, l.id)
	}
	for id := range revisions {
		w.rec.report(wrongFeed, "%s: the feed has message %s, which was never posted", room, id)
	}
}

// formatHistory formats a history in the order of its calls.
func formatHistory(history []porcupine.Operation) string {
	history = slices.Clone(history)
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, o := range history {
		c, a := o.Input.(call), o.Output.(answer)
		until := fmt.Sprint(time.Duration(o.Return))
		if o.Return == never {
			until = "never"
		}
		fmt.Fprintf(&b, "  client %d, %v to %s: %s base %d %q -> %s %d resent %t %+v\n", o.ClientId, time.Duration(o.Call), until,
			[...]string{"post", "edit", "remove", "get"}[c.kind], c.base, c.text,
			[...]string{"unknown", "succeeded", "replayed", "not found", "stale", "conflict"}[a.outcome], a.revision, a.resent, a.view)
	}
	return b.String()
}
