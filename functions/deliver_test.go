package functions_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/requests"
	"example.com/parley/internal/test/runtimestub"
	"example.com/parley/internal/test/tabletest"
	"example.com/parley/internal/timer"
)

// hookCreated is the time at which the hook of the events was created.
var hookCreated = time.UnixMilli(1535544000123)

// TestDeliver_KeepsWhatFailsAsInLambda sends the events to a hook whose receiver is on this machine.
// The deployed function refuses its address, so each delivery fails. The hook's state shows why, and
// what waits is in the queue, and then in rows with a timer.
//
//golden:record
func TestDeliver_KeepsWhatFailsAsInLambda(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the receiver was reached") }))
	defer receiver.Close()
	w := newDeliverWorld(t)
	w.put(hookCreated, hook.Settings{URL: receiver.URL})

	if kept := w.deliver("room-with-news"); !slices.Equal(kept, []string{requests.MessageID(0)}) {
		t.Errorf("after a failure %v are kept", kept)
	}
	if hidden := w.queue.take(); len(hidden) != 1 || hidden[0] != "ChangeMessageVisibilityBatch 5" && hidden[0] != "ChangeMessageVisibilityBatch 6" {
		t.Errorf("the queue received %v", hidden)
	}
	state := w.state()
	if len(state.Failures) != 1 || !strings.Contains(state.Failures[0].Reason, "address") || state.Tries != 1 || state.Behind {
		t.Errorf("after a failure the state is %+v", state.DeliveryState)
	}

	w.failed(2) // the third pause is for a timer
	if kept := w.deliver("room-with-news"); len(kept) > 0 {
		t.Errorf("after the third failure %v are kept", kept)
	}
	due, err := timer.Due(t.Context(), w.store.Table(), time.Now().Add(time.Hour), 10)
	if err != nil || len(due) == 0 || due[0].Name != "hook#helpdesk#moderator#1535544000123" {
		t.Errorf("the timers are %v, %v", due, err)
	}
	if state := w.state(); !state.Behind || state.Rooms != 1 {
		t.Errorf("%d rooms wait in rows, and the state is %+v", state.Rooms, state.DeliveryState)
	}

	w.put(time.Now().Add(time.Hour), hook.Settings{URL: receiver.URL, Wanted: hook.Wanted{Rooms: []chat.RoomID{"tacoma"}}})
	if kept := w.deliver("hook-changed"); len(kept) > 0 {
		t.Errorf("without a room %v are kept", kept)
	}
	if state := w.state(); state.Behind || state.Rooms != 0 {
		t.Errorf("%d rooms that the hook lost wait, and the state is %+v", state.Rooms, state.DeliveryState)
	}

	w.queue.take()
	if kept := w.deliver("deleted-hooks"); len(kept) > 0 {
		t.Errorf("of deleted hooks %v are kept", kept)
	}
	if removed := w.queue.take(); !slices.Equal(removed, []string{"DeleteMessageBatch"}) { // of the first; Lambda removes the last
		t.Errorf("the queue received %v", removed)
	}
	access := w.putRoomHooks(receiver.URL)
	if kept := w.deliver("hooks-of-rooms"); len(kept) > 0 {
		t.Errorf("of hooks of rooms %v are kept", kept)
	}
	if all, err := w.hooks(hookCreated).Hooks(t.Context(), access); err != nil || len(all) != 1 || all[0].ID != "ours" {
		t.Errorf("the room has the hooks %v, %v", all, err)
	}
	if _, state, err := w.hooks(hookCreated).Hook(t.Context(), access, "ours"); err != nil || state.Status != hook.Unverified || !strings.Contains(state.Test, "address") {
		t.Errorf("the challenge is %q, %v, and the hook %s", state.Test, err, state.Status)
	}
	if kept := w.deliver("unreadable"); !slices.Equal(kept, []string{requests.MessageID(0)}) {
		t.Errorf("of unreadable messages %v are kept", kept)
	}
	var used []string
	for _, b := range requests.Wakes {
		used = append(used, b.Name)
	}
	checkAllUsed(t, "deliver", used)
}

// deliverWorld is the function's process with its table and queue.
type deliverWorld struct {
	t        *testing.T
	endpoint string // of the engine
	fn       *runtimestub.Function
	store    *dynamo.Store
	queue    *wakeStub
}

func newDeliverWorld(t *testing.T) *deliverWorld {
	t.Helper()
	endpoint := enginetest.Start(t)
	client := dynamo.LocalClient(endpoint)
	tabletest.Create(t, client, feedTable)
	w := &deliverWorld{
		t: t, endpoint: endpoint, store: dynamo.New(client, dynamo.Options{Table: feedTable, Clock: time.Now}), queue: newWakeStub(t),
	}
	room := chat.Room{ID: "seattle", CreatedBy: "amsg", CreatedAt: time.Now(), Shards: 1, DigestKey: []byte("k")}
	if created, err := w.store.CreateRoom(t.Context(), room, chat.OwnerOf(room, "amsg")); !created || err != nil {
		t.Fatal(created, err)
	}
	putOldMessages(t, w.store)
	from, to := oldMessage(2).ReceivedAt, oldMessage(4).ReceivedAt
	s := feed.Segment{
		Room: "seattle", First: 1, Generation: streamLabel, WrittenAt: to, CreatedFrom: from, CreatedTo: to, ReceivedFrom: from, ReceivedTo: to,
		Changes: []feed.Change{
			{Type: feed.MemberChanged, User: "amsg", Origin: 1}, {Type: feed.MessageEdited, Message: oldMessage(6).ID, Revision: 2},
		},
	}
	for n := 2; n <= 4; n++ {
		s.Changes = append(s.Changes, feed.Change{Type: feed.MessageCreated, Message: oldMessage(n).ID, Revision: 1})
	}
	if ok, err := w.store.AppendSegment(t.Context(), s); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := w.store.PutFeedHead(t.Context(), s.Head()); err != nil {
		t.Fatal(err)
	}
	made := map[string]string{"Table": feedTable, "HookQueue": w.queue.server.URL + "/000000000000/hooks"}
	env := environment(t, "deliver", made, recorder.Proxy(t, "deliver", endpoint))
	w.fn = start(t, "deliver", append(env, "AWS_ENDPOINT_URL_SQS="+recorder.Proxy(t, "deliver", w.queue.server.URL)))
	return w
}

// hooks returns the service of hooks at a time. It may have receivers on this machine.
func (w *deliverWorld) hooks(at time.Time) *hook.Service {
	rooms := chat.NewService(chat.Options{Store: w.store, Clock: time.Now})
	return hook.NewService(hook.Options{
		Table: w.store.Table(), Feed: feed.NewService(w.store, rooms, time.Now), Tails: w.store, Random: rand.Reader,
		Clock: func() time.Time { return at }, Addresses: outgoing.Options{Loopback: true}, Rooms: rooms,
		Rules: hook.Rules{On: true, Owners: true},
	})
}

// putRoomHooks creates two hooks of a room, one of them of somebody who does not own it.
func (w *deliverWorld) putRoomHooks(url string) hook.Access {
	w.t.Helper()
	for id, by := range map[hook.ID]chat.UserID{"ours": "amsg", "theirs": "bob"} {
		h := hook.Hook{
			ID: id, Holder: hook.OfRoom("seattle"), By: by, CreatedAt: hookCreated, ChangedAt: hookCreated, URL: url,
			Wanted: hook.Wanted{Rooms: []chat.RoomID{"seattle"}},
		}
		for _, item := range []table.Item{hook.Item(h), hook.DeliveryItem(h, []byte("secret"))} {
			if _, err := w.store.Table().PutItem(w.t.Context(), "prepare", item, table.Update{}); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	access, err := w.hooks(hookCreated).ForRoom(w.t.Context(), "amsg", "seattle")
	if err != nil {
		w.t.Fatal(err)
	}
	return access
}

func (w *deliverWorld) put(at time.Time, s hook.Settings) {
	w.t.Helper()
	if _, _, _, err := w.hooks(at).Put(w.t.Context(), hook.ForService("helpdesk"), "moderator", s); err != nil {
		w.t.Fatal(err)
	}
}

// failed stores that the last tries have failed, and that the pause is over.
func (w *deliverWorld) failed(tries int) {
	w.t.Helper()
	state, err := json.Marshal(hook.DeliveryState{Tries: tries})
	if err != nil {
		w.t.Fatal(err)
	}
	h := hook.Hook{ID: "moderator", Holder: "helpdesk", CreatedAt: hookCreated}
	err = w.store.Table().UpdateBlindly(w.t.Context(), "prepare", h.DeliveryKey(), table.Update{
		Expression: "SET #state = :state", Names: map[string]string{"#state": "state"},
		Values: table.Item{":state": table.Binary(state)},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *deliverWorld) state() hook.State {
	w.t.Helper()
	_, state, err := w.hooks(time.Now()).Hook(w.t.Context(), hook.ForService("helpdesk"), "moderator")
	if err != nil {
		w.t.Fatal(err)
	}
	return state
}

// deliver invokes the function with a batch, and returns the messages that stay in the queue.
func (w *deliverWorld) deliver(batch string) (kept []string) {
	w.t.Helper()
	i := slices.IndexFunc(requests.Wakes, func(b requests.WakeBatch) bool { return b.Name == batch })
	ctx, cancel := context.WithTimeout(w.t.Context(), testTime)
	defer cancel()
	answer, err := w.fn.Invoke(ctx, []byte(requests.Wakes[i].Event()))
	if err != nil {
		w.t.Fatal(err)
	}
	var response events.SQSEventResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		w.t.Fatalf("%v\n%s", err, answer)
	}
	for _, f := range response.BatchItemFailures {
		kept = append(kept, f.ItemIdentifier)
	}
	return kept
}

// wakeStub stands in for the queue of hooks, as SQS cannot run here. It accepts batches over the
// JSON protocol and records them.
type wakeStub struct {
	server *httptest.Server

	mu       sync.Mutex
	received []string
}

func newWakeStub(t *testing.T) *wakeStub {
	t.Helper()
	q := &wakeStub{}
	q.server = httptest.NewServer(http.HandlerFunc(q.serve))
	t.Cleanup(q.server.Close)
	return q
}

// take returns the requests since the last call: the operation, and what it sets for each message.
func (q *wakeStub) take() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.received
	q.received = nil
	return all
}

func (q *wakeStub) serve(w http.ResponseWriter, r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var in struct {
		QueueUrl string //nolint:revive // as SQS names it
		Entries  []struct {
			Id, ReceiptHandle, MessageBody, MessageGroupId, MessageDeduplicationId string //nolint:revive // the same
			VisibilityTimeout                                                      int
		}
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	line, answers := operation, []string{}
	for _, e := range in.Entries {
		answers = append(answers, fmt.Sprintf(`{"Id":%q,"MessageId":"m","MD5OfMessageBody":%q}`, e.Id, md5Of(e.MessageBody)))
		switch {
		case e.VisibilityTimeout > 0:
			line += fmt.Sprint(" ", e.VisibilityTimeout)
		case e.MessageBody != "" && e.MessageGroupId != "" && e.MessageDeduplicationId != "":
			line += " " + e.MessageBody
		}
	}
	if err != nil || in.QueueUrl != q.server.URL+"/000000000000/hooks" {
		line += fmt.Sprintf(" of the queue %s: %v", in.QueueUrl, err)
	}
	q.received = append(q.received, line)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	fmt.Fprintf(w, `{"Successful":[%s],"Failed":[]}`, strings.Join(answers, ","))
}

// TestOutbox_WakesDeliveriesAsInLambda sends news and a due timer to the queue.
//
//golden:record
func TestOutbox_WakesDeliveriesAsInLambda(t *testing.T) {
	w := newDeliverWorld(t)
	w.put(hookCreated, hook.Settings{URL: "http://127.0.0.1:1"})
	fn := start(t, "outbox", append(environment(t, "outbox", map[string]string{
		"Table": feedTable, "FailureQueue": "failures", "HookQueue": w.queue.server.URL + "/000000000000/hooks",
	}, recorder.Proxy(t, "outbox", w.endpoint)), "AWS_ENDPOINT_URL_SQS="+recorder.Proxy(t, "outbox", w.queue.server.URL)))
	due := timer.Timer{At: hookCreated, Name: "hook#helpdesk#moderator#1535544000123"}
	if err := timer.Set(t.Context(), w.store.Table(), due); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ event, sent string }{
		{requests.News[0].Event(), `{"holder":"helpdesk","hook":"moderator","created":1535544000123,"rooms":[{"room":"seattle","seq":3,"first":2,"gen":"2018-08-29T11:59:00.000"}]}`},
		{`{"sweep":true}`, `{"holder":"helpdesk","hook":"moderator","created":1535544000123,"once":1535544000123}`},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), testTime)
		_, err := fn.Invoke(ctx, []byte(tt.event))
		cancel()
		if diff := cmp.Diff([]string{"SendMessageBatch " + tt.sent}, w.queue.take()); err != nil || diff != "" {
			t.Errorf("the queue received (-want +got), %v:\n%s", err, diff)
		}
	}
	if left, err := timer.Due(t.Context(), w.store.Table(), time.Now(), 10); err != nil || len(left) > 0 {
		t.Errorf("the timers are %v, %v", left, err)
	}
}
