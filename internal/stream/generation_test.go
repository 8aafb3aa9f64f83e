package stream_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// wantChain checks that a room's segments are one chain. Each continues the numbers and the count
// of its predecessor, and the head is the end of the last. Generations are in order.
func (p *play) wantChain(room chat.RoomID) {
	p.t.Helper()
	segments, head, err := p.store.FeedTail(p.t.Context(), room, 0, time.Time{})
	if err != nil || len(segments) == 0 {
		p.t.Fatal(segments, err)
	}
	for i, s := range segments[1:] {
		first := segments[i].Last() + 1
		if s.Generation != segments[i].Generation {
			first += feed.GenerationGap
		}
		if s.First != first || s.Count != segments[i].Total() || s.Generation < segments[i].Generation {
			p.t.Errorf("segment after %+v: %+v", segments[i], s)
		}
	}
	if last := segments[len(segments)-1]; head.Last != last.Last() || head.Count != last.Total() {
		p.t.Errorf("head %+v, last segment %+v", head, last)
	}
}

func TestAppend_LateProcessStartsAGenerationAfterTheOthers(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	third := len(s.records) / 3
	later := slices.Clone(s.records[2*third:])
	for i := range later {
		later[i].EventSourceArn += "-later"
	}
	one, two := p.process(), p.process()
	p.deliverBy(one, s.records[:third])
	p.deliverBy(two, s.records[third:2*third])
	p.deliverBy(one, later)
	p.deliverBy(two, later)
	for room := range s.rooms() {
		p.wantChain(room)
	}
}

func TestAppend_ContinuesAfterALongPause(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	var slept time.Duration
	p.clock = func() time.Time { return time.Now().Add(slept) }
	third := len(s.records) / 3
	one, two := p.process(), p.process()
	p.deliverBy(one, s.records[:third])
	p.deliverBy(two, s.records[third:2*third])
	before, err := p.store.FeedHead(t.Context(), "seattle")
	if err != nil {
		t.Fatal(err)
	}
	p.removeSegments("seattle")

	slept = feed.DefaultRetention + time.Hour
	later := slices.Clone(s.records[2*third:])
	for i := range later {
		later[i].Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: p.clock()}
	}
	p.deliverBy(one, later)
	segments, _, err := p.store.FeedTail(t.Context(), "seattle", 0, time.Time{})
	if err != nil || len(segments) == 0 || segments[0].First != before.Last+1 || segments[0].Count != before.Count {
		t.Errorf("segments after %+v: %+v, %v", before, segments, err)
	}
	p.wantChain("seattle")
}

func TestAppend_SettledIsNotBeforeExpiredSegments(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	slept := -time.Hour
	p.clock = func() time.Time { return time.Now().Add(slept) }
	third := len(s.records) / 3
	for i := range s.records {
		s.records[i].Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: p.clock()}
	}
	p.deliverBy(p.process(), s.records[:third])
	p.deliverBy(p.process(), s.records[third:2*third])
	before, segments, err := p.store.FeedFrom(t.Context(), "seattle", 1, 1000)
	if err != nil || len(segments) != 2 {
		t.Fatal(segments, err)
	}
	p.remove(segments[1]) // the first is removed later
	slept = 0
	for _, r := range s.records[2*third:] {
		p.deliverBy(p.process(), batch{r})
		head, err := p.store.FeedHead(t.Context(), "seattle")
		if err != nil || head.Last > before.Last && head.Settled != before.Last {
			t.Errorf("segment after %+v: %+v, %v", before, head, err)
		}
	}
}

// removeSegments removes all segments of a room, as DynamoDB does after they have expired.
func (p *play) removeSegments(room chat.RoomID) {
	p.t.Helper()
	segments, _, err := p.store.FeedTail(p.t.Context(), room, 0, time.Time{})
	if err != nil {
		p.t.Fatal(err)
	}
	p.remove(segments...)
}

func (p *play) remove(segments ...feed.Segment) {
	p.t.Helper()
	client := dynamo.LocalClient(p.endpoint)
	for _, s := range segments {
		if _, err := client.DeleteItem(p.t.Context(), &dynamodb.DeleteItemInput{TableName: &p.table, Key: table.SegmentKey(s.Room, s.First)}); err != nil {
			p.t.Fatal(err)
		}
	}
}
