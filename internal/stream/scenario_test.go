package stream_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/tabletest"
)

// scenario holds the records of three rooms in the stream, and the changes that their feeds must
// have, as entries or merged.
type scenario struct {
	endpoint string
	records  []events.DynamoDBEventRecord
	want     map[chat.RoomID][]feed.Change // in no order
	entries  map[chat.RoomID]int           // in one batch
	tables   int
}

// newScenario posts, edits and deletes in three rooms, one of three shards.
func newScenario(t *testing.T) *scenario {
	t.Helper()
	w := newFixture(t)
	s := &scenario{endpoint: w.endpoint, want: map[chat.RoomID][]feed.Change{}, entries: map[chat.RoomID]int{}}
	n := 0
	for i, room := range []chat.RoomID{"seattle", "seattle-1", "portland"} {
		w.room(room, 1+2*(i%2))
		member := chat.Membership{Room: room, User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: time.Now().UTC()}
		if ok, err := w.store.ChangeMembership(t.Context(), membership.Change{After: member}); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if ok, err := w.store.ChangeMembership(t.Context(), membership.Change{Before: member}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for range 2 {
		for _, room := range slices.Sorted(maps.Keys(s.rooms())) {
			for _, user := range []chat.UserID{"amsg", "bob"} {
				n++
				m := w.post(room, user, n)
				if n%3 == 0 {
					m = w.revise(m, m.Edited("other", m.ReceivedAt))
				}
				if n%4 == 0 {
					w.revise(m, m.Tombstone("amsg", m.ReceivedAt))
				}
			}
		}
	}
	s.records = w.stream.Next(t)
	w.deliver(w.handler(), s.records)
	for room := range s.rooms() {
		entries, all := w.wholeFeedOf(room)
		s.entries[room], s.want[room] = len(entries), identities(all)
	}
	return s
}

// rooms returns the rooms of every scenario.
func (s *scenario) rooms() map[chat.RoomID]bool {
	return map[chat.RoomID]bool{"seattle": true, "seattle-1": true, "portland": true}
}

func identities(changes []feed.Change) []feed.Change {
	all := make([]feed.Change, len(changes))
	for i, c := range changes {
		all[i] = c.Identity()
	}
	slices.SortFunc(all, func(a, b feed.Change) int {
		return slices.Compare([]byte(fmt.Sprint(a)), []byte(fmt.Sprint(b)))
	})
	return all
}

// play is one delivery of a scenario into separate feeds.
type play struct {
	*fixture
	scenario *scenario
	clock    func() time.Time
}

func (s *scenario) play(t *testing.T) *play {
	t.Helper()
	s.tables++
	w := &fixture{t: t, endpoint: s.endpoint, table: fmt.Sprintf("play-%d", s.tables), failures: &memoryFailures{}}
	client := dynamo.LocalClient(s.endpoint)
	tabletest.Create(t, client, w.table)
	w.store = dynamo.New(client, dynamo.Options{Table: w.table, Clock: time.Now})
	return &play{fixture: w, scenario: s, clock: time.Now}
}

// newStore returns a store of a new process, whose client has some options.
func (w *fixture) newStore(clock func() time.Time, options ...func(*dynamodb.Options)) *dynamo.Store {
	client := dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: w.endpoint, Credentials: dynamo.StaticCredentials("local", "local", ""),
		Jitter: func() float64 { return 0 }, Options: recorded(options),
	})
	return dynamo.New(client, dynamo.Options{Table: w.table, Clock: clock, Jitter: func() float64 { return 0 }})
}

// process returns a handler with its own state, like a new process.
func (p *play) process(options ...func(*dynamodb.Options)) *stream.Handler {
	store := p.newStore(p.clock, options...)
	return stream.NewHandler(stream.Options{
		Store: store, Failures: p.failures, Clock: p.clock, Log: slog.New(slog.DiscardHandler),
		Projections: p.projections, Consumers: p.consumers,
	})
}

// maxAttempts bounds how often a batch is retried before the test gives up.
const maxAttempts = 20

// deliverAll delivers a batch as Lambda does, and retries from the first failed record until all
// are done. begin returns the process for each attempt.
func (p *play) deliverAll(batch []events.DynamoDBEventRecord, begin func(again int) *stream.Handler) {
	p.t.Helper()
	for again := range maxAttempts {
		resp, err := begin(again).Handle(context.WithoutCancel(p.t.Context()), events.DynamoDBEvent{Records: batch})
		if err != nil {
			continue
		}
		if len(resp.BatchItemFailures) == 0 {
			return
		}
		batch = batch[firstFailed(p.t, batch, resp):]
	}
	p.t.Error("the batch still fails")
}

// firstFailed returns the index of the first failed record, from which Lambda retries.
func firstFailed(t *testing.T, batch []events.DynamoDBEventRecord, resp events.DynamoDBEventResponse) int {
	t.Helper()
	failed := map[string]bool{}
	for _, f := range resp.BatchItemFailures {
		failed[f.ItemIdentifier] = true
	}
	at := slices.IndexFunc(batch, func(r events.DynamoDBEventRecord) bool { return failed[r.Change.SequenceNumber] })
	if at < 0 {
		t.Fatalf("%v is not a record of the batch", resp.BatchItemFailures)
	}
	return at
}

func (p *play) deliverBy(h *stream.Handler, batch []events.DynamoDBEventRecord) {
	p.t.Helper()
	p.deliverAll(batch, func(int) *stream.Handler { return h })
}

// concurrently runs deliveries concurrently.
func concurrently(deliveries ...func()) {
	var all sync.WaitGroup
	for _, deliver := range deliveries {
		all.Go(deliver)
	}
	all.Wait()
}

// wantComplete checks that every room's feed holds each change once, as an entry or merged into one,
// with consecutive numbers, and that the revisions of each message are in order.
func (p *play) wantComplete() {
	p.t.Helper()
	for room := range p.scenario.rooms() {
		p.wantRoom(room, p.scenario.want[room])
	}
}

func (p *play) wantRoom(room chat.RoomID, want []feed.Change) {
	p.t.Helper()
	changes, all := p.wholeFeedOf(room)
	if got := identities(all); !slices.Equal(got, want) {
		p.t.Errorf("%s: the feed has %d changes, want %d:\n%v\n%v", room, len(got), len(want), got, want)
	}
	revisions := map[chat.MessageID]int{}
	for i, c := range changes {
		if !c.Type.OfMessage() {
			continue
		}
		if c.Revision != revisions[c.Message]+1 {
			p.t.Errorf("%s: change %d is revision %d of %v, after revision %d", room, i+1, c.Revision, c.Message, revisions[c.Message])
		}
		revisions[c.Message] = c.Revision
	}
}
