package stream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// failingFeed is an HTTP client that fails the requests for one feed.
type failingFeed struct {
	next dynamodb.HTTPClient
	feed string
}

var errUnreachable = errors.New("this feed cannot be reached")

func (o *failingFeed) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if strings.Contains(string(body), `"`+o.feed+`"`) {
		return nil, errUnreachable
	}
	return o.next.Do(r)
}

// hangingFeed is an HTTP client on which the requests for one feed hang.
type hangingFeed struct{ failingFeed }

func (s *hangingFeed) Do(r *http.Request) (*http.Response, error) {
	resp, err := s.failingFeed.Do(r)
	if errors.Is(err, errUnreachable) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return resp, err
}

func (s *hangingFeed) options(d *dynamodb.Options) { s.next, d.HTTPClient = d.HTTPClient, s }

// deliverHanging delivers the scenario's batch, which must be answered in time, to a process whose
// requests for one feed hang. It runs in a bubble of synctest: the clock stands still while anything
// else runs. A connection that is kept alive would stop the clock, so there is none.
func (p *play) deliverHanging(feed string) (resp events.DynamoDBEventResponse) {
	p.t.Helper()
	now := time.Now()
	synctest.Test(p.t, func(t *testing.T) {
		began := time.Now()
		p.clock = func() time.Time { return now.Add(time.Since(began)) }
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		unkept := func(d *dynamodb.Options) {
			d.HTTPClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		}
		var err error
		resp, err = p.process(unkept, (&hangingFeed{failingFeed{feed: feed}}).options).Handle(ctx, events.DynamoDBEvent{Records: p.scenario.records})
		if err != nil || len(resp.BatchItemFailures) != 1 || ctx.Err() != nil {
			t.Errorf("%+v, %v, %v", resp, err, ctx.Err())
		}
		time.Sleep(time.Hour) // until consumers that the handler abandoned return
	})
	p.clock = time.Now
	return resp
}

func TestHandle_FeedThatCannotBeReadBlocksNoOther(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	spoiled := table.SegmentItem(feed.Segment{Room: "seattle", First: 1, Changes: []feed.Change{{Type: feed.RoomChanged}}})
	spoiled["changes"] = &types.AttributeValueMemberB{Value: []byte{99}}
	client := dynamo.LocalClient(s.endpoint)
	if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &p.table, Item: spoiled}); err != nil {
		t.Fatal(err)
	}
	p.deliverBy(p.process(), s.records)
	for _, room := range []chat.RoomID{"seattle-1", "portland"} {
		p.wantRoom(room, s.want[room])
	}
	if got, want := len(p.failures.all), len(s.want["seattle"]); got != want {
		t.Errorf("%d failures were stored for %d changes", got, want)
	}
}
