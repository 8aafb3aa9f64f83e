package stream_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

type image = map[string]events.DynamoDBAttributeValue

// poisoned returns a batch with one record that cannot be decoded.
func poisoned(records batch, at int, poison func(events.DynamoDBEventRecord) events.DynamoDBEventRecord) batch {
	all := slices.Clone(records)
	r := all[at]
	for _, m := range []*image{&r.Change.Keys, &r.Change.NewImage, &r.Change.OldImage} {
		clone := image{}
		for name, v := range *m {
			clone[name] = v
		}
		*m = clone
	}
	all[at] = poison(r)
	return all
}

// number replaces the value of an attribute by one of another type.
func number(of *image, name string) {
	if len(*of) > 0 {
		(*of)[name] = events.NewNumberAttribute("1")
	}
}

func TestHandle_UnreadableRecordBlocksNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	cases := 0
	for at, r := range s.records {
		kind := r.Change.NewImage["type"]
		if len(r.Change.NewImage) == 0 || !slices.Contains(table.StreamKinds(table.FeedStream), kind.String()) {
			continue
		}
		cases++
		p := s.play(t)
		bad := poisoned(s.records, at, func(r events.DynamoDBEventRecord) events.DynamoDBEventRecord {
			number(&r.Change.NewImage, map[string]string{"message": "GSI1SK", "member": "PK", "room": "PK"}[kind.String()])
			return r
		})
		p.failures.fail = errors.New("the queue is unavailable")
		resp, err := p.process().Handle(t.Context(), events.DynamoDBEvent{Records: bad})
		if err != nil || len(resp.BatchItemFailures) != 1 || resp.BatchItemFailures[0].ItemIdentifier != r.Change.SequenceNumber {
			t.Fatalf("with an unavailable queue: %+v, %v", resp, err)
		}
		p.failures.fail = nil
		p.deliverBy(p.process(), bad)
		p.deliverBy(p.process(), bad) // a second time
		p.wantUnknown(t, r)
		if t.Failed() {
			t.Fatalf("record %d: %+v", at, r)
		}
	}
	if cases < 20 {
		t.Errorf("only %d records were poisoned", cases)
	}
}

// wantUnknown checks that the feeds are complete except for one change, which is unknown, and that
// its failure was stored.
func (p *play) wantUnknown(t *testing.T, r events.DynamoDBEventRecord) {
	t.Helper()
	var unknown, missing int
	for room := range p.scenario.rooms() {
		want := slices.Clone(p.scenario.want[room])
		_, all := p.wholeFeedOf(room)
		for _, c := range all {
			if c.Type == feed.UnknownChange {
				unknown++
				if c.Key == "" || !strings.HasPrefix(r.Change.Keys["SK"].String(), c.Key) {
					t.Errorf("the unknown change has the key %q", c.Key)
				}
				continue
			}
			i := slices.Index(want, c.Identity())
			if i < 0 {
				t.Fatalf("unexpected change %+v in %s", c, room)
			}
			want = slices.Delete(want, i, i+1)
		}
		missing += len(want)
	}
	if unknown != 1 || missing != 1 {
		t.Errorf("%d changes are unknown, %d are missing", unknown, missing)
	}
	if n := len(p.failures.all); n < 1 || p.failures.all[0].Sequence != r.Change.SequenceNumber || p.failures.all[0].Reason == "" {
		t.Errorf("failures: %+v", p.failures.all)
	}
	for _, f := range p.failures.all {
		if text := fmt.Sprint(f); strings.Contains(text, "other") || strings.Contains(text, "amsg 1") {
			t.Errorf("a failure contains a text: %s", text)
		}
	}
}

func TestHandle_RecordOfAnUnknownRoomBecomesAFailure(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	at := slices.IndexFunc(s.records, func(r events.DynamoDBEventRecord) bool {
		return r.Change.NewImage["type"].DataType() == events.DataTypeString && r.Change.NewImage["type"].String() == "message"
	})
	bad := poisoned(s.records, at, func(r events.DynamoDBEventRecord) events.DynamoDBEventRecord {
		number(&r.Change.Keys, "PK")
		number(&r.Change.NewImage, "PK")
		return r
	})
	p.deliverBy(p.process(), bad)
	if len(p.failures.all) != 1 || p.failures.all[0].Room != "" {
		t.Errorf("failures: %+v", p.failures.all)
	}
}

func TestHandle_ContinuesAfterTheWholeFeedExpired(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	half := len(s.records) / 2
	for piece := range slices.Chunk(s.records[:half], 5) {
		p.deliverBy(p.process(), piece)
	}
	before, segments, err := p.store.FeedFrom(t.Context(), "seattle", 1, 1000)
	if err != nil || len(segments) < 3 {
		t.Fatal(segments, err)
	}
	client := dynamo.LocalClient(s.endpoint)
	for i, segment := range segments {
		if left := time.Until(segment.Expires); left < feed.DefaultRetention-time.Minute || left > feed.DefaultRetention {
			t.Errorf("segment %d expires in %v", segment.First, left)
		}
		if i == 0 {
			continue // DynamoDB does not remove expired items in order
		}
		if _, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &p.table, Key: table.SegmentKey("seattle", segment.First)}); err != nil {
			t.Fatal(err)
		}
	}
	p.deliverBy(p.process(), s.records[half:])
	after, segments, err := p.store.FeedFrom(t.Context(), "seattle", before.Last+1, 1000)
	if err != nil || len(segments) == 0 || segments[0].First != before.Last+1 || segments[0].Count != before.Count || after.Count <= before.Count {
		t.Errorf("segments after %+v: %+v, %v", before, segments, err)
	}
}

func TestAppend_RecognizesChangesBeyondItsMemory(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	created := time.Now().UTC().Truncate(time.Second)
	many := func(from, n int) []feed.StreamChange {
		var all []feed.StreamChange
		for i := range n {
			id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(created, [10]byte{7: byte((from + i) >> 16), 8: byte((from + i) >> 8), 9: byte(from + i)})}
			all = append(all, feed.StreamChange{Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: created})
		}
		return all
	}
	appender := stream.NewAppender(stream.Options{Store: w.store, Clock: time.Now})
	const total = 25_000 // more than a process remembers of a room
	if n, err := appender.Append(t.Context(), "seattle", "g", many(0, total)); n != total || err != nil {
		t.Fatal(n, err)
	}
	for _, a := range []*stream.Appender{appender, stream.NewAppender(stream.Options{Store: w.store, Clock: time.Now})} {
		for _, from := range []int{0, 12_345, total - 500} {
			if n, err := a.Append(t.Context(), "seattle", "g", many(from, 500)); n != 0 || err != nil {
				t.Errorf("from %d: %d changes were appended again, %v", from, n, err)
			}
		}
	}
	if n, err := appender.Append(t.Context(), "seattle", "g", many(total-10, 20)); n != 10 || err != nil {
		t.Errorf("%d of 10 new changes were appended, %v", n, err)
	}
	if n := len(w.feedOf("seattle")); n != total+10 {
		t.Errorf("the feed has %d changes", n)
	}
}
