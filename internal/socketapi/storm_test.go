package socketapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/infra/config"
	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/follow"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/throttle"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/tokenbucket"
)

const (
	// roomsOfAPerson are the rooms of each connection. All people are in the first few; the others
	// have some dozens each.
	roomsOfAPerson, roomsOfAll, roomsOfTeams = 30, 5, 2000
	// askAgain is the pause of a client after which it asks again for a room that failed.
	askAgain = 20 * time.Second
	// mostRefused is the part of the writes that the table may refuse.
	mostRefused = 0.01
	// lateBy is the time that the last clients may need in addition to the throttle's: they have
	// waited for up to 20 s, several times.
	lateBy = 3 * time.Minute
)

// TestHandle_ReconnectStorm reconnects everybody concurrently, on virtual time: with the handler,
// the service, the store and the SDK, through the throttle of the stage, to a new table.
func TestHandle_ReconnectStorm(t *testing.T) {
	t.Parallel()
	people := nightly.Times(250, 20_000) // of which each makes some 100 calls
	rate := config.Table{}.ConnectRate()
	synctest.Test(t, func(t *testing.T) {
		s := newStorm(t, rate)
		var clients sync.WaitGroup
		for i := range people {
			clients.Go(func() { s.connect(t.Context(), i) })
		}
		clients.Wait()
		took, least := time.Since(s.began), time.Duration(people/rate)*time.Second
		rows, writes := s.table.sums()
		t.Logf("%d people are back after %v (%d at %d a second: %v); %.1f writes each, %d calls refused, %d hellos and %d rooms repeated",
			people, took, people, rate, least, float64(writes)/float64(people), s.limits.Refused(), s.hellos, s.rooms)
		if rows != people*roomsOfAPerson {
			t.Errorf("%d subscriptions are active, want %d", rows, people*roomsOfAPerson)
		}
		if s.limits.Refused() == 0 && writes != people*config.HelloWrites {
			t.Errorf("%d writes, want %d for each person", writes, config.HelloWrites)
		}
		if share := float64(s.limits.Refused()) / float64(writes); share > mostRefused {
			t.Errorf("the table refused %.1f %% of the writes, want at most %v %%", 100*share, 100*mostRefused)
		}
		if took > least+lateBy {
			t.Errorf("the last was back after %v, want at most %v", took, least+lateBy)
		}
	})
}

// storm is a deployment that has just come back.
type storm struct {
	handler *socketapi.Handler
	limits  *throttle.Limits
	table   *countingTable
	stage   *tokenbucket.Buckets[string]
	began   time.Time

	mu            sync.Mutex
	hellos, rooms int // that failed, and were repeated
}

func newStorm(t *testing.T, rate int) *storm {
	s := &storm{table: &countingTable{active: map[uint64]bool{}}, stage: tokenbucket.New[string](rate, rate, time.Now), began: time.Now()}
	var err error
	if s.limits, err = throttle.New(throttle.NewTable, time.Now); err != nil {
		t.Fatal(err)
	}
	db := dynamo.LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) { o.HTTPClient = s.table }, s.limits.Options)
	connections := dynamo.NewTable(db, "live", nil)
	rows, budgets := live.NewTable(connections), dynamo.NewConnectionBudgets(connections)
	service := live.NewService(live.Options{Store: rows, Rooms: open{}, Heads: open{}, Accounts: open{}, Clock: time.Now})
	s.handler = socketapi.New(socketapi.Options{
		Subscriptions: service, Listeners: service, Blocks: open{}, Accounts: open{}, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
		Meter: ratelimit.NewMeter(ratelimit.Options{Store: budgets, Limits: ratelimit.ForConnections(0), Clock: time.Now, Chance: rand.Float64}),
	})
	return s
}

// connect connects person i until all of their rooms are subscribed, as internal/follow does: a
// refused connection or hello is repeated after a growing pause, a room that failed after a fixed
// one.
func (s *storm) connect(ctx context.Context, i int) {
	chance := rand.New(rand.NewPCG(uint64(i), 1))
	for failures := 1; ; failures++ {
		if s.stage.Take("stage", 1) == 0 {
			c := connecting{user: fmt.Sprint("u", i), id: fmt.Sprintf("c%d-%d=", i, failures)}
			failed, ok := s.send(ctx, &c, "hello", roomsOf(i))
			for ok && len(failed) > 0 {
				time.Sleep(askAgain)
				if again, acked := s.send(ctx, &c, "subscribe", failed); acked {
					failed = again
				}
			}
			if ok {
				return
			}
		}
		time.Sleep(follow.Backoff(failures, chance.Float64()))
	}
}

// connecting is a connection of a person, with the number of its requests.
type connecting struct {
	user, id string
	requests int
}

// roomsOf returns the rooms of person i.
func roomsOf(i int) []string {
	rooms := make([]string, roomsOfAPerson)
	for n := range rooms {
		if rooms[n] = fmt.Sprint("all-", n); n >= roomsOfAll {
			rooms[n] = fmt.Sprint("team-", (i*roomsOfAPerson+n)%roomsOfTeams)
		}
	}
	return rooms
}

// send sends a request for rooms. It returns the rooms that failed, and whether the request was
// acknowledged.
func (s *storm) send(ctx context.Context, c *connecting, kind string, rooms []string) (failed []string, ok bool) {
	c.requests++
	e := events.APIGatewayWebsocketProxyRequest{Body: `{"type":"` + kind + `","id":"1","rooms":[{"id":"` + strings.Join(rooms, `"},{"id":"`) + `"}]}`}
	e.RequestContext.RouteKey, e.RequestContext.ConnectionID, e.RequestContext.RequestID = "$default", c.id, fmt.Sprint(c.id, c.requests)
	e.RequestContext.Authorizer = map[string]any{"user": c.user, "until": strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10)}
	a, err := s.handler.Handle(ctx, e)
	var frame struct {
		Type  string
		Rooms []struct {
			ID      string
			Problem *struct{ Status int }
		}
	}
	if err == nil {
		err = json.Unmarshal([]byte(a.Body), &frame)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || frame.Type != "ack" {
		s.hellos++
		return nil, false
	}
	for _, room := range frame.Rooms {
		if room.Problem != nil {
			failed = append(failed, room.ID)
		}
	}
	s.rooms += len(failed)
	return failed, true
}

// countingTable accepts all writes, and counts them and the active subscriptions. Its reads find
// nothing.
type countingTable struct {
	mu     sync.Mutex
	active map[uint64]bool
	writes int
}

func (c *countingTable) Do(r *http.Request) (*http.Response, error) {
	answer := `{"ConsumedCapacity":{"CapacityUnits":1}}`
	switch operation := r.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(operation, ".Query"):
		answer = `{"Items":[],"ConsumedCapacity":{"CapacityUnits":0.5}}`
	case strings.HasSuffix(operation, ".BatchGetItem"):
		answer = `{"Responses":{"live":[]}}`
	default:
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		c.count(strings.HasSuffix(operation, ".UpdateItem"), text)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(answer)), ContentLength: int64(len(answer)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
	}, nil
}

// count counts a write. An update in the partition of a room activates a subscription.
func (c *countingTable) count(update bool, text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	var in struct {
		Key struct{ PK, SK struct{ S string } }
	}
	if update && json.Unmarshal(text, &in) == nil && strings.HasPrefix(in.Key.PK.S, "room#") {
		h := fnv.New64a()
		_, _ = h.Write([]byte(in.Key.PK.S + " " + in.Key.SK.S))
		c.active[h.Sum64()] = true
	}
}

func (c *countingTable) sums() (active, writes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.active), c.writes
}

// open lets everybody into every room. Its rooms have no changes yet.
type open struct{}

func (open) Authorize(context.Context, chat.UserID, chat.RoomID, policy.Action) (chat.Access, error) {
	return chat.Access{Role: policy.Member}, nil
}

func (open) CurrentFeedHead(context.Context, chat.RoomID) (feed.Head, error) { return feed.Head{}, nil }

func (open) FeedHeads(context.Context, []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	return nil, nil
}

func (open) Check(context.Context, chat.UserID) (account.Account, error) {
	return account.Account{}, nil
}

func (open) CheckCurrent(context.Context, chat.UserID) error { return nil }

func (open) Blocked(context.Context, chat.UserID) (map[chat.UserID]bool, error) { return nil, nil }
