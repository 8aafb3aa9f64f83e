package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/httpapi"
	"parley/internal/local/engine/enginetest"
)

const (
	worldSteps  = 250 // what the watched people do
	bystanders  = 3   // steps of others beside each of them, when they are busy
	worldPeople = 6
)

// TestNobodyLearnsWhetherOthersAreBusy lets the same people do the same
// things twice, with the same clock and the same chance: once alone, and once while other people are busy
// in other rooms, at the same moment and on the same store. Every answer must be the same to
// the byte.
func TestNobodyLearnsWhetherOthersAreBusy(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	alone := liveThrough(t, seed, false)
	among := liveThrough(t, seed, true)
	for i := range alone {
		if alone[i] != among[i] {
			t.Fatalf("step %d\nalone:        %s\namong others: %s", i, alone[i], among[i])
		}
	}
}

// world is people who do random things; each group has a service of its own, as
// processes have, on a store that both share.
type world struct {
	api    *api
	random *rand.Rand
	prefix string   // of the names of its people and rooms
	rooms  []string // that were made, private ones too
	last   []string // ids of messages
	now    func() time.Time
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

func liveThrough(t *testing.T, seed uint64, busy bool) []string {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t))
	for _, err := range []error{dynamo.CreateTable(t.Context(), client, "chat"), dynamo.CreateLogTable(t.Context(), client, "log")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var step time.Duration
	now := func() time.Time { return start.Add(step) }
	store := dynamo.New(client, dynamo.Options{Table: "chat", Clock: now})
	logs := dynamo.NewLog(client, dynamo.Options{Table: "log"})
	people := newWorld(store, logs, now, seed, "a")
	others := newWorld(store, logs, now, seed+1, "b")

	var answers []string
	for range worldSteps {
		step += 100 * time.Millisecond // between steps, so that nobody reads it meanwhile
		var wg sync.WaitGroup
		if busy {
			wg.Go(func() {
				for range bystanders {
					others.act(t)
				}
			})
		}
		answers = append(answers, people.act(t))
		wg.Wait()
	}
	return answers
}

func newWorld(store chat.Store, logs chat.LogStore, now func() time.Time, seed uint64, prefix string) *world {
	w := &world{
		api: &api{logs: &bytes.Buffer{}}, random: rand.New(rand.NewPCG(seed, 1)), prefix: prefix, now: now,
		rooms: []string{prefix + "-0"}, last: []string{goodID + "~nobody"},
	}
	service := chat.NewService(chat.Options{
		Store: store, Logs: logs, Clock: now, Random: &seeded{r: rand.New(rand.NewPCG(seed, 2))},
	})
	mux := http.NewServeMux()
	for _, f := range []httpapi.Function{httpapi.Write, httpapi.Read} {
		h := httpapi.New(httpapi.Options{
			Service: service, Function: f, Clock: now, Log: slog.New(slog.DiscardHandler),
			Subject: func(r *http.Request) string { return r.Header.Get(userHeader) },
		})
		for _, r := range httpapi.Routes() {
			if r.Function == f {
				mux.Handle(r.Method+" "+r.Path, h)
			}
		}
	}
	w.api.handler = mux
	return w
}

func (w *world) pick(from []string) string { return from[w.random.IntN(len(from))] }

func (w *world) person() string { return fmt.Sprintf("%s%d", w.prefix, w.random.IntN(worldPeople)) }

// act does one random thing and tells what was asked and answered.
func (w *world) act(t *testing.T) string {
	method, path, body := w.request()
	caller := w.person()
	got := w.api.do(t, method, path, body, userHeader, caller)
	var made struct{ ID, Room string }
	if got.status == 201 && json.Unmarshal([]byte(got.text), &made) == nil {
		if made.ID != "" {
			w.last = append(w.last, made.ID)
		} else if path == "/rooms" {
			w.rooms = append(w.rooms, made.Room)
		}
	}
	return fmt.Sprintf("%s %s %s by %s: %d %v %s", method, path, body, caller, got.status, got.header, got.text)
}

func (w *world) request() (method, path, body string) {
	room := "/rooms/" + w.pick(w.rooms)
	switch w.random.IntN(14) {
	case 0:
		id := fmt.Sprintf("%s-%d", w.prefix, w.random.IntN(4))
		w.rooms = append(w.rooms, id)
		return "PUT", "/rooms/" + id, fmt.Sprintf(`{"topic":"topic %d","shards":%d}`, w.random.IntN(9), 1+w.random.IntN(3))
	case 1:
		return "POST", "/rooms", `{"visibility":"private","name":"x"}`
	case 2, 3, 4, 5:
		return "POST", room + "/messages", fmt.Sprintf(`{"text":"text %d"}`, w.random.IntN(100))
	case 6, 7:
		return "GET", room + fmt.Sprintf("/messages?limit=%d&order=%s", 1+w.random.IntN(20), w.pick([]string{"asc", "desc"})), ""
	case 8:
		return "GET", room + "/messages?user=" + w.person(), ""
	case 9:
		return "GET", room + "/messages/" + w.pick(w.last), ""
	case 10:
		return "PUT", room + "/members/" + w.person(), fmt.Sprintf(`{"role":%q}`, w.pick([]string{"owner", "moderator", "member", "muted", "banned"}))
	case 11:
		return "DELETE", room + "/members/" + w.person(), ""
	case 12:
		return "GET", room + "/members", ""
	}
	return "GET", "/people/me/rooms", ""
}
