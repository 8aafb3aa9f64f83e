package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
)

const (
	// depthRuns is the number of runs of an operation, of which the run with the fewest steps
	// counts: a busy machine adds steps, but never hides one.
	depthRuns = 3
	// depthPause suffices for the calls of one step to begin on a busy machine.
	depthPause = 10 * time.Millisecond
	// depthLater is a time after which some caches have expired, and others have not.
	depthLater = 3 * time.Second
	// depthSoon is a time after which no cache has expired. Lines of a log and messages of a room
	// have different times.
	depthSoon = time.Millisecond
	// depthRoom has depthMessages messages, each a segment of its own in the feed. It resembles a
	// quiet room, and has the most segments for its number of changes.
	depthRoom     = chat.RoomID("quiet")
	depthMessages = 260
	// depthMany and depthFew are the numbers of rooms of two people. The heads of the former do not
	// fit into one batch.
	depthMany, depthFew = 132, 50
	depthLoaders        = 8 // fill rooms concurrently
	depthPrivate        = chat.RoomID("p-0123456789abcdefghij")
)

// Depth is the consumption of one call of the API in each state of a process.
type Depth struct {
	Name string
	Goal int // for the steps of a warm process
	// Cold is the first call of a process, Later the next one after depthLater, and Warm another
	// one after depthSoon.
	Cold, Later, Warm Operation
}

// depthSteps are the operations whose depth counts most, because people wait for them. In their
// texts {n} is different in each call, {head} the last number of the feed, and {since:50} the
// position of a client that has not seen the last 50 changes.
var depthSteps = []struct {
	name string
	goal int
	apiCall
}{
	{"post a message", 2, apiCall{method: post, path: "/rooms/quiet/messages", body: `{"text":"hello"}`}},
	{"open a page of 50", 1, apiCall{method: get, path: "/rooms/quiet/messages?limit=50"}},
	{
		"open a page of a private room", 1,
		apiCall{method: get, path: "/rooms/" + string(depthPrivate) + "/messages?limit=50", caller: "many"},
	},
	{"ask for changes, none", 1, apiCall{method: get, path: "/rooms/quiet/changes?limit=200&since={since:0}"}},
	{"ask for changes, 50", 3, apiCall{method: get, path: "/rooms/quiet/changes?limit=200&since={since:50}"}},
	{"ask for changes, 200", 4, apiCall{method: get, path: "/rooms/quiet/changes?limit=200&since={since:200}"}},
	{"list my rooms, 50", 3, apiCall{method: get, path: "/people/me/rooms?limit=200", caller: "few"}},
	{"list my rooms, 132", 3, apiCall{method: get, path: "/people/me/rooms?limit=200", caller: "many"}},
	{"mark as read", 2, apiCall{method: put, path: "/rooms/quiet/read", body: `{"seq":{head}}`, caller: "guest-{n}"}},
	{
		"join a room", 2,
		apiCall{method: put, path: "/rooms/quiet/members/me", body: `{"role":"member"}`, caller: "guest-{n}"},
	},
}

// Depths counts the calls to DynamoDB that wait for one another, and the units of all of them.
func (b *Bench) Depths(ctx context.Context) ([]Depth, error) {
	o := newOperations(b)
	o.steps.Pause = depthPause
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return nil, err
	}
	if err := errors.Join(
		o.quietRoom(ctx), o.manyRooms(ctx), o.readRoom(ctx, depthPrivate, []chat.UserID{"many"}),
	); err != nil {
		return nil, fmt.Errorf("prepare rooms: %w", err)
	}
	all := make([]Depth, len(depthSteps))
	for i, s := range depthSteps {
		all[i].Name, all[i].Goal = s.name, s.goal
		for run := range depthRuns {
			if err := o.depth(ctx, run, s.apiCall, &all[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return all, nil
}

// depth makes a call in each state of a new process, and keeps the calls with the fewest steps in
// d.
func (o *operations) depth(ctx context.Context, run int, c apiCall, d *Depth) error {
	now := time.Now()
	p := o.process(func() time.Time { return now })
	for i, state := range []struct {
		after time.Duration
		least *Operation
	}{{0, &d.Cold}, {depthLater, &d.Later}, {depthSoon, &d.Warm}} {
		now = now.Add(state.after)
		one, err := p.call(ctx, c.filled(fmt.Sprintf("%d-%d", run, i)))
		if err != nil {
			return err
		}
		if state.least.Steps == 0 || one.Steps < state.least.Steps {
			*state.least = one
		}
	}
	return nil
}

// filled returns the call with its own values.
func (c apiCall) filled(n string) apiCall {
	pairs := []string{"{n}", n, "{head}", strconv.Itoa(depthMessages)}
	for _, behind := range []int64{0, 50, 200} {
		since := chat.FeedPosition{Seq: depthMessages - behind, Generation: feedGeneration}.Text(depthRoom)
		pairs = append(pairs, fmt.Sprintf("{since:%d}", behind), since)
	}
	fill := strings.NewReplacer(pairs...)
	c.path, c.body, c.caller = fill.Replace(c.path), fill.Replace(c.body), fill.Replace(c.caller)
	return c
}

// quietRoom creates depthRoom, with messages and their feed.
func (o *operations) quietRoom(ctx context.Context) error {
	if _, err := o.call(ctx, apiCall{method: http.MethodPut, path: "/rooms/" + string(depthRoom)}); err != nil {
		return err
	}
	appender := stream.NewAppender(stream.Options{Store: o.store(), Clock: time.Now})
	for range depthMessages {
		if err := o.said(ctx, appender, depthRoom); err != nil {
			return err
		}
		time.Sleep(depthSoon)
	}
	return nil
}

// manyRooms creates the rooms of two people.
func (o *operations) manyRooms(ctx context.Context) error {
	var all errgroup.Group
	all.SetLimit(depthLoaders)
	for n := range depthMany {
		people := []chat.UserID{"many", "few"}
		if n >= depthFew {
			people = people[:1]
		}
		all.Go(func() error { return o.readRoom(ctx, chat.RoomID(fmt.Sprintf("many-%03d", n)), people) })
	}
	return all.Wait()
}

// readRoom creates a room with one message, which all its people have read. The first person owns
// the room.
func (o *operations) readRoom(ctx context.Context, id chat.RoomID, people []chat.UserID) error {
	store := o.store()
	room := chat.Room{
		ID: id, Name: "A room", CreatedBy: people[0], CreatedAt: start, Shards: 1, DigestKey: []byte("k"),
		Private: id.Private(),
	}
	if _, err := store.CreateRoom(ctx, room, chat.OwnerOf(room, string(people[0]))); err != nil {
		return err
	}
	if err := o.said(ctx, stream.NewAppender(stream.Options{Store: store, Clock: time.Now}), id); err != nil {
		return err
	}
	for i, user := range people {
		if i > 0 {
			m := chat.Membership{Room: id, User: user, Name: string(user), Role: policy.Member, JoinedAt: start}
			if _, err := store.ChangeMembership(ctx, membership.Change{After: m}); err != nil {
				return err
			}
		}
		marker := inbox.ReadMarker{Room: id, User: user, Seq: 1, Count: 1}
		if err := inbox.NewStore(store.Table()).SetReadMarker(ctx, marker); err != nil {
			return err
		}
	}
	return nil
}

// said stores a message and appends it to the feed, as a segment of its own.
func (o *operations) said(ctx context.Context, appender *stream.Appender, room chat.RoomID) error {
	m, err := o.send(ctx, "many", room, chat.MessageDraft{Text: typicalWords()})
	if err != nil {
		return err
	}
	change := feed.StreamChange{
		Change: feed.ChangeOf(m), Created: time.Now().Truncate(time.Second),
		Item: feed.ChangedItem{Message: &m, Shard: 1},
	}
	_, err = appender.Append(ctx, room, feedGeneration, []feed.StreamChange{change})
	return err
}
