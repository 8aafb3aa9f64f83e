package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	localbucket "example.com/parley/internal/local/bucket"
	"example.com/parley/internal/stream"
)

// SearchMessages is the number of messages of each room that is searched.
const SearchMessages = 40

// SearchCost is what searches consume. A page has 20 results, of typicalRooms rooms.
type SearchCost struct {
	First SearchOperation // by which the indexes are built
	Cold  SearchOperation // in a process that has just started
	Warm  SearchOperation // in a process that has searched before
	Sweep SearchOperation // of each room, after a message
}

// SearchOperation is the consumption of a search or a sweep, with its calls to S3.
type SearchOperation struct {
	Operation
	Gets, Puts int // a list costs as much as a put
}

// Searches counts the consumption of searches in all rooms of a person.
func (b *Bench) Searches(ctx context.Context) (cost SearchCost, err error) {
	o := newOperations(b)
	o.steps.Pause = 0
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return cost, err
	}
	folder, err := os.MkdirTemp("", "searches")
	if err != nil {
		return cost, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	s := newSearches(o, folder)
	for n := range typicalRooms {
		c := apiCall{method: http.MethodPut, path: "/rooms/" + string(searchRoom(n)), body: `{"name":"A room"}`}
		if _, err := o.call(ctx, c); err != nil {
			return cost, err
		}
	}
	if err := s.talk(ctx, SearchMessages); err != nil {
		return cost, err
	}
	for _, to := range []*SearchOperation{&cost.First, &cost.Cold} {
		p := s.process()
		if *to, err = s.search(ctx, p); err == nil && to == &cost.Cold {
			cost.Warm, err = s.search(ctx, p)
		}
		if err != nil {
			return cost, err
		}
	}
	if err := s.talk(ctx, 1); err != nil {
		return cost, err
	}
	cost.Sweep, err = s.sweep(ctx)
	return cost, err
}

// searches counts calls to a bucket.
type searches struct {
	*operations
	bucket     *bucket.Client
	appender   *stream.Appender
	gets, puts int
}

func newSearches(o *operations, folder string) *searches {
	keys := aws.Credentials{AccessKeyID: "bench", SecretAccessKey: "bench"}
	s := &searches{operations: o, appender: stream.NewAppender(stream.Options{Store: o.store(), Clock: time.Now})}
	handler := localbucket.New(localbucket.Config{Dir: folder, Region: "us-east-1", Credentials: keys, Clock: time.Now})
	s.bucket = bucket.New(bucket.Config{
		Base: localbucket.Base, Region: "us-east-1",
		Credentials: dynamo.StaticCredentials(keys.AccessKeyID, keys.SecretAccessKey, ""),
		HTTP:        countedCalls{s, handler},
	})
	return s
}

// countedCalls passes calls on to a handler, and counts them.
type countedCalls struct {
	to *searches
	http.Handler
}

// RoundTrip implements http.RoundTripper.
func (c countedCalls) RoundTrip(r *http.Request) (*http.Response, error) {
	c.to.units.mu.Lock()
	if r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "" {
		c.to.gets++
	} else {
		c.to.puts++
	}
	c.to.units.mu.Unlock()
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w.Result(), nil
}

func searchRoom(n int) chat.RoomID { return chat.RoomID(fmt.Sprintf("searched-%d", n)) }

// talk posts some messages to each room, and appends them to its feed.
func (s *searches) talk(ctx context.Context, messages int) error {
	for n := range typicalRooms {
		room := searchRoom(n)
		var changes []feed.StreamChange
		for range messages {
			id, err := s.post(ctx, room)
			if err != nil {
				return err
			}
			changes = append(changes, feed.StreamChange{
				Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: time.Now(),
			})
		}
		if _, err := s.appender.Append(ctx, room, feedGeneration, changes); err != nil {
			return err
		}
	}
	return nil
}

// search returns the consumption of one search.
func (s *searches) search(ctx context.Context, p *process) (SearchOperation, error) {
	s.gets, s.puts = 0, 0
	one, err := p.call(ctx, apiCall{method: http.MethodGet, path: "/search?q=a"})
	return SearchOperation{one, s.gets, s.puts}, err
}

// sweep returns the consumption of a sweep for each room.
func (s *searches) sweep(ctx context.Context) (SearchOperation, error) {
	p := s.process()
	s.take()
	s.gets, s.puts = 0, 0
	swept, err := p.app.Search.Sweep(ctx)
	if err == nil && swept.Stored != typicalRooms {
		err = fmt.Errorf("the sweep stored %d indexes", swept.Stored)
	}
	reads, writes := s.take()
	const rooms = typicalRooms
	return SearchOperation{Operation{Reads: reads / rooms, Writes: writes / rooms}, s.gets / rooms, s.puts / rooms}, err
}

// process returns a process that has just started, an hour after the messages were posted. Feeds
// have settled by then.
func (s *searches) process() *process {
	return s.processWith(func() time.Time { return time.Now().Add(time.Hour) }, s.bucket)
}
