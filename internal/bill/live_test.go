package bill

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/account"
	"example.com/parley/internal/app"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/inbox"
	conns "example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// nowhere drops frames.
type nowhere struct{}

func (nowhere) Post(context.Context, conns.ConnectionID, []byte) error { return nil }
func (nowhere) Close(context.Context, conns.ConnectionID) error        { return nil }

// named uses a person's name as their token: no call to the table depends on it.
type named struct{}

func (named) Verify(_ context.Context, token string, _ bool) (chat.UserID, time.Time, error) {
	return chat.UserID(token), time.Now().Add(90 * time.Minute), nil
}

// TestLive_MatchesTheBill counts the units of a connection's requests on the real engine, each in
// another process.
func TestLive_MatchesTheBill(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	services, _ := chattest.NewOn(t, endpoint, func(*app.Options) {})
	var mu sync.Mutex
	var used operation
	observe := func(_ context.Context, u dynamo.Usage) {
		mu.Lock()
		defer mu.Unlock()
		if u.Write {
			used.writes += u.Units
		} else {
			used.reads += u.Units
		}
	}
	db := dynamo.LocalClient(endpoint)
	tabletest.CreateLive(t, db, "live")
	store := dynamo.New(db, dynamo.Options{Table: chattest.Table, Clock: time.Now, Observe: observe})
	rooms := chat.NewService(chat.Options{Store: store, Clock: time.Now})
	connections := dynamo.NewTable(db, "live", observe)
	rows, budgets := conns.NewTable(connections), dynamo.NewConnectionBudgets(connections)
	accounts := account.NewService(account.Options{Table: store.Table(), Clock: time.Now})
	process := func() *socketapi.Handler {
		blocks := block.NewService(store.Table(), time.Now)
		service := conns.NewService(conns.Options{
			Store: rows, Rooms: conns.NewMemberAuthorizer(store, rooms, time.Now), Heads: store, Accounts: accounts, Blocks: blocks, Clock: time.Now,
		})
		return socketapi.New(socketapi.Options{
			Subscriptions: service, Listeners: service, Poster: nowhere{}, Tokens: named{}, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
			AnnounceTime: time.Minute, // tests share their machine
			Accounts:     accounts, Blocks: blocks,
			Meter: ratelimit.NewMeter(ratelimit.Options{Store: budgets, Limits: ratelimit.ForConnections(0), Clock: time.Now, Chance: func() float64 { return 0.99 }}),
			Inbox: inbox.NewService(inbox.Options{Store: inbox.NewStore(store.Table()), Source: store, Rooms: rooms, Blocks: blocks, Clock: time.Now}),
		})
	}
	var list []string
	for i := range SocketRooms {
		room := chat.RoomID(fmt.Sprintf("room-%02d", i))
		chattest.CreateRoom(t, services, room, 1)
		if err := chattest.SetRole(t, services, "bob", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
		list = append(list, `{"id":"`+string(room)+`"}`)
	}
	for _, tt := range []struct {
		name, route, body string
		want              operation
		renewed           bool // the first token has ended
	}{
		{"the beginning", "$connect", "", beginning, false},
		{"a hello", "$default", `{"type":"hello","id":"1","rooms":[` + strings.Join(list, ",") + `]}`, greeting, false},
		{"a sync", "$default", `{"type":"sync","id":"2"}`, syncing, false},
		{"a sync of one room", "$default", `{"type":"sync","id":"5","rooms":[{"id":"room-01"}]}`, comparing, false},
		{"a renewal", "$default", `{"type":"renew","id":"3","token":"bob"}`, renewing, false},
		{"a sync after the first token's end", "$default", `{"type":"sync","id":"4"}`, operation{reads: syncing.reads + ending.reads, writes: syncing.writes}, true},
		{"the end", "$disconnect", "", parting, false},
	} {
		used = operation{}
		e := events.APIGatewayWebsocketProxyRequest{Body: tt.body}
		e.RequestContext.RouteKey, e.RequestContext.ConnectionID, e.RequestContext.RequestID = tt.route, "c1=", "r-"+tt.name
		until := time.Now().Add(time.Hour)
		if tt.renewed {
			until = time.Now()
		}
		e.RequestContext.Authorizer = map[string]any{
			config.ContextUser: "bob", config.ContextUntil: strconv.FormatInt(until.Unix(), 10),
			config.ContextRenewable: strconv.FormatInt(time.Now().Add(2*time.Hour).Unix(), 10),
		}
		if a, err := process().Handle(t.Context(), e); err != nil || a.StatusCode != http.StatusOK || strings.Contains(a.Body, "problem") {
			t.Fatalf("%s: %+v, %v", tt.name, a, err)
		}
		if !near(used.reads, tt.want.reads) || !near(used.writes, tt.want.writes) {
			t.Errorf("%s consumes %v reads and %v writes, but the bill states %+v", tt.name, used.reads, used.writes, tt.want)
		}
	}
}

// TestLive_AddsUpByHand computes the columns in another way.
func TestLive_AddsUpByHand(t *testing.T) {
	t.Parallel()
	const minutes = 1000 * 8 * 60 * 22
	for i, want := range map[int]map[string]float64{
		0: {
			"Messages to and from clients": (2*minutes/114.0 + 2*minutes/8.0 + 2*minutes/15.0) / 1e6,
			"Minutes of connections":       minutes * 0.25 / 1e6,
			"DynamoDB writes":              (minutes/114.0*94 + minutes/8.0*1.2 + minutes/15.0*0.01) * 0.625 / 1e6,
			"DynamoDB reads":               (minutes/114.0*125.5 + minutes/15.0 + minutes/8.0*30.5 + minutes/54.0*0.5 + (minutes/8.0-minutes/54.0)*54/114) * 0.125 / 1e6,
		},
		1: {"Messages to and from clients": 1, "Minutes of connections": 0, "DynamoDB reads": 0.0125},
		2: {"Minutes of connections": 1000 * 60 * 24 * 30 * 0.25 / 1e6},
	} {
		for _, l := range liveColumns()[i].use.lines() {
			if dollar, ok := want[l.Name]; ok && math.Abs(l.Dollar-dollar) > 0.001 {
				t.Errorf("column %d: %s cost %.4f, want %.4f", i+1, l.Name, l.Dollar, dollar)
			}
		}
	}
	if got, want := polled(5, 0), 60*(1.2e-6+3*0.125e-6)+5*(1.2e-6+15*0.125e-6); got < want || got > 2*want {
		t.Errorf("five minutes of polls cost %v, and %v of them are requests and reads", got, want)
	}
}
