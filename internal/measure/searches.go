package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	localbucket "example.com/parley/internal/local/bucket"
	"example.com/parley/internal/measure/searching"
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

const (
	// searchMessages is the number of messages in the goals, and moreSearchMessages is without a
	// goal.
	searchMessages     = 1_000_000
	moreSearchMessages = 10_000_000
	// searchQueries is the number of queries in a warm process, and coldQueries in as many new
	// ones.
	searchQueries = 1008
	coldQueries   = 90
	// comparedQueries is the number of queries whose results are compared with a plain scan.
	comparedQueries = 180
	searchGoal      = 300 * time.Millisecond
	// indexGoal is the size of the index for each byte of text.
	indexGoal = 0.6
)

// Searches measures searches in a million messages. archives is the folder of real archives.
func Searches(ctx context.Context, archives string, scale Scale) (figures []Figure, err error) {
	dir, err := os.MkdirTemp("", "parley-search-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	corpus, err := searching.Read(archives, scale.of(searchMessages))
	if err != nil {
		return nil, err
	}
	b := searching.NewBench(corpus, scale.of(searchQueries), filepath.Join(dir, "files"))
	own, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	more, err := searchTimes(ctx, b, scale.of(coldQueries))
	if err != nil {
		return nil, err
	}
	figures = append(sizeFigures(own), more...)
	differences, results, err := b.Differences(ctx, scale.of(comparedQueries))
	return append(figures, Figure{
		Name: fmt.Sprintf("differences to a plain scan, %d queries", scale.of(comparedQueries)), Goal: "0",
		Value: fmt.Sprintf("%d of %d results", differences, results),
	}), err
}

// MoreSearches measures searches in ten million messages.
func MoreSearches(ctx context.Context, archives string, scale Scale) (figures []Figure, err error) {
	dir, err := os.MkdirTemp("", "parley-search-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	corpus, err := searching.Read(archives, scale.of(moreSearchMessages))
	if err != nil {
		return nil, err
	}
	b := searching.NewBench(corpus, scale.of(coldQueries), dir)
	own, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	more, err := searchTimes(ctx, b, scale.of(coldQueries/2))
	return append(sizeFigures(own), more...), err
}

// sizeFigures returns the figures of an index.
func sizeFigures(x searching.Index) []Figure {
	const megabyte = 1e6
	size := float64(x.Bytes) / float64(x.Text)
	return []Figure{
		{
			Name:  "texts, and the time to index them",
			Value: fmt.Sprintf("%.1f MB, %.0f s", float64(x.Text)/megabyte, x.Took.Seconds()),
		},
		{
			Name: "bytes of the index for each byte of text", Value: fmt.Sprintf("%.2f%s", size, over(size, indexGoal)),
			Goal: fmt.Sprintf("≤ %.1f", indexGoal),
		},
	}
}

// searchTimes measures the queries in cold and in warm processes.
func searchTimes(ctx context.Context, b *searching.Bench, colds int) (figures []Figure, err error) {
	cold, err := b.Cold(ctx, colds)
	if err != nil {
		return nil, err
	}
	warm, err := b.Warm(ctx, colds)
	if err != nil {
		return nil, err
	}
	for kind, name := range searching.Kinds() {
		figures = append(figures,
			Figure{Name: name + ", cold, p50 / p99", Value: bothPercentiles(cold.TimesOf(b.Queries, kind))},
			Figure{Name: name + ", warm, p50 / p99", Value: bothPercentiles(warm.TimesOf(b.Queries, kind))},
		)
	}
	p99 := searching.Percentile(warm.Times, 99)
	// of all
	within := len(slices.DeleteFunc(
		slices.Clone(warm.Times), func(took time.Duration) bool { return took > searchGoal },
	))
	figures = append(figures,
		Figure{Name: fmt.Sprintf("all %d, cold, p50 / p99", len(cold.Times)), Value: bothPercentiles(cold.Times)},
		Figure{Name: fmt.Sprintf("all %d, warm, p50 / p99", len(warm.Times)), Value: bothPercentiles(warm.Times)},
		atMost("99 of 100 warm searches", p99, searchGoal),
		Figure{Name: "warm searches within the goal", Value: fmt.Sprintf("%d of %d", within, len(warm.Times))},
	)
	for _, of := range []struct {
		name string
		searching.Run
	}{{"cold", cold}, {"warm", warm}} {
		n := float64(len(of.Times))
		figures = append(figures, Figure{
			Name: "a " + of.name + " search: calls to the table and to S3, MB read, processor time",
			Value: fmt.Sprintf("%.1f, %.1f, %.1f MB, %.0f ms", float64(of.Calls)/n, float64(of.Reads+of.Writes)/n,
				float64(of.Sent)/1e6/n,
				ms(of.Processor)/n),
		}, Figure{
			Name:  "of these " + of.name + " searches, stopped with a cursor",
			Value: fmt.Sprintf("%d of %d", of.Stopped, len(of.Times)),
		})
	}
	return figures, nil
}

// bothPercentiles returns the median and the 99th percentile of times.
func bothPercentiles(times []time.Duration) string {
	return fmt.Sprintf("%.3g / %.3g ms", ms(searching.Percentile(times, 50)), ms(searching.Percentile(times, 99)))
}
