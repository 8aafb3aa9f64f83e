package history_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/chat"
	"parley/internal/feed"
)

// never is when an operation returns whose outcome stays unknown: it may take effect
// at any time, or after everything else, which nobody can tell from not at all.
const never = math.MaxInt64

// place is a message in its room: what one register of the model is.
type place struct {
	room chat.RoomID
	id   chat.MessageID
}

// recorder takes down what was asked and what was answered, and when.
type recorder struct {
	began time.Time

	mu         sync.Mutex
	messages   map[place][]porcupine.Operation
	logs       map[chat.RoomID][]porcupine.Operation
	hidden     map[chat.RoomID][]porcupine.Operation // segments that were put, and that the head is not behind
	made       map[chat.RoomID][]feed.Change         // what was acknowledged
	operations int
	unknown    int
	findings   []finding
}

// finding is something that must not be.
type finding struct {
	of   fault
	text string
}

// fault is what kind of thing that is.
type fault string

const (
	wrongMessage fault = "a message is not linearizable"
	wrongLog     fault = "a feed is not linearizable as a log"
	wrongFeed    fault = "a feed does not tell what happened"
	wrongAnswer  fault = "an answer cannot be right"
	undelivered  fault = "what was acknowledged and delivered is not in the feed"
	noVerdict    fault = "a check took too long"
)

func (f finding) String() string { return string(f.of) + ": " + f.text }

func newRecorder() *recorder {
	return &recorder{
		began: time.Now(), messages: map[place][]porcupine.Operation{}, logs: map[chat.RoomID][]porcupine.Operation{},
		hidden: map[chat.RoomID][]porcupine.Operation{}, made: map[chat.RoomID][]feed.Change{},
	}
}

// now is the time of a call or a return.
func (r *recorder) now() int64 { return int64(time.Since(r.began)) }

// found notes what shows without a model.
func (r *recorder) found(of fault, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings = append(r.findings, finding{of, fmt.Sprintf(format, args...)})
}

// message takes down an operation on a message that was called at a time and returns now.
func (r *recorder) message(client int, c call, called int64, a answer) {
	o := porcupine.Operation{ClientId: client, Input: c, Call: called, Output: a, Return: r.now()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.outcome == unknown {
		if c.kind == get {
			return // it says nothing and does nothing
		}
		o.Return = never
		r.unknown++
	}
	r.operations++
	r.messages[c.place] = append(r.messages[c.place], o)
	if a.outcome == made {
		r.made[c.room] = append(r.made[c.room], feed.Change{Message: c.id, Revision: a.view.revision})
	}
}

// log takes down an operation on a room's feed.
func (r *recorder) log(room chat.RoomID, input any, called int64, output any) {
	o := porcupine.Operation{Input: input, Call: called, Output: output, Return: r.now()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a, ok := output.(appended); ok && a.unknown {
		o.Return = never
		r.unknown++
	}
	r.operations++
	r.logs[room] = append(r.logs[room], o)
}

// put takes down a segment that was put.
func (r *recorder) put(room chat.RoomID, o porcupine.Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.operations++
	r.hidden[room] = append(r.hidden[room], o)
}

// shown takes down that the head of a feed is at a number, or further on.
func (r *recorder) shown(room chat.RoomID, last int64) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	var still []porcupine.Operation
	for _, o := range r.hidden[room] {
		if in := o.Input.(appending); in.first <= last {
			o.Return = now
			r.logs[room] = append(r.logs[room], o)
		} else {
			still = append(still, o)
		}
	}
	r.hidden[room] = still
}

// acknowledged is what was acknowledged until now: a copy.
func (r *recorder) acknowledged() map[chat.RoomID][]feed.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[chat.RoomID][]feed.Change{}
	for room, changes := range r.made {
		all[room] = changes[:len(changes):len(changes)]
	}
	return all
}

type writesKey struct{}

// countWrites gives a context whose conditional writes are counted as they are sent. One that was sent
// more than once may have been refused by its own traces.
func countWrites(ctx context.Context) (context.Context, *atomic.Int32) {
	n := &atomic.Int32{}
	return context.WithValue(ctx, writesKey{}, n), n
}

// counting counts for countWrites, where the SDK sends its requests.
type counting struct{ next dynamodb.HTTPClient }

func (c *counting) Do(r *http.Request) (*http.Response, error) {
	target := r.Header.Get("X-Amz-Target")
	if n, ok := r.Context().Value(writesKey{}).(*atomic.Int32); ok &&
		(strings.HasSuffix(target, ".PutItem") || strings.HasSuffix(target, ".TransactWriteItems")) {
		n.Add(1)
	}
	return c.next.Do(r)
}
