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
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/app"
	"parley/internal/dynamo"
	"parley/internal/httpapi"
	"parley/internal/test/enginetest"
	"parley/internal/test/nightly"
	"parley/internal/test/race"
	"parley/internal/test/rights"
	"parley/internal/test/tabletest"
)

const (
	// populationSteps are the requests of the observed people. They go on until every operation has
	// succeeded, so that its answer is compared, but not beyond maxPopulationSteps.
	populationSteps, maxPopulationSteps = 1000, 40_000

	// bystanders and nightlyBystanders are the requests of other people during each of them.
	bystanders, nightlyBystanders = 1, 3

	populationStep   = 50 * time.Millisecond
	populationPeople = 6
	populationRooms  = 4 // public rooms; as many private ones are known
	// populationRate is so low that some messages are refused with 429. Other people must not
	// affect this either.
	populationRate, populationBurst = 1, 5
)

// forServices are routes for services alone. The people of a population are none.
var forServices = []string{
	"GET /reports", "PUT /people/{user}/suspension", "GET /people/{user}/suspension", "DELETE /people/{user}/suspension", "GET /people/{user}/audit",
}

// TestOperations_DoNotDependOnOtherPeople sends the same requests twice, with the same clock and
// the same random numbers: once alone, and once while other people use other rooms of the same
// service and store at the same time. Every answer must be the same, byte for byte.
func TestOperations_DoNotDependOnOtherPeople(t *testing.T) {
	t.Parallel()
	seed, steps := nightly.Seed(t), race.Rounds(populationSteps)
	isWhole := steps == populationSteps // under the race detector, some operations may not succeed
	alone, done := runPopulation(t, seed, false, func(n int, done map[string]int) bool {
		return n >= steps && (!isWhole || n == maxPopulationSteps || len(missing(done)) == 0)
	})
	t.Logf("%d steps, successes: %v", len(alone), done)
	if never := missing(done); isWhole && len(never) > 0 {
		t.Errorf("no request for %q has succeeded: add one, or choose it more often, in populationrequests_test.go", never)
	}
	among, _ := runPopulation(t, seed, true, func(n int, _ map[string]int) bool { return n == len(alone) })
	for i := range alone {
		if alone[i] != among[i] {
			t.Fatalf("step %d\nalone:        %s\namong others: %s", i, alone[i], among[i])
		}
	}
}

// missing returns the routes and kinds of requests without success. The kind "429" is a refusal.
func missing(done map[string]int) []string {
	all := []string{"429", archiving, unarchiving, restricting}
	for _, r := range httpapi.Routes() {
		if route := r.Method + " " + r.Path; !r.Public && !slices.Contains(forServices, route) {
			all = append(all, route)
		}
	}
	return slices.DeleteFunc(all, func(kind string) bool { return done[kind] > 0 })
}

// population is a group of people who send random requests.
type population struct {
	api     *api
	mux     *http.ServeMux
	random  *rand.Rand
	prefix  string            // of the ids of its people, rooms and places
	private []string          // the latest private rooms
	made    []string          // paths of private rooms that are not direct
	owners  map[string]string // who made a room, or had it handed over last, by path
	members []string          // paths of memberships
	last    []string          // paths of messages, including one that does not exist
	reports []string          // paths of reports
	invites []string          // paths of invitations
	tokens  []string          // of invitations
	further []string          // paths of second pages
	coming  []turn            // requests that come before random ones
	now     func() time.Time
	done    map[string]int // successes by route, and refusals by status
}

// seeded is a reproducible source of random bytes.
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

// chance gives each population random bytes of its own, however their requests interleave in the
// service. The service reads them on the goroutine of the request, which identifies the population.
type chance struct{ sources sync.Map } // *seeded by goroutine

func goroutine() string {
	b := make([]byte, 64)
	return strings.Fields(string(b[:runtime.Stack(b, false)]))[1]
}

// lend runs act with the random bytes of one population.
func (c *chance) lend(of *seeded, act func()) {
	c.sources.Store(goroutine(), of)
	defer c.sources.Delete(goroutine())
	act()
}

func (c *chance) Read(b []byte) (int, error) {
	of, ok := c.sources.Load(goroutine())
	if !ok {
		return 0, errors.New("random bytes are read on a goroutine without a request")
	}
	return of.(*seeded).Read(b)
}

// runPopulation sends requests until enough reports true for their number and their successes.
func runPopulation(t *testing.T, seed uint64, busy bool, enough func(int, map[string]int) bool) (answers []string, done map[string]int) {
	t.Helper()
	var step time.Duration
	now := func() time.Time { return start.Add(step) }
	random := &chance{}
	mux := populationAPI(t, now, random)
	people, others := newPopulation(mux, now, seed, "a"), newPopulation(mux, now, seed+1, "b")
	peopleSeeded, othersSeeded := &seeded{r: rand.New(rand.NewPCG(seed, 2))}, &seeded{r: rand.New(rand.NewPCG(seed, 3))}
	for !enough(len(answers), people.done) {
		step += populationStep // between requests, so that no one reads it concurrently
		var wg sync.WaitGroup
		if busy {
			wg.Go(func() {
				random.lend(othersSeeded, func() {
					for range nightly.Times(bystanders, nightlyBystanders) {
						others.act(t)
					}
				})
			})
		}
		random.lend(peopleSeeded, func() { answers = append(answers, people.act(t)) })
		wg.Wait()
	}
	return answers, people.done
}

// populationAPI returns the whole API over one service, as in a process that serves everyone.
func populationAPI(t *testing.T, now func() time.Time, random *chance) *http.ServeMux {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t), recorder.Options)
	tabletest.Create(t, client, "chat")
	tabletest.CreateLog(t, client, "log")
	tabletest.CreateLive(t, client, "live")
	service := app.New(app.Options{
		Store: dynamo.New(client, dynamo.Options{Table: "chat", Clock: now}), Logs: dynamo.NewLog(client, dynamo.Options{Table: "log"}),
		Live:  dynamo.NewLive(client, dynamo.Options{Table: "live"}),
		Clock: now, Random: random, SendRate: populationRate, SendBurst: populationBurst,
	})
	mux := http.NewServeMux()
	for _, o := range httpapi.All() {
		f := o.Function()
		h := rights.Handler(string(f), httpapi.New(httpapi.Options{
			Service: service, Operations: o, Clock: now, Log: slog.New(slog.DiscardHandler),
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

func newPopulation(mux *http.ServeMux, now func() time.Time, seed uint64, prefix string) *population {
	return &population{
		api: &api{handler: mux, logs: &bytes.Buffer{}}, mux: mux, random: rand.New(rand.NewPCG(seed, 1)), prefix: prefix, now: now,
		last: []string{"/rooms/" + prefix + "-0/messages/" + goodID + "~nobody"}, done: map[string]int{}, owners: map[string]string{},
	}
}

// act sends one random request, and returns the request and the answer.
func (p *population) act(t *testing.T) string {
	next := p.next()
	r, caller := next.request, next.caller
	headers := []string{userHeader, caller}
	if r.ifMatch != "" {
		headers = append(headers, "If-Match", r.ifMatch)
	}
	got := p.api.do(t, r.method, r.path, r.body, headers...)
	p.learn(r, caller, got)
	if strings.Contains(got.text, "cursor is invalid") { // another person's is of another query
		t.Errorf("%s %s: %s", r.method, r.path, got.text)
	}
	return fmt.Sprintf("%s %s %s If-Match %s by %s: %d %v %s", r.method, r.path, r.body, r.ifMatch, caller, got.status, got.header, got.text)
}

// learn records the rooms, messages and pages in an answer, for later requests.
func (p *population) learn(r request, caller string, got answer) {
	if got.status >= 300 {
		p.done[fmt.Sprint(got.status)]++
		return
	}
	at := &url.URL{Path: strings.Split(r.path, "?")[0]}
	_, route := p.mux.Handler(&http.Request{Method: r.method, URL: at})
	p.done[route]++
	p.learnSettings(r, caller)
	var made struct{ ID, Room, User, Next, Token string }
	if json.Unmarshal([]byte(got.text), &made) != nil {
		return
	}
	switch route {
	case "PUT /rooms/{room}":
		if got.status == 201 {
			p.owners[r.path] = caller
		}
	case "PUT /rooms/{room}/owner":
		p.owners[strings.TrimSuffix(r.path, "/owner")] = made.User
	case "PUT /rooms/{room}/members/{user}":
		p.members = append(p.members, path.Join(path.Dir(r.path), made.User))
	case "POST /rooms":
		p.private = append(p.private[max(0, len(p.private)-populationRooms+1):], made.ID)
		if at := "/rooms/" + made.ID; strings.Contains(r.body, "visibility") {
			p.made, p.owners[at] = append(p.made, at), caller
		}
	case "POST /rooms/{room}/messages":
		p.last = append(p.last, "/rooms/"+made.Room+"/messages/"+made.ID)
	case "POST /rooms/{room}/messages/{id}/reports":
		p.reports = append(p.reports, "/rooms/"+made.Room+"/reports/"+made.ID)
	case "POST /rooms/{room}/invites":
		p.invites, p.tokens = append(p.invites, "/rooms/"+made.Room+"/invites/"+made.ID), append(p.tokens, made.Token)
	}
	if made.Next != "" {
		p.further = append(p.further, r.further(made.Next))
	}
}
