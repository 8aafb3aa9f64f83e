package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/stream"
)

// TestServe_DeletedTextLeavesTheStream deletes a message. The engine's stream, which contained its
// text twice, then no longer contains it, and the next server continues after it.
func TestServe_DeletedTextLeavesTheStream(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000") // a killed server forfeits what it has recorded ahead
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	id := strings.SplitN(mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", token, `{"text":"a secret"}`), `"`, 5)[3]
	mustCall(t, 200, "DELETE", s.url+"/rooms/seattle/messages/"+id, token, "")
	awaitFeed(t, s.newStore(t), "seattle", "message.created amsg 1", "message.deleted amsg 2")
	awaitNoText(t, s.engine(t), "a secret")
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-s.done; err == nil {
		t.Error("a killed server exited without an error")
	}
	s = serve(t, dir, "--send-rate", "1000")
	mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", token, `{"text":"hello"}`)
	awaitFeed(t, s.newStore(t), "seattle", "message.created amsg 1", "message.deleted amsg 2", "message.created amsg 1")
}

// awaitNoText waits until no record in a running server's stream contains a text.
func awaitNoText(t *testing.T, endpoint, text string) {
	t.Helper()
	arn, err := dynamo.EnableStream(t.Context(), dynamo.LocalClient(endpoint), localTable)
	if err != nil {
		t.Fatal(err)
	}
	for range int(readyTime / pollInterval) {
		if !strings.Contains(streamOf(t, endpoint, arn), text) {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Fatalf("the stream still holds %q", text)
}

// streamOf returns all records of a stream as JSON.
func streamOf(t *testing.T, endpoint, arn string) string {
	t.Helper()
	client, end := stream.NewClient(endpoint)
	defer end()
	about, err := client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: &arn})
	if err != nil {
		t.Fatal(err)
	}
	it, err := client.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &arn, ShardId: about.StreamDescription.Shards[0].ShardId, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: it.ShardIterator})
	if err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal(out.Records)
	if err != nil || len(out.Records) == 0 {
		t.Fatalf("%d records, %v", len(out.Records), err)
	}
	return string(all)
}
