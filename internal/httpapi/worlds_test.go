package httpapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/app"
	"parley/internal/dynamo"
	"parley/internal/httpapi"
	"parley/internal/test/enginetest"
	"parley/internal/test/rights"
	"parley/internal/test/tabletest"
)

const (
	worldSteps  = 3000 // what the watched people do, so many that everything is done
	bystanders  = 3    // steps of others beside each of them, when they are busy
	worldStep   = 50 * time.Millisecond
	worldPeople = 6
	worldRooms  = 4 // public ones; as many private ones are known
	// worldRate is so low that people are refused for sending too fast, which must not depend on
	// others either.
	worldRate, worldBurst = 1, 5
)

// TestOperations_TwoWorldsAnswerAlike lets the same people do the same things twice, with the same
// clock and the same chance: once alone, and once while other people are busy in other rooms, at
// the same moment, through the same service, on the same store. Every answer must be the same to
// the byte.
func TestOperations_TwoWorldsAnswerAlike(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	alone, done := liveThrough(t, seed, false)
	among, _ := liveThrough(t, seed, true)
	for i := range alone {
		if alone[i] != among[i] {
			t.Fatalf("step %d\nalone:        %s\namong others: %s", i, alone[i], among[i])
		}
	}
	// A route that no request succeeds on shows nothing.
	for _, r := range httpapi.Routes() {
		if route := r.Method + " " + r.Path; !r.Public && done[route] == 0 {
			t.Errorf("no request for %s has succeeded: make one, or make it more often, in worlddeeds_test.go", route)
		}
	}
	if done["429"] == 0 {
		t.Error("nobody was refused for sending too fast")
	}
}

// world is people who do random things.
type world struct {
	api     *api
	mux     *http.ServeMux
	random  *rand.Rand
	prefix  string   // of the names of its people, rooms and places
	private []string // the latest rooms that only some know of
	last    []string // paths of messages, some of which were asked for in vain
	further []string // paths of second pages
	now     func() time.Time
	done    map[string]int // successes by route, and refusals by status
}

// seeded is chance that repeats.
type seeded struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (s *seeded) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range b {
		b[i] = byte(s.r.Uint32())
	}
	return len(b), nil
}

// chance gives each world its own, however their requests meet in the service that they share. The
// service takes it on the goroutine that brings a request: by that the world is known.
type chance struct{ worlds sync.Map } // *seeded by goroutine

func goroutine() string {
	b := make([]byte, 64)
	return strings.Fields(string(b[:runtime.Stack(b, false)]))[1]
}

// lend runs act with the chance of one world.
func (c *chance) lend(of *seeded, act func()) {
	c.worlds.Store(goroutine(), of)
	defer c.worlds.Delete(goroutine())
	act()
}

func (c *chance) Read(b []byte) (int, error) {
	of, ok := c.worlds.Load(goroutine())
	if !ok {
		return 0, errors.New("chance is asked for on a goroutine that brings no request")
	}
	return of.(*seeded).Read(b)
}

func liveThrough(t *testing.T, seed uint64, busy bool) (answers []string, done map[string]int) {
	t.Helper()
	var step time.Duration
	now := func() time.Time { return start.Add(step) }
	luck := &chance{}
	mux := worldAPI(t, now, luck)
	people, others := newWorld(mux, now, seed, "a"), newWorld(mux, now, seed+1, "b")
	peoplesLuck, othersLuck := &seeded{r: rand.New(rand.NewPCG(seed, 2))}, &seeded{r: rand.New(rand.NewPCG(seed, 3))}
	for range worldSteps {
		step += worldStep // between steps, so that nobody reads it meanwhile
		var wg sync.WaitGroup
		if busy {
			wg.Go(func() {
				luck.lend(othersLuck, func() {
					for range bystanders {
						others.act(t)
					}
				})
			})
		}
		luck.lend(peoplesLuck, func() { answers = append(answers, people.act(t)) })
		wg.Wait()
	}
	return answers, people.done
}

// worldAPI is the whole API over one service, as in a process that serves everyone.
func worldAPI(t *testing.T, now func() time.Time, luck *chance) *http.ServeMux {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t), recorder.Options)
	tabletest.Create(t, client, "chat")
	tabletest.CreateLog(t, client, "log")
	service := app.New(app.Options{
		Store: dynamo.New(client, dynamo.Options{Table: "chat", Clock: now}), Logs: dynamo.NewLog(client, dynamo.Options{Table: "log"}),
		Clock: now, Random: luck, SendRate: worldRate, SendBurst: worldBurst,
	})
	mux := http.NewServeMux()
	for _, f := range []httpapi.Function{httpapi.Write, httpapi.Read} {
		h := rights.Handler(string(f), httpapi.New(httpapi.Options{
			Service: service, Function: f, Clock: now, Log: slog.New(slog.DiscardHandler),
			Subject: func(r *http.Request) string { return r.Header.Get(userHeader) },
		}))
		for _, r := range httpapi.Routes() {
			if r.Function == f {
				mux.Handle(r.Method+" "+r.Path, h)
			}
		}
	}
	return mux
}

func newWorld(mux *http.ServeMux, now func() time.Time, seed uint64, prefix string) *world {
	return &world{
		api: &api{handler: mux, logs: &bytes.Buffer{}}, mux: mux, random: rand.New(rand.NewPCG(seed, 1)), prefix: prefix, now: now,
		last: []string{"/rooms/" + prefix + "-0/messages/" + goodID + "~nobody"}, done: map[string]int{},
	}
}

// act does one random thing and tells what was asked and answered.
func (w *world) act(t *testing.T) string {
	does := w.request()
	caller := w.caller()
	got := w.api.do(t, does.method, does.path, does.body, userHeader, caller, "If-Match", does.ifMatch)
	w.learn(does, got)
	return fmt.Sprintf("%s %s %s upon %s by %s: %d %v %s", does.method, does.path, does.body, does.ifMatch, caller, got.status, got.header, got.text)
}

// learn notes what an answer made to be asked for.
func (w *world) learn(does deed, got answer) {
	if got.status >= 300 {
		w.done[fmt.Sprint(got.status)]++
		return
	}
	at := &url.URL{Path: strings.Split(does.path, "?")[0]}
	_, route := w.mux.Handler(&http.Request{Method: does.method, URL: at})
	w.done[route]++
	var made struct{ ID, Room, Next string }
	if json.Unmarshal([]byte(got.text), &made) != nil {
		return
	}
	if route == "POST /rooms" {
		w.private = append(w.private[max(0, len(w.private)-worldRooms+1):], made.Room)
	}
	if made.ID != "" && got.status == 201 {
		w.last = append(w.last, "/rooms/"+made.Room+"/messages/"+made.ID)
	}
	if made.Next != "" {
		w.further = append(w.further, does.further(made.Next))
	}
}
