package live_test

import (
	"math/rand/v2"
	"runtime"
)

// turns lets actors take their steps one at a time, in a random order. An actor is a goroutine that
// waits for its turn before each step.
type turns struct {
	random  *rand.Rand
	events  chan event
	waiting []*actor
	crashes bool // some actors end before a random step
}

type event struct {
	actor *actor
	ended bool
}

// actor is a process that may end before any of its steps.
type actor struct {
	turns *turns
	next  chan bool // whether the actor continues
	steps int       // left before it ends; negative for never
}

// crashIn is the number of steps within which an actor that crashes does so.
const crashIn = 8

func newTurns(seed uint64, crashes bool) *turns {
	return &turns{random: rand.New(rand.NewPCG(seed, 1)), events: make(chan event), crashes: crashes}
}

// start adds an actor. It takes no step before run.
func (t *turns) start(act func(*actor)) {
	a := &actor{turns: t, next: make(chan bool), steps: -1}
	if t.crashes && t.random.IntN(4) == 0 {
		a.steps = t.random.IntN(crashIn)
	}
	go func() {
		defer func() { t.events <- event{a, true} }()
		a.step()
		act(a)
	}()
	t.await()
}

// step waits for the actor's turn. The actor's process may end here.
func (a *actor) step() {
	a.turns.events <- event{a, false}
	if !<-a.next {
		runtime.Goexit()
	}
}

// run lets the actors take turns until all have ended.
func (t *turns) run() {
	for len(t.waiting) > 0 {
		i := t.random.IntN(len(t.waiting))
		a := t.waiting[i]
		last := len(t.waiting) - 1
		t.waiting[i] = t.waiting[last]
		t.waiting = t.waiting[:last]
		a.next <- a.steps != 0
		a.steps--
		t.await()
	}
}

// await waits until the actor whose turn it is waits again or has ended.
func (t *turns) await() {
	if e := <-t.events; !e.ended {
		t.waiting = append(t.waiting, e.actor)
	}
}
