package hook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/wire"
)

// request is a request to a receiver.
type request struct {
	Type string `json:"type"`
	Data struct {
		ID    string          `json:"id"`
		Items []wire.HookRoom `json:"items"`
	} `json:"data"`
	header http.Header
	text   []byte
}

// receiver is the program behind the address of a hook.
type receiver struct {
	url string

	mu      sync.Mutex
	answers []int // the statuses of the next answers, then 204; 0 closes the connection
	// lose reports whether a request is not processed that is answered with a status other than 2xx.
	lose bool
	// refuse returns the status for a request before answers; 0 leaves it to them.
	refuse   func(request) int
	hang     chan struct{} // answers wait for its end, if it is not nil
	requests []request
	received map[chat.RoomID]int64
	deleted  map[chat.RoomID]bool
	texts    []string
	holes    []string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{received: map[chat.RoomID]int64{}, deleted: map[chat.RoomID]bool{}, lose: true}
	server := httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook"
	return r
}

func (r *receiver) serve(w http.ResponseWriter, in *http.Request) {
	text, err := io.ReadAll(in.Body)
	got := request{header: in.Header, text: text}
	if err != nil || json.Unmarshal(text, &got) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	hang := r.hang
	r.mu.Unlock()
	if hang != nil {
		<-hang
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, got)
	status := http.StatusNoContent
	if len(r.answers) > 0 {
		status, r.answers = r.answers[0], r.answers[1:]
	}
	if r.refuse != nil {
		if refused := r.refuse(got); refused != 0 {
			status = refused
		}
	}
	if status == http.StatusNoContent || !r.lose {
		r.take(got)
	}
	if status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(status)
}

// take processes a request.
func (r *receiver) take(got request) {
	for _, room := range got.Data.Items {
		id := chat.RoomID(room.ID)
		if room.Deleted {
			r.deleted[id] = true
			r.texts = append(r.texts, room.ID+" is deleted")
		}
		for _, c := range room.Changes {
			if last := r.received[id]; c.Seq > last+1 {
				r.holes = append(r.holes, fmt.Sprintf("%s after %d: %d", id, last, c.Seq))
			}
			r.received[id] = max(r.received[id], c.Seq)
			if c.Message != nil {
				r.texts = append(r.texts, room.ID+": "+c.Message.Text)
			}
		}
	}
}

// next sets the statuses of the next answers.
func (r *receiver) next(statuses ...int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers = statuses
}

// taken returns the texts that were received since the last call.
func (r *receiver) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	texts := r.texts
	r.texts = nil
	return texts
}

// count returns the number of requests since the last call.
func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.requests)
	r.requests = nil
	return n
}

// queue is a queue in memory, from which the test receives.
type queue struct {
	mu    sync.Mutex
	wakes []hook.Wake
}

func (q *queue) Send(_ context.Context, wakes []hook.Wake) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wakes = append(q.wakes, wakes...)
	return nil
}

// receive takes messages of one hook: at most n, from the first.
func (q *queue) receive(n int) (wakes []hook.Wake) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []hook.Wake
	for _, w := range q.wakes {
		if len(wakes) < n && w.Group() == q.wakes[0].Group() {
			wakes = append(wakes, w)
		} else {
			rest = append(rest, w)
		}
	}
	q.wakes = rest
	return wakes
}

// putBack puts messages back before all others.
func (q *queue) putBack(wakes []hook.Wake) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wakes = append(slices.Clone(wakes), q.wakes...)
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.wakes)
}

// deliverer returns the deliverer of a new process.
func (w *world) deliverer(options ...func(*dynamodb.Options)) *hook.Deliverer {
	return hook.NewDeliverer(hook.DelivererOptions{
		Service: w.service(options...), Client: w.client,
		Random: func() float64 { return 0 }, Sleep: func(context.Context, time.Duration) {}, Log: slog.New(slog.DiscardHandler),
	})
}

// push creates a hook with the address of a new receiver, and delivers what its creation wakes.
func (w *world) push(id hook.ID, wanted hook.Wanted) *receiver {
	w.t.Helper()
	r := w.address(id, wanted)
	w.pump()
	w.deliver()
	return r
}

// address creates a hook with the address of a new receiver.
func (w *world) address(id hook.ID, wanted hook.Wanted) *receiver {
	w.t.Helper()
	r := newReceiver(w.t)
	_, created, secret, err := w.service().Put(w.t.Context(), bot, id, hook.Settings{Wanted: wanted, URL: r.url})
	if err != nil || !created || secret == "" {
		w.t.Fatal(created, secret, err)
	}
	return r
}

// deliver delivers what is in the queue, once, and returns the pause of the last hook that has one.
// What pauses stays in the queue.
func (w *world) deliver() (pause time.Duration) {
	w.t.Helper()
	var kept []hook.Wake
	for w.queue.len() > 0 {
		wakes := w.queue.receive(10)
		p, err := w.deliverer().Deliver(w.t.Context(), wakes)
		if err != nil {
			w.t.Fatal(err)
		}
		if p > 0 {
			pause, kept = p, append(kept, wakes...)
		}
	}
	w.queue.putBack(kept)
	return pause
}

// sweep wakes the hooks whose timers are due.
func (w *world) sweep() {
	w.t.Helper()
	if err := hook.NewOutbox(w.store.Table(), w.queue, w.clock.Now, hook.Rules{On: true}).Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// dueRows returns the keys of the rows of rooms that wait.
func (w *world) dueRows() []string {
	return slices.DeleteFunc(w.rows("hook#"), func(key string) bool { return !strings.Contains(key, " due#") })
}
