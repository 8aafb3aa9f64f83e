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

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// never is the return time of an operation of unknown outcome. It may take effect at any time.
// Taking effect after all other operations is equivalent to having no effect.
const never = math.MaxInt64

// messageKey identifies a message in its room, and so a register of the model.
type messageKey struct {
	room chat.RoomID
	id   chat.MessageID
}

// recorder records calls, answers and their times.
type recorder struct {
	start time.Time

	mu          sync.Mutex
	messages    map[messageKey][]porcupine.Operation
	logs        map[chat.RoomID][]porcupine.Operation
	unpublished map[chat.RoomID][]porcupine.Operation // written segments after the head
	committed   map[chat.RoomID][]feed.Change         // acknowledged changes
	operations  int
	unknown     int
	findings    []finding
}

// finding is a violation of a promise.
type finding struct {
	kind fault
	text string
}

// fault is the kind of a violation.
type fault string

const (
	wrongMessage fault = "a message is not linearizable"
	wrongLog     fault = "a feed is not linearizable as a log"
	wrongFeed    fault = "a feed does not match the messages"
	wrongAnswer  fault = "an answer is impossible"
	lostLive     fault = "a reader through a socket misses a change"
	undelivered  fault = "an acknowledged and delivered change is not in the feed"
	noVerdict    fault = "a check took too long"
)

func (f finding) String() string { return string(f.kind) + ": " + f.text }

func newRecorder() *recorder {
	return &recorder{
		start: time.Now(), messages: map[messageKey][]porcupine.Operation{}, logs: map[chat.RoomID][]porcupine.Operation{},
		unpublished: map[chat.RoomID][]porcupine.Operation{}, committed: map[chat.RoomID][]feed.Change{},
	}
}

// now returns the time of a call or a return.
func (r *recorder) now() int64 { return int64(time.Since(r.start)) }

// report adds a finding that needs no model.
func (r *recorder) report(kind fault, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findings = append(r.findings, finding{kind, fmt.Sprintf(format, args...)})
}

// message records an operation on a message. The operation returns now.
func (r *recorder) message(client int, c call, called int64, a answer) {
	o := porcupine.Operation{ClientId: client, Input: c, Call: called, Output: a, Return: r.now()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.outcome == unknown {
		if c.kind == get {
			return // a read without an answer has no effect
		}
		o.Return = never
		r.unknown++
	}
	r.operations++
	r.messages[c.messageKey] = append(r.messages[c.messageKey], o)
	if a.outcome == succeeded {
		r.committed[c.room] = append(r.committed[c.room], feed.Change{Message: c.id, Revision: a.view.revision})
	}
}

// log records an operation on a room's feed.
func (r *recorder) log(room chat.RoomID, input any, called int64, output any) {
	o := porcupine.Operation{Input: input, Call: called, Output: output, Return: r.now()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a, ok := output.(appendOutput); ok && a.unknown {
		o.Return = never
		r.unknown++
	}
	r.operations++
	r.logs[room] = append(r.logs[room], o)
}

// written records a segment that was written but is not visible yet.
func (r *recorder) written(room chat.RoomID, o porcupine.Operation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.operations++
	r.unpublished[room] = append(r.unpublished[room], o)
}

// published records that the head of a feed is at last or later.
func (r *recorder) published(room chat.RoomID, last int64) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	var remaining []porcupine.Operation
	for _, o := range r.unpublished[room] {
		if in := o.Input.(appendInput); in.first <= last {
			o.Return = now
			r.logs[room] = append(r.logs[room], o)
		} else {
			remaining = append(remaining, o)
		}
	}
	r.unpublished[room] = remaining
}

// acknowledged returns the changes acknowledged so far.
func (r *recorder) acknowledged() map[chat.RoomID][]feed.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[chat.RoomID][]feed.Change{}
	for room, changes := range r.committed {
		all[room] = changes[:len(changes):len(changes)]
	}
	return all
}

type writesKey struct{}

// countWrites returns a context that counts the conditional writes sent with it. A write sent
// repeatedly may have been rejected because of its own first attempt.
func countWrites(ctx context.Context) (context.Context, *atomic.Int32) {
	n := &atomic.Int32{}
	return context.WithValue(ctx, writesKey{}, n), n
}

// writeCounter is the HTTP client that counts for countWrites.
type writeCounter struct{ next dynamodb.HTTPClient }

func (c *writeCounter) Do(r *http.Request) (*http.Response, error) {
	target := r.Header.Get("X-Amz-Target")
	if n, ok := r.Context().Value(writesKey{}).(*atomic.Int32); ok &&
		(strings.HasSuffix(target, ".PutItem") || strings.HasSuffix(target, ".TransactWriteItems")) {
		n.Add(1)
	}
	return c.next.Do(r)
}
