package history_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/anishathalye/porcupine"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/nightly"
)

const wrongMember fault = "the memberships of a room are not linearizable"

// roomHistories are operations by room or by part, recorded by many clients.
type roomHistories struct {
	world *world
	mu    sync.Mutex
	of    map[string][]porcupine.Operation
}

// note records an operation that ends now. If it was sent repeatedly, it may have taken effect
// before an operation of another client, and once more: that is another one of unknown outcome.
func (h *roomHistories) note(of string, o porcupine.Operation, isUnknown bool, maybe any) {
	o.Return = h.world.rec.now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if isUnknown {
		o.Return = never
		h.world.rec.unknown++
	}
	h.of[of] = append(h.of[of], o)
	if maybe != nil {
		o.Output, o.Return = maybe, never
		h.of[of] = append(h.of[of], o)
	}
}

// check reports the histories that are not linearizable.
func (h *roomHistories) check(model porcupine.Model, kind fault) []finding {
	for of, history := range h.of {
		var text string
		history = slices.Clone(history)
		slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
		for _, o := range history {
			text += fmt.Sprintf("  client %d, %d to %d: %s\n", o.ClientId, o.Call, o.Return, model.DescribeOperation(o.Input, o.Output))
		}
		h.world.reportResult(kind, porcupine.CheckOperationsTimeout(model, history, checkTime), of+"\n"+text)
	}
	return h.world.rec.findings
}

// memberClient is a device of a person who changes memberships.
type memberClient struct {
	*roomHistories
	n, self int
	service *app.Services
	r       *rand.Rand
}

// runMembers runs a history of memberships.
func runMembers(t *testing.T, s setup) (*world, *roomHistories) {
	t.Helper()
	w := newWorld(t, s)
	h := &roomHistories{world: w, of: map[string][]porcupine.Operation{}}
	var all sync.WaitGroup
	for n := range s.clients {
		c := &memberClient{h, n, n % peopleOfRoom, w.services[n%len(w.services)], rand.New(rand.NewPCG(s.seed, uint64(n)))}
		all.Go(func() {
			for range s.steps {
				c.step(chat.RoomID(fmt.Sprint("room", c.r.IntN(s.rooms))))
			}
		})
	}
	all.Wait()
	for n := range s.rooms {
		for target := range peopleOfRoom {
			(&memberClient{roomHistories: h, n: s.clients}).look(chat.RoomID(fmt.Sprint("room", n)), target)
		}
	}
	return w, h
}

// step makes one random call, and looks at a membership.
func (c *memberClient) step(room chat.RoomID) {
	other := (c.self + 1 + c.r.IntN(peopleOfRoom-1)) % peopleOfRoom
	call := memberCall{caller: c.self, target: other}
	switch n := c.r.IntN(20); {
	case n < 6:
		call.kind, call.target = join, c.self
	case n < 8:
		call.kind, call.target = leave, c.self
	case n < 15:
		call.kind, call.role = give, []policy.Role{policy.Banned, policy.Muted, policy.Member, policy.Moderator, policy.Owner}[c.r.IntN(5)]
	case n < 18:
		call.kind = expel
	default:
		call.kind = handOver
	}
	c.do(room, call)
	c.look(room, c.r.IntN(peopleOfRoom))
}

// do makes a call. Refusals of calls that concern two people are not recorded: both memberships are
// read, one after the other, and nothing is written that would fail if they had changed between.
func (c *memberClient) do(room chat.RoomID, call memberCall) {
	ctx, writes := countWrites(c.world.t.Context())
	o := porcupine.Operation{ClientId: c.n, Input: call, Call: c.world.rec.now()}
	of, caller := chat.MemberOf{Room: room, User: person(call.target)}, person(call.caller)
	var err error
	switch call.kind {
	case join:
		_, _, err = c.service.Members.SetMember(ctx, caller, of, policy.Member)
	case give:
		_, _, err = c.service.Members.SetMember(ctx, caller, of, call.role)
	case handOver:
		_, err = c.service.Members.HandOver(ctx, caller, of)
	default:
		err = c.service.Members.RemoveMember(ctx, caller, of)
	}
	a, resent := memberAnswer{outcome: succeeded}, writes.Load() > 1
	switch kind := chat.KindOf(err); {
	case kind == chat.Unavailable:
		a.outcome = unknown
	case kind == chat.Conflict || kind == chat.Forbidden || kind == chat.NotFound:
		if a.outcome = conflict; call.kind != join && !resent {
			return
		}
	case err != nil:
		c.world.rec.report(wrongAnswer, "%+v: %v", call, err)
	}
	var maybe any
	if resent && a.outcome != unknown {
		maybe = memberAnswer{}
	}
	if a.outcome == conflict && call.kind != join {
		a, maybe = memberAnswer{}, nil // it may have met itself
	}
	o.Output = a
	c.note(string(room), o, a.outcome == unknown, maybe)
}

// look reads a membership from the table.
func (c *memberClient) look(room chat.RoomID, target int) {
	o := porcupine.Operation{ClientId: c.n, Input: memberCall{kind: look, target: target}, Call: c.world.rec.now()}
	m, err := c.world.store.Membership(c.world.t.Context(), room, person(target))
	if err != nil {
		c.world.t.Error(err)
		return
	}
	seen := chat.Membership{Role: m.Role, Left: m.Left, Restore: m.Restore}
	if m.Room != "" {
		seen.Room = memberRoom
	}
	o.Output = memberAnswer{outcome: succeeded, seen: seen}
	c.note(string(room), o, false, nil)
}

// laggedLists answers a list of members with what it was at the list before, as a lagging index
// does.
type laggedLists struct {
	app.Stores
	lists *sync.Map
}

func (s laggedLists) Members(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) ([]chat.Membership, chat.ListPosition, error) {
	members, next, err := s.Stores.Members(ctx, room, after, limit)
	if err != nil || after != (chat.ListPosition{}) {
		return members, next, err
	}
	if before, ok := s.lists.Swap(room, members); ok {
		members = before.([]chat.Membership)
	}
	return members, next, nil
}

func lagged(s app.Stores) app.Stores { return laggedLists{s, &sync.Map{}} }

// losesMemberships reports changes of memberships as stored without storing them.
type losesMemberships struct {
	app.Stores
	*counter
}

func (s losesMemberships) ChangeMembership(ctx context.Context, c membership.Change) (bool, error) {
	if s.fires() {
		return true, nil
	}
	return s.Stores.ChangeMembership(ctx, c)
}

// halfHandsOver makes the new owner, and leaves the former one as they are.
type halfHandsOver struct{ app.Stores }

func (s halfHandsOver) HandOver(ctx context.Context, _, to membership.Change) (bool, error) {
	return s.ChangeMembership(ctx, to)
}

// TestMemberHistories_AreLinearizable has 24 devices of four people change memberships of the same
// rooms, while calls fail and the index of members lags.
func TestMemberHistories_AreLinearizable(t *testing.T) {
	t.Parallel()
	for _, seed := range seedsOf(t, nightly.Times(1, nightlyRounds)) {
		s := setup{seed: seed, clients: 24, steps: 12, rooms: 12, people: peopleOfRoom, store: lagged}
		w, h := runMembers(t, s)
		for _, v := range h.check(members(), wrongMember) {
			t.Errorf("seed %d: %s", s.seed, v)
		}
		t.Logf("seed %d: %d rooms, %d calls of unknown outcome, %d attempts failed", s.seed, len(h.of), w.rec.unknown, w.injected())
		if w.rec.unknown == 0 || w.injected() == 0 {
			t.Error("no call failed, want some")
		}
	}
}

// TestMemberHistories_SeededFaultsAreFound seeds faults in the store of memberships.
func TestMemberHistories_SeededFaultsAreFound(t *testing.T) {
	t.Parallel()
	type seeded struct {
		name string
		wrap func(app.Stores, *counter) app.Stores
	}
	for _, tt := range nightly.Share([]seeded{
		{"lost change", func(s app.Stores, n *counter) app.Stores { return losesMemberships{s, n} }},
		{"half of a hand-over", func(s app.Stores, _ *counter) app.Stores { return halfHandsOver{s} }},
	}, 1) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFound(t, func(seed uint64) string {
				n := &counter{}
				_, h := runMembers(t, setup{
					seed: seed, clients: 8, steps: 20, rooms: 4, people: peopleOfRoom, store: func(s app.Stores) app.Stores { return tt.wrap(s, n) },
				})
				return firstOf(h.check(members(), wrongMember), wrongMember)
			})
		})
	}
}
