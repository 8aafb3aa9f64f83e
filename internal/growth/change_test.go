package growth_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/tabletest"
)

const room = chat.RoomID("seattle")

// world is a table with one room of one shard, whose calls can be made to fail.
type world struct {
	store  *dynamo.Store
	clock  *chattest.Clock
	faults *faults.Injector
	late   *latecomer
	owners *growth.OwnerSetting
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: chattest.NewClock(), faults: &faults.Injector{}, late: &latecomer{}}
	client := dynamo.LocalClient(enginetest.Start(t), w.faults.Options, w.late.options)
	tabletest.Create(t, client, "chat")
	w.store = dynamo.New(client, dynamo.Options{Table: "chat", Clock: w.clock.Now})
	made := chat.Room{ID: room, Name: "Seattle", CreatedBy: "amsg", CreatedAt: w.clock.Now(), Shards: 1, DigestKey: make([]byte, 32)}
	if created, err := w.store.CreateRoom(t.Context(), made, chat.OwnerOf(made, "amsg")); err != nil || !created {
		t.Fatal(created, err)
	}
	w.owners = growth.NewOwnerSetting(w.store, w.clock.Now, slog.New(slog.DiscardHandler))
	return w
}

// plan returns the stored plan of the room.
func (w *world) plan(t *testing.T) growth.Plan {
	t.Helper()
	w.faults.Plan()
	p, err := w.store.ShardPlan(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// latecomer holds back the first write while it is armed: the caller gets no response, and the
// write arrives when arrive is called.
type latecomer struct {
	armed bool
	held  *http.Request
	body  string
	next  interface {
		Do(*http.Request) (*http.Response, error)
	}
}

func (l *latecomer) options(o *dynamodb.Options) { l.next, o.HTTPClient = o.HTTPClient, l }

func (l *latecomer) Do(r *http.Request) (*http.Response, error) {
	if !l.armed || !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".UpdateItem") {
		return l.next.Do(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	l.armed, l.held, l.body = false, r, string(body)
	return nil, errors.New("timeout")
}

// arrive delivers the write that was held back, and returns the status of its response.
func (l *latecomer) arrive(t *testing.T) int {
	t.Helper()
	r := l.held.Clone(t.Context())
	r.Body = io.NopCloser(strings.NewReader(l.body))
	answer, err := l.next.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

func TestSetShards_TakesEffectAfterTheDelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if n, err := w.owners.SetShards(t.Context(), room, 4); err != nil || n != 4 {
		t.Fatal(n, err)
	}
	p, start := w.plan(t), w.clock.Now().Add(growth.Delay)
	if !p.Pinned || len(p.Epochs) != 2 || p.Epochs.Last() != (shard.Epoch{From: start.UTC(), N: 4}) {
		t.Fatalf("the plan is %+v, want 4 shards from %v", p, start)
	}
	for _, again := range []int{4, 0, 0, 4} {
		if n, err := w.owners.SetShards(t.Context(), room, again); err != nil || n != 4 {
			t.Errorf("%d again: %d shards, %v", again, n, err)
		}
		if p := w.plan(t); p.Pinned != (again > 0) || len(p.Epochs) != 2 {
			t.Errorf("after %d again the plan is %+v", again, p)
		}
	}
	if _, err := w.owners.SetShards(t.Context(), room, 2); err != nil {
		t.Fatal(err)
	}
	if p := w.plan(t); p.Epochs.Last() != (shard.Epoch{From: start.Add(time.Second).UTC(), N: 2}) {
		t.Errorf("a change of mind at the same moment has the epochs %v", p.Epochs)
	}
}

// TestSetShards_FaultsAddNoSecondEpoch fails the first write of a change in each way. The change is
// made once, or not at all.
func TestSetShards_FaultsAddNoSecondEpoch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shards := 1
	for _, fault := range faults.All() {
		if !fault.Fits("UpdateItem") {
			continue
		}
		for n := 1; n <= 2; n++ {
			before := w.plan(t)
			shards = 3 - shards
			rules := []faults.Rule{{Fault: fault, Operation: "UpdateItem", N: 1}}
			if n == 2 { // the write that settles it fails too
				rules = append(rules, faults.Rule{Fault: fault, Operation: "UpdateItem", N: 2})
			}
			w.faults.Plan(rules...)
			_, err := w.owners.SetShards(t.Context(), room, shards)
			if struck := w.faults.Struck(); struck == 0 || struck > n {
				t.Fatalf("%v struck %d times", fault, struck)
			}
			after := w.plan(t)
			added := len(after.Epochs) - len(before.Epochs)
			if err == nil && added != 1 || added > 1 || err != nil && chat.KindOf(err) != chat.Unavailable {
				t.Errorf("%v of %d writes: %d epochs were added, %v", fault, n, added, err)
			}
			w.clock.Advance(time.Minute)
			if _, err := w.owners.SetShards(t.Context(), room, shards); err != nil {
				t.Fatal(err)
			}
			if p := w.plan(t); len(p.Epochs) != len(before.Epochs)+1 || p.Epochs.Last().N != shards {
				t.Errorf("%v, and once more: %v after %v", fault, p.Epochs, before.Epochs)
			}
		}
	}
}

// TestSetShards_ALateWriteHasNoEffect delivers a write after the process has given up on it.
func TestSetShards_ALateWriteHasNoEffect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.late.armed = true
	if n, err := w.owners.SetShards(t.Context(), room, 4); err != nil || n != 4 {
		t.Fatal(n, err)
	}
	before := w.plan(t)
	w.clock.Advance(time.Hour)
	if status := w.late.arrive(t); status != 400 {
		t.Errorf("the late write was answered with %d", status)
	}
	if after := w.plan(t); len(after.Epochs) != 2 || after.Writes != before.Writes {
		t.Errorf("the late write made %+v of %+v", after, before)
	}
}

// TestSetShards_WithoutTheSecondWriteItWouldTakeEffect shows that the test above notices.
func TestSetShards_WithoutTheSecondWriteItWouldTakeEffect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.late.armed = true
	before := w.plan(t)
	after := before
	after.Writes++
	after.Epochs = before.Epochs.With(4, w.clock.Now())
	if _, err := w.store.ReplaceShardPlan(t.Context(), room, before, after); err == nil {
		t.Fatal("the write was answered")
	}
	if status := w.late.arrive(t); status != 200 || len(w.plan(t).Epochs) != 2 {
		t.Errorf("the late write was answered with %d, and the plan is %+v", status, w.plan(t))
	}
}

func TestSetShards_OfAnUnknownRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.owners.SetShards(t.Context(), "nowhere", 2); chat.KindOf(err) != chat.NotFound {
		t.Errorf("got %v, want not found", err)
	}
}

func TestSetShards_EndsAtTheLastEpoch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := 1; n < shard.MaxEpochs; n++ {
		if _, err := w.owners.SetShards(t.Context(), room, 1+n%2); err != nil {
			t.Fatal(n, err)
		}
	}
	_, err := w.owners.SetShards(t.Context(), room, 7)
	if chat.KindOf(err) != chat.Conflict || len(w.plan(t).Epochs) != shard.MaxEpochs {
		t.Errorf("with %d epochs: %v", len(w.plan(t).Epochs), err)
	}
	if _, err := w.owners.SetShards(t.Context(), room, 0); err != nil {
		t.Errorf("to let it follow the rate: %v", err)
	}
}
