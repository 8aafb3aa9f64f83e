package functions_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/test/requests"
)

// TestFeed_GrowsABusyRoom sends the function the messages of a room at 600 a second, in batches as
// large as Lambda's. The room then has the shards for that rate.
func TestFeed_GrowsABusyRoom(t *testing.T) {
	const rate, seconds = 600, 6
	w := newFeedWorld(t)
	w.open("seattle")
	var example events.DynamoDBEvent
	if err := json.Unmarshal([]byte(requests.BatchOf("message-created")), &example); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	batch := events.DynamoDBEvent{}
	for n := range rate * seconds {
		batch.Records = append(batch.Records, another(example.Records[0], n, n/rate))
		if full := len(batch.Records) == feed.MaxSegmentChanges; !full && n < rate*seconds-1 {
			continue
		}
		text, err := json.Marshal(batch)
		if err != nil {
			t.Fatal(err)
		}
		if retried := w.deliver(string(text)); len(retried) > 0 {
			t.Fatalf("records %v are to be retried", retried)
		}
		batch.Records = nil
	}
	plan, err := w.store().ShardPlan(t.Context(), "seattle")
	if err != nil || len(plan.Epochs) != 2 || plan.Pinned {
		t.Fatalf("the room has the plan %+v, %v", plan, err)
	}
	if last := plan.Epochs.Last(); last.N != 2 || last.From.Before(started.Add(growth.Delay)) {
		t.Errorf("the room has %d shards from %v, want 2 from %v", last.N, last.From, started.Add(growth.Delay))
	}
}

// another returns the record of another message, which was created a few seconds later.
func another(r events.DynamoDBEventRecord, n, seconds int) events.DynamoDBEventRecord {
	at := r.Change.ApproximateCreationDateTime.Add(time.Duration(seconds) * time.Second)
	user := chat.UserID(fmt.Sprint("u", n%100))
	id := chat.MessageID{UUID: chat.NewUUID(at, [10]byte{byte(n >> 8), byte(n)}), User: user}
	const form = "2006-01-02:15:04:05.000"
	sort := events.NewStringAttribute(fmt.Sprintf("%s#%s#%s", user, at.UTC().Format(form), id.UUID))
	image := map[string]events.DynamoDBAttributeValue{}
	for name, value := range r.Change.NewImage {
		if name != "mentions" && name != "mentionRoom" {
			image[name] = value
		}
	}
	image["SK"] = sort
	image["GSI1SK"] = events.NewStringAttribute(fmt.Sprintf("%s#%s#%s", at.UTC().Format(form), user, id.UUID))
	r.Change.NewImage = image
	r.Change.Keys = map[string]events.DynamoDBAttributeValue{"PK": r.Change.Keys["PK"], "SK": sort}
	r.Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: at}
	r.Change.SequenceNumber = fmt.Sprintf("5%020d", n)
	r.EventID = fmt.Sprintf("%032d", n)
	return r
}
