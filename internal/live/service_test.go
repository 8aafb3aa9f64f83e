package live_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/app"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// fixture is the service on the engine, together with the API's services.
type fixture struct {
	*live.Service
	api      *app.Services
	rows     *live.Table
	store    *dynamo.Store
	clock    *chattest.Clock
	attempts atomic.Int32
	units    units
}

// units are the units of the calls for connections and heads of feeds, which may run concurrently.
type units struct {
	mu            sync.Mutex
	reads, writes float64
}

func (u *units) observe(_ context.Context, used dynamo.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if used.Write {
		u.writes += used.Units
	} else {
		u.reads += used.Units
	}
}

// take returns the units since the last time.
func (u *units) take() [2]float64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	sum := [2]float64{u.reads, u.writes}
	u.reads, u.writes = 0, 0
	return sum
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{}
	endpoint := enginetest.Start(t)
	f.api, f.clock = chattest.NewOn(t, endpoint, func(*app.Options) {})
	client := dynamo.LocalClient(endpoint)
	f.rows = live.NewTable(dynamo.NewTable(client, chattest.LiveTable, f.units.observe))
	f.store = dynamo.New(client, dynamo.Options{Table: chattest.Table, Clock: f.clock.Now, Observe: f.units.observe})
	f.Service = live.NewService(live.Options{Store: f.rows, Rooms: f.api.Service, Heads: f.store, Accounts: f.api.Accounts, Blocks: block.NewService(f.store.Table(), f.clock.Now), Clock: f.clock.Now})
	return f
}

// connection returns a connection of a person, such as amsg-1.
func (f *fixture) connection(user chat.UserID, n int) live.Connection {
	return live.Connection{ID: live.ConnectionID(fmt.Sprintf("%s-%d", user, n)), User: user, Until: f.clock.Now().Add(2 * time.Hour)}
}

// subscribe opens a connection and subscribes it to rooms.
func (f *fixture) subscribe(t *testing.T, c live.Connection, rooms ...chat.RoomID) {
	t.Helper()
	if err := f.Open(t.Context(), c, rooms); err != nil {
		t.Fatal(err)
	}
	for _, room := range rooms {
		if _, err := f.subscribeTo(t.Context(), c, fmt.Sprint(f.attempts.Add(1)), room); err != nil {
			t.Fatalf("%s subscribes to %s: %v", c.ID, room, err)
		}
	}
}

// subscribeTo subscribes a connection to one room, and returns the head of its feed.
func (f *fixture) subscribeTo(ctx context.Context, c live.Connection, attempt string, room chat.RoomID) (feed.Head, error) {
	results, err := f.Subscribe(ctx, c, attempt, []live.Want{{Room: room}})
	if err != nil {
		return feed.Head{}, err
	}
	return results[0].Head, results[0].Err
}

func ids(all []live.Subscription) []live.ConnectionID {
	var ids []live.ConnectionID
	for _, s := range all {
		ids = append(ids, s.Connection.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestSubscribe_HiddenRoomIsAnAbsentOne: neither leaves a subscription.
func TestSubscribe_HiddenRoomIsAnAbsentOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	hidden := chattest.CreatePrivateRoom(t, f.api, "maker")
	c := f.connection("eve", 1)
	var errs []string
	for _, room := range []chat.RoomID{hidden, "p-00000000000000000000"} {
		_, err := f.subscribeTo(t.Context(), c, "1", room)
		chattest.WantKind(t, string(room), err, chat.NotFound)
		errs = append(errs, fmt.Sprint(err))
		if all, err := f.rows.Subscriptions(t.Context(), room); len(all) != 0 || err != nil {
			t.Errorf("%s: %v, %v", room, all, err)
		}
	}
	if errs[0] != errs[1] {
		t.Errorf("%q", errs)
	}
}

func TestSubscribe_DeletedRoomIsNotFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	c := f.connection("amsg", 1)
	f.subscribe(t, c, "seattle")
	// The process ends before it deletes the subscriptions.
	if err := f.api.Service.DeleteRoom(t.Context(), "maker", "seattle", nil); err != nil {
		t.Fatal(err)
	}
	_, err := f.subscribeTo(t.Context(), c, "again", "seattle")
	chattest.WantKind(t, "subscribe", err, chat.NotFound)
	f.clock.Advance(chat.RoomCacheAge)
	_, err = f.Typing(t.Context(), c, "seattle")
	chattest.WantKind(t, "typing", err, chat.NotFound)
}

// TestPositions_AreOfLiveSubscriptions: a person who was removed learns only that.
func TestPositions_AreOfLiveSubscriptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	hidden := chattest.CreatePrivateRoom(t, f.api, "maker")
	if err := chattest.SetRole(t, f.api, "maker", hidden, "amsg", policy.Member); err != nil {
		t.Fatal(err)
	}
	for _, room := range []chat.RoomID{"seattle", hidden} {
		if err := f.store.PutFeedHead(t.Context(), feed.Head{Room: room, Last: 7, Generation: "g", WrittenAt: f.clock.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	c := f.connection("amsg", 1)
	positions := func() map[chat.RoomID]live.Position {
		t.Helper()
		all, err := f.Positions(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		byRoom := map[chat.RoomID]live.Position{}
		for _, p := range all {
			byRoom[p.Room] = p
			if p.Subscribed != (p.Head.Last == 7) {
				t.Errorf("%+v", p)
			}
		}
		return byRoom
	}
	if all := positions(); len(all) != 0 {
		t.Errorf("before hello: %+v", all)
	}
	f.subscribe(t, c, "seattle", hidden)
	if all := positions(); len(all) != 2 || !all["seattle"].Subscribed || !all[hidden].Subscribed {
		t.Errorf("after hello: %+v", all)
	}
	if err := f.api.Members.RemoveMember(t.Context(), "maker", chat.MemberOf{Room: hidden, User: "amsg"}); err != nil {
		t.Fatal(err)
	}
	if all := positions(); len(all) != 2 || !all["seattle"].Subscribed || all[hidden].Subscribed {
		t.Errorf("after the removal: %+v", all)
	}
	if _, err := f.Unsubscribe(t.Context(), c, "seattle"); err != nil {
		t.Fatal(err)
	}
	if all := positions(); len(all) != 1 || all[hidden].Room == "" {
		t.Errorf("after unsubscribe: %+v", all)
	}
	f.subscribe(t, c, "seattle")
	if err := f.api.Service.DeleteRoom(t.Context(), "maker", "seattle", nil); err != nil { // its rows stay
		t.Fatal(err)
	}
	if all := positions(); len(all) != 2 || all["seattle"].Subscribed {
		t.Errorf("after the deletion of the room: %+v", all)
	}
}

func TestPositions_EndWithTheConnection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	c := f.connection("amsg", 1)
	f.subscribe(t, c, "seattle")
	f.clock.Advance(2 * time.Hour)
	all, err := f.Positions(t.Context(), c)
	if err != nil || len(all) != 1 || all[0].Subscribed {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestOpen_AtMostTenConnections opens them concurrently. Ended and long silent connections do not
// count.
func TestOpen_AtMostTenConnections(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	open := func(from, to int) (refused int32) {
		var n atomic.Int32
		var all errgroup.Group
		for i := from; i < to; i++ {
			all.Go(func() error {
				err := f.Open(t.Context(), f.connection("amsg", i), []chat.RoomID{"seattle"})
				if chat.KindOf(err) == chat.Conflict {
					n.Add(1)
					return nil
				}
				return err
			})
		}
		if err := all.Wait(); err != nil {
			t.Error(err)
		}
		return n.Load()
	}
	stored := func() int {
		all, err := f.rows.Connections(t.Context(), "amsg")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	if refused := open(10, 22); stored() != 12-int(refused) || stored() < live.MaxConnections {
		t.Errorf("of 12 concurrent ones %d are refused, and %d stay", refused, stored())
	}
	chattest.WantKind(t, "the eleventh", f.Open(t.Context(), f.connection("amsg", 50), nil), chat.Conflict)
	if err := f.Open(t.Context(), f.connection("bob", 1), nil); err != nil {
		t.Errorf("of another person: %v", err)
	}
	all, err := f.rows.Connections(t.Context(), "amsg")
	if err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(21 * time.Minute)
	for _, o := range all[:5] {
		if _, err := f.Positions(t.Context(), o.Connection); err != nil { // is heard of
			t.Fatal(err)
		}
	}
	if refused := open(60, 65); refused != 0 {
		t.Errorf("after a silence of the others %d are refused", refused)
	}
	chattest.WantKind(t, "one more", f.Open(t.Context(), f.connection("amsg", 70), nil), chat.Conflict)
}

func TestOpen_AtMost100Rooms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.connection("amsg", 1)
	rooms := make([]chat.RoomID, live.MaxRooms+1)
	for n := range rooms {
		rooms[n] = chat.RoomID(fmt.Sprint("room-", n))
	}
	chattest.WantKind(t, "101 rooms", f.Open(t.Context(), c, rooms), chat.Conflict)
	if err := f.Open(t.Context(), c, rooms[:100]); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "one more", f.Open(t.Context(), c, rooms[100:]), chat.Conflict)
	if _, err := f.Unsubscribe(t.Context(), c, rooms[3]); err != nil {
		t.Fatal(err)
	}
	if err := f.Open(t.Context(), c, rooms[100:]); err != nil {
		t.Errorf("in place of another: %v", err)
	}
}

// TestDisconnect_DeletesEverythingOfTheConnection, and nothing of the others.
func TestDisconnect_DeletesEverythingOfTheConnection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	chattest.CreateRoom(t, f.api, "seattle", 1)
	chattest.CreateRoom(t, f.api, "tacoma", 1)
	ended, other := f.connection("amsg", 1), f.connection("amsg", 2)
	f.subscribe(t, ended, "seattle", "tacoma")
	f.subscribe(t, other, "seattle")
	for _, want := range [][]chat.RoomID{{"seattle", "tacoma"}, nil} {
		rooms, err := f.Disconnect(t.Context(), ended)
		if !slices.Equal(rooms, want) || err != nil {
			t.Errorf("%v, %v, want %v", rooms, err, want)
		}
	}
	for room, want := range map[chat.RoomID][]live.ConnectionID{"seattle": {other.ID}, "tacoma": nil} {
		if all, err := f.rows.Subscriptions(t.Context(), room); !slices.Equal(ids(all), want) || err != nil {
			t.Errorf("%s: %v, %v", room, ids(all), err)
		}
	}
	if all, err := f.rows.Connections(t.Context(), "amsg"); len(all) != 1 || all[0].ID != other.ID || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
}
