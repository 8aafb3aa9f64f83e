package measure

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/measure/steps"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

const (
	// typicalText is the length of a typical message, in bytes.
	typicalText = 100
	// stepPause delays every call, so concurrent calls all start before one of them ends.
	stepPause = 5 * time.Millisecond
	// typicalRooms is the number of rooms that one person is in.
	typicalRooms = 10
	// repeats is the number of runs of an operation. Figures are means.
	repeats = 20
	// typicalUser has the length of a Cognito subject.
	typicalUser = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
	// postedFirst is the number of messages that the first room and its feed have before the count
	// begins.
	postedFirst = 60
	// feedGeneration is the generation of all feeds. It has the length of a stream's label.
	feedGeneration = "2018-08-29T12:00:00.000"
	callerHeader   = "Parley-Caller" // names the caller, since there are no tokens
)

// Operation is the consumption of one call of the API, or of one batch of the feed function.
type Operation struct {
	Name        string
	Reads       float64 // read units
	Writes      float64 // write units
	AnswerBytes float64 // of the body
	ItemBytes   float64 // the bytes of the items that it adds to the table, without the index
	Steps       int     // calls to DynamoDB that wait for one another; 0 means not counted
	answer      []byte  // of one call
}

// Operations counts the consumption of the API's common operations. Every call finds empty caches,
// as in a process that has just started. A busy process consumes less, never more.
func (b *Bench) Operations(ctx context.Context) ([]Operation, error) {
	o := newOperations(b)
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return nil, err
	}
	if err := o.furnish(ctx); err != nil {
		return nil, fmt.Errorf("prepare rooms: %w", err)
	}
	steps := []struct {
		name, method, path, body string
	}{
		{
			"post a message", http.MethodPost, "/rooms/room-0/messages",
			fmt.Sprintf(`{"text":%q}`, strings.Repeat("a", typicalText)),
		},
		{"open a page of 50", http.MethodGet, "/rooms/room-0/messages", ""},
		{"open a page of 50, with its people", http.MethodGet, "/rooms/room-0/messages?include=people", ""},
		{"ask for changes, none", http.MethodGet, "/rooms/room-0/changes?since=" + feedPosition(postedFirst), ""},
		{"ask for changes, one", http.MethodGet, "/rooms/room-0/changes?since=" + feedPosition(postedFirst-1), ""},
		{"list my rooms, 10", http.MethodGet, "/people/me/rooms", ""},
		{"open a direct room, new", http.MethodPost, "/rooms", `{"direct":["someone-{n}"]}`},
		{"open a direct room again", http.MethodPost, "/rooms", `{"direct":["someone-1"]}`},
	}
	var all []Operation
	var err error
	for _, s := range steps {
		var sum Operation
		for n := range o.runs {
			one, err := o.call(
				ctx, apiCall{method: s.method, path: s.path, body: strings.ReplaceAll(s.body, "{n}", strconv.Itoa(n))},
			)
			if err != nil {
				return nil, err
			}
			sum.add(one)
		}
		all = append(all, sum.mean(s.name, o.runs))
	}
	if all[0].ItemBytes, err = o.meanItem(ctx, table.ShardPK("room-0", 0)); err != nil {
		return nil, err
	}
	marker, err := o.markers(ctx)
	if err != nil {
		return nil, err
	}
	alone, err := o.appends(ctx, "alone", 1)
	if err != nil {
		return nil, err
	}
	together, err := o.appends(ctx, "together", 100)
	return append(all, marker, alone, together), err
}

// add adds the consumption of a call. Steps are the fewest of all calls, because a busy machine
// may delay one of two concurrent calls.
func (o *Operation) add(one Operation) {
	o.Reads, o.Writes, o.AnswerBytes = o.Reads+one.Reads, o.Writes+one.Writes, o.AnswerBytes+one.AnswerBytes
	if o.Steps == 0 || one.Steps < o.Steps {
		o.Steps = one.Steps
	}
}

// mean returns the consumption of one of n calls.
func (o *Operation) mean(name string, n int) Operation {
	of := float64(n)
	return Operation{
		Name: name, Reads: o.Reads / of, Writes: o.Writes / of, AnswerBytes: o.AnswerBytes / of, Steps: o.Steps,
	}
}

// operations holds the state of the count.
type operations struct {
	bench         *Bench
	units         units
	steps         steps.Meter
	runs, appRuns int
}

// newOperations returns the state of a count that has not begun.
func newOperations(b *Bench) *operations {
	return &operations{
		bench: b, steps: steps.Meter{Pause: stepPause}, runs: b.scale.of(repeats), appRuns: b.scale.of(appRepeats),
	}
}

// logTable is the table of activity logs.
func (o *operations) logTable() string { return o.bench.table + "-log" }

func (o *operations) liveTable() string { return o.bench.table + "-live" }

func (o *operations) store() *dynamo.Store {
	return dynamo.New(o.bench.db, dynamo.Options{Table: o.bench.table, Clock: time.Now, Observe: o.units.observe})
}

// take returns the units since its previous call.
func (o *operations) take() (reads, writes float64) {
	o.units.mu.Lock()
	defer o.units.mu.Unlock()
	reads, writes = o.units.read, o.units.write
	o.units.read, o.units.write = 0, 0
	return reads, writes
}

// furnish creates the rooms. The first has a page of messages, and their feed.
func (o *operations) furnish(ctx context.Context) error {
	for n := range typicalRooms {
		c := apiCall{
			method: http.MethodPut, path: fmt.Sprintf("/rooms/room-%d", n),
			body: `{"name":"A room","topic":"What it is about"}`,
		}
		if _, err := o.call(ctx, c); err != nil {
			return err
		}
	}
	appender := stream.NewAppender(stream.Options{Store: o.store(), Clock: time.Now})
	for range postedFirst {
		id, err := o.post(ctx, "room-0")
		if err != nil {
			return err
		}
		change := feed.StreamChange{
			Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: time.Now(),
		}
		if _, err := appender.Append(ctx, "room-0", feedGeneration, []feed.StreamChange{change}); err != nil {
			return err
		}
	}
	return nil
}

// feedPosition returns the since of a client that has seen the first room's changes up to seq.
func feedPosition(seq int64) string {
	return chat.FeedPosition{Seq: seq, Generation: feedGeneration}.Text("room-0")
}

// post posts a message and returns its id.
func (o *operations) post(ctx context.Context, room chat.RoomID) (chat.MessageID, error) {
	m, err := o.send(ctx, typicalUser, room, chat.MessageDraft{Text: strings.Repeat("a", typicalText)})
	return m.ID, err
}

// send posts a message through a process whose caches are empty.
func (o *operations) send(
	ctx context.Context, caller string, room chat.RoomID, draft chat.MessageDraft,
) (chat.Message, error) {
	service := app.New(app.Options{
		Store: o.store(), Logs: activity.NewStore(dynamo.NewLogTable(o.bench.db, o.bench.table, nil)), Clock: time.Now,
		Random: rand.Reader,
	})
	m, _, err := service.PostMessage(ctx, chat.UserID(caller), room, draft)
	return m, err
}

// markers advances a read marker step by step. A marker that does not move would write nothing.
func (o *operations) markers(ctx context.Context) (Operation, error) {
	sum := Operation{Name: "mark as read"}
	for n := range o.runs {
		body, err := json.Marshal(map[string]int{"seq": n + 1})
		if err != nil {
			return sum, err
		}
		one, err := o.call(ctx, apiCall{method: http.MethodPut, path: "/rooms/room-0/read", body: string(body)})
		if err != nil {
			return sum, err
		}
		sum.add(one)
	}
	return sum.mean(sum.Name, o.runs), nil
}

// appends counts the consumption of a change in a feed, by batch size.
func (o *operations) appends(ctx context.Context, room chat.RoomID, batch int) (Operation, error) {
	appender := stream.NewAppender(stream.Options{Store: o.store(), Clock: time.Now})
	var errs []error
	for n := range o.runs + 1 {
		if n == 1 {
			o.take() // the first batch creates the feed
		}
		_, err := appender.Append(ctx, room, "g", someChanges(0, n, batch))
		errs = append(errs, err)
	}
	reads, writes := o.take()
	changes := float64(o.runs * batch)
	size, err := o.meanItem(ctx, "feed#"+string(room))
	return Operation{
		Name: fmt.Sprintf("a change in a feed, %d at once", batch), Reads: reads / changes, Writes: writes / changes,
		ItemBytes: size / float64(batch),
	}, errors.Join(append(errs, err)...)
}

// meanItem returns the mean size of the items of a partition.
func (o *operations) meanItem(ctx context.Context, pk string) (float64, error) {
	out, err := o.bench.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &o.bench.table, KeyConditionExpression: aws.String("PK = :pk"),
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: pk}},
	})
	if err != nil {
		return 0, err
	}
	return meanSize(out.Items), nil
}

// OperationFigures returns the operations as lines of the bench's table.
func (b *Bench) OperationFigures(ctx context.Context) ([]Figure, error) {
	all, err := b.Operations(ctx)
	if err != nil {
		return nil, err
	}
	more, err := b.appOperations(ctx)
	var figures []Figure
	for _, o := range append(all, more...) {
		steps := fmt.Sprintf(" in %d steps", o.Steps)
		if o.Steps == 0 {
			steps = ""
		}
		figures = append(figures, Figure{
			Name: o.Name,
			Value: fmt.Sprintf(
				"%.3f read and %.3f write units%s; the response has %.0f bytes, the item %.0f", o.Reads, o.Writes,
				steps, o.AnswerBytes, o.ItemBytes,
			),
		})
	}
	return figures, err
}

// writeUnit is the number of bytes that a write unit pays for.
const writeUnit = 1024

// refused counts puts whose condition was false. DynamoDB bills each by the size of its item, or
// of the existing item if that is larger. The error response has no units, so they are computed
// from the size. In a load with items of one size, both are the same.
type refused struct {
	mu    sync.Mutex
	puts  int
	units float64
}

// option adds the counter to a client.
func (r *refused) option(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("CountRefused", r.handle), middleware.After)
	})
}

func (r *refused) handle(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	out, metadata, err := next.HandleInitialize(ctx, in)
	put, isPut := in.Parameters.(*dynamodb.PutItemInput)
	if _, isRefused := errors.AsType[*types.ConditionalCheckFailedException](err); isPut && isRefused {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.puts++
		r.units += math.Ceil(float64(table.Size(put.Item)) / writeUnit)
	}
	return out, metadata, err
}
