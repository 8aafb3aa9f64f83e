package measure

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/table"
)

// The loads whose instructions are counted. A bare load makes the calls of the other one with the
// SDK alone, and decodes each field of each item.
const (
	loadPost     = "post"
	loadPostBare = "post-bare"
	loadPage     = "page"
	loadPageBare = "page-bare"
	loadFeed     = "feed"
	loadGather   = "gather"
)

const (
	// instructedRoom has one shard and a page of messages, and gatherRoom has gatherShards.
	instructedRoom = chat.RoomID("instructed")
	gatherRoom     = chat.RoomID("gathered")
	gatherShards   = 16
	gatherItems    = 13
	feedRoom       = chat.RoomID("fed")
	feedRecords    = 100
	// warmRuns are enough for caches, and for what the store learns of the sizes of items.
	warmRuns = 10
)

// instructed is what a load needs.
type instructed struct {
	tape  *tape
	db    *dynamodb.Client
	table string
	now   time.Time
	app   *app.Services

	decoded []decoded // by a bare load
}

// Instructed runs a load n times in this process. Its calls are answered by an engine the first
// time, and then from memory.
func Instructed(ctx context.Context, load string, n int, endpoint, name string) error {
	t := newTape()
	i := &instructed{tape: t, db: dynamo.LocalClient(endpoint, t.options), table: name, now: time.Now()}
	if err := i.prepare(ctx); err != nil {
		return err
	}
	run, err := i.load(ctx, load)
	if err != nil {
		return err
	}
	for range warmRuns {
		t.take()
		if err := run(); err != nil {
			return fmt.Errorf("%s on the engine: %w", load, err)
		}
	}
	if load == loadPostBare || load == loadPageBare {
		run = i.bare(ctx, t.take())
	}
	t.plays = true
	for range n {
		if err := run(); err != nil {
			return fmt.Errorf("%s: %w", load, err)
		}
	}
	return nil
}

// prepare creates the services, on a clock that stands still, so that caches do not expire.
func (i *instructed) prepare(ctx context.Context) error {
	log := i.table + "-log"
	o := &Bench{db: i.db, table: i.table}
	if err := errors.Join(dynamo.CreateTable(ctx, i.db, i.table), dynamo.CreateLogTable(ctx, i.db, log)); err != nil {
		return err
	}
	clock := func() time.Time { return i.now }
	store := dynamo.New(i.db, dynamo.Options{Table: i.table, Clock: clock})
	i.app = app.New(app.Options{
		Store: store, Logs: dynamo.NewLog(i.db, dynamo.Options{Table: log}), Live: dynamo.NewLive(i.db, dynamo.Options{Table: log}),
		Clock: clock, Random: &counting{}, SendBurst: 1e9, Log: slog.New(slog.DiscardHandler),
	})
	return errors.Join(o.fillSome(ctx, store, instructedRoom, 1, pageMessages), o.fillSome(ctx, store, gatherRoom, gatherShards, pageMessages),
		o.fillSome(ctx, store, feedRoom, 1, feedRecords))
}

// counting is randomness that is new each time, and the same in each process.
type counting struct{ n atomic.Uint64 }

func (c *counting) Read(p []byte) (int, error) {
	clear(p)
	var number [8]byte
	binary.LittleEndian.PutUint64(number[:], c.n.Add(1))
	copy(p, number[:])
	return len(p), nil
}

// fillSome creates a room with the first messages of the conversation.
func (b *Bench) fillSome(ctx context.Context, store app.Store, room chat.RoomID, shards, n int) error {
	made := chat.Room{ID: room, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: shards, DigestKey: []byte("k")}
	if _, err := store.CreateRoom(ctx, made, chat.OwnerOf(made, "bench")); err != nil {
		return err
	}
	var all errgroup.Group
	all.SetLimit(loaders)
	for _, m := range talk(room)[:n] {
		all.Go(func() error {
			_, _, err := store.PutMessage(ctx, m)
			return err
		})
	}
	return all.Wait()
}

// load returns a load by its name. A bare load begins as the one that it is compared with.
func (i *instructed) load(ctx context.Context, name string) (func() error, error) {
	path := "/rooms/" + string(instructedRoom) + "/messages"
	switch name {
	case loadPost, loadPostBare:
		return i.request(ctx, apiCall{method: http.MethodPost, path: path, body: `{"text":"` + typicalWords() + `"}`, caller: "bench"}), nil
	case loadPage, loadPageBare:
		return i.request(ctx, apiCall{method: http.MethodGet, path: path + "?limit=" + strconv.Itoa(page), caller: "bench"}), nil
	case loadFeed:
		return i.feed(ctx)
	case loadGather:
		store := dynamo.New(i.db, dynamo.Options{Table: i.table, Clock: func() time.Time { return i.now }})
		return func() error {
			got, _, err := store.Messages(ctx, chat.MessageRange{Room: gatherRoom, Limit: gatherItems})
			if err == nil && len(got) != gatherItems {
				err = fmt.Errorf("%d messages", len(got))
			}
			return err
		}, nil
	}
	return nil, fmt.Errorf("unknown load %q", name)
}

// request returns a load of one request to a function's handler.
func (i *instructed) request(ctx context.Context, c apiCall) func() error {
	p := &process{clock: func() time.Time { return i.now }, app: i.app}
	handler := p.handler(c)
	return func() error {
		w := c.send(ctx, handler)
		if w.Code >= http.StatusBadRequest {
			return fmt.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
		return nil
	}
}

// bare returns the load of the same calls by the SDK alone.
func (i *instructed) bare(ctx context.Context, inputs []any) func() error {
	return func() error {
		for _, in := range inputs {
			out, err := call(ctx, i.db, in)
			if err != nil {
				return err
			}
			switch o := out.(type) {
			case *dynamodb.QueryOutput:
				i.decode(o.Items)
			case *dynamodb.GetItemOutput:
				i.decode([]table.Item{o.Item})
			case *dynamodb.BatchGetItemOutput:
				i.decode(o.Responses[i.table])
			}
		}
		return nil
	}
}

// decoded is a message as the simplest program has it.
type decoded struct {
	texts   map[string]string
	numbers map[string]int64
}

// decode decodes the fields of items.
func (i *instructed) decode(items []table.Item) {
	i.decoded = make([]decoded, 0, len(items))
	for _, item := range items {
		d := decoded{texts: make(map[string]string, len(item)), numbers: map[string]int64{}}
		for name, value := range item {
			switch v := value.(type) {
			case *types.AttributeValueMemberS:
				d.texts[name] = v.Value
			case *types.AttributeValueMemberN:
				d.numbers[name], _ = strconv.ParseInt(v.Value, 10, 64)
			}
		}
		i.decoded = append(i.decoded, d)
	}
}
