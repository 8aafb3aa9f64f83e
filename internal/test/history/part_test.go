package history_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/nightly"
)

const wrongPart fault = "a part of a document is not linearizable"

// partCall saves a text on a base, or reads the newest version if the text is empty.
type partCall struct {
	text string
	base int
}

// partAnswer is the outcome, and the part of a save or of a read.
type partAnswer struct {
	outcome outcome // unknown, succeeded, replayed, notFound, or stale
	seen    partState
}

// partState is a part of a document: its newest version. It does not exist at version 0.
type partState struct {
	version int
	text    string
}

// parts returns the model of one part. A save of unknown outcome takes effect if it can.
func parts() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return partState{} },
		Step: func(state, input, output any) (bool, any) {
			s, c, a := state.(partState), input.(partCall), output.(partAnswer)
			ok, next := s.step(c, a)
			return ok, next
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
}

func (s partState) step(c partCall, a partAnswer) (bool, partState) {
	saved := partState{c.base + 1, c.text}
	switch {
	case c.text == "" && a.outcome == notFound:
		return s.version == 0, s
	case c.text == "":
		return s == a.seen, s
	case a.outcome == unknown && s.version == c.base:
		return true, saved
	case a.outcome == unknown:
		return true, s
	case a.outcome == succeeded:
		return s.version == c.base && a.seen == saved, saved
	case a.outcome == replayed:
		return s == saved && a.seen == saved, s
	}
	return s.version != c.base && s != saved, s
}

// partClient is a device that saves and reads parts.
type partClient struct {
	*roomHistories
	n       int
	service *app.Services
	r       *rand.Rand
	known   *[partsAtOnce]atomic.Int64 // the newest versions that any client has seen
	texts   int
}

// partsAtOnce is the number of parts of a history, so that clients collide.
const partsAtOnce = 12

// runParts runs a history of the parts of three documents.
func runParts(t *testing.T, s setup) (*world, *roomHistories) {
	t.Helper()
	w := newWorld(t, s)
	for n := range s.people {
		if n > 0 {
			if _, _, err := w.reliable.Members.SetMember(t.Context(), person(n), chat.MemberOf{Room: "room0", User: person(n)}, policy.Member); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := &roomHistories{world: w, of: map[string][]porcupine.Operation{}}
	known := &[partsAtOnce]atomic.Int64{}
	var all sync.WaitGroup
	for n := range s.clients {
		c := &partClient{roomHistories: h, n: n, service: w.services[n%len(w.services)], r: rand.New(rand.NewPCG(s.seed, uint64(n))), known: known}
		all.Go(func() {
			for range s.steps {
				c.step()
			}
		})
	}
	all.Wait()
	reader := &partClient{roomHistories: h, n: s.clients, service: w.reliable, known: known}
	for n := range partsAtOnce {
		reader.do(n, partCall{})
	}
	return w, h
}

// step saves a part, sometimes once more, or reads one. The base is usually the newest one.
func (c *partClient) step() {
	part := c.r.IntN(partsAtOnce)
	if c.r.IntN(3) == 0 {
		c.do(part, partCall{})
		return
	}
	c.texts++
	call := partCall{text: fmt.Sprintf("text %d of %d", c.texts, c.n), base: int(c.known[part].Load())}
	switch c.r.IntN(10) {
	case 0:
		call.base = max(0, call.base-1)
	case 1:
		call.base++ // of a version that does not exist yet
	}
	for range maxTries {
		if c.do(part, call) && c.r.IntN(4) > 0 {
			return
		}
	}
}

// do makes a call and records it. It reports whether its outcome is known.
func (c *partClient) do(part int, call partCall) bool {
	ctx, writes := countWrites(c.world.t.Context())
	o := porcupine.Operation{ClientId: c.n, Input: call, Call: c.world.rec.now()}
	doc, id := document.ID(fmt.Sprint("doc", part%3)), document.PartID(fmt.Sprint("part", part))
	user := person(c.n % c.world.setup.people)
	var p document.Part
	var replay bool
	var err error
	if call.text == "" {
		p, err = c.service.Documents.Part(ctx, user, document.Part{Room: "room0", Document: doc, ID: id})
	} else {
		p, replay, err = c.service.Documents.SavePart(ctx, user, document.PartDraft{Room: "room0", Document: doc, Part: id, Text: call.text, Base: call.base})
	}
	a := partAnswer{outcome: succeeded, seen: partState{p.Version, p.Text}}
	switch kind := chat.KindOf(err); {
	case kind == chat.Unavailable:
		a = partAnswer{}
	case kind == chat.NotFound:
		a.outcome = notFound
	case kind == chat.Stale || kind == chat.PreconditionRequired:
		a.outcome = stale
	case err != nil:
		c.world.rec.report(wrongAnswer, "%+v: %v", call, err)
	case replay:
		a.outcome = replayed
	}
	if a.outcome == unknown && call.text == "" {
		return false // a read without an answer has no effect
	}
	if err == nil {
		advance(&c.known[part], int64(p.Version))
	}
	var maybe any
	if writes.Load() > 1 && a.outcome != unknown && a.outcome != succeeded {
		maybe = partAnswer{}
	}
	o.Output = a
	c.note(string(id), o, a.outcome == unknown, maybe)
	return a.outcome != unknown
}

// losesParts reports saves as stored without storing them.
func losesParts(n *counter) func(input any) (output any) {
	return func(input any) any {
		in, ok := input.(*dynamodb.TransactWriteItemsInput)
		if !ok || in.TransactItems[0].Put == nil || table.KindOf(in.TransactItems[0].Put.Item) != table.PartKind || !n.fires() {
			return nil
		}
		return &dynamodb.TransactWriteItemsOutput{}
	}
}

// TestPartHistories_AreLinearizable has 24 devices save and read the same parts while calls fail.
func TestPartHistories_AreLinearizable(t *testing.T) {
	t.Parallel()
	for _, seed := range seedsOf(t, nightly.Times(1, nightlyRounds)) {
		s := setup{seed: seed, clients: 24, steps: 16, rooms: 1, people: peopleOfRoom}
		w, h := runParts(t, s)
		for _, v := range h.check(parts(), wrongPart) {
			t.Errorf("seed %d: %s", s.seed, v)
		}
		t.Logf("seed %d: %d parts, %d calls of unknown outcome, %d attempts failed", s.seed, len(h.of), w.rec.unknown, w.injected())
		if w.rec.unknown == 0 || w.injected() == 0 {
			t.Error("no call failed, want some")
		}
	}
}

// TestPartHistories_SeededFaultIsFound seeds a store that loses saves.
func TestPartHistories_SeededFaultIsFound(t *testing.T) {
	t.Parallel()
	wantFound(t, func(seed uint64) string {
		n := &counter{}
		s := setup{seed: seed, clients: 8, steps: 16, rooms: 1, people: peopleOfRoom, alter: losesParts(n)}
		_, h := runParts(t, s)
		return firstOf(h.check(parts(), wrongPart), wrongPart)
	})
}
