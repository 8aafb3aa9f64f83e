// Package feedtest reads the stream of a table on the local engine. It is for tests that pass the
// records to the feed's handler themselves: in pieces, twice, or in another order.
package feedtest

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/stream"
)

// maxRecords is the maximum number of records in a response.
const maxRecords = 1000

// Stream reads the stream of a table from its beginning.
type Stream struct {
	client *dynamodbstreams.Client
	arn    string
	shard  string
	last   string // the sequence number of the last record read
}

// Open enables the stream of a table, if necessary, and returns a reader of it.
func Open(t testing.TB, endpoint, table string) *Stream {
	t.Helper()
	arn, err := dynamo.EnableStream(t.Context(), dynamo.LocalClient(endpoint), table)
	if err != nil {
		t.Fatal(err)
	}
	s := &Stream{arn: arn, client: dynamodbstreams.New(dynamodbstreams.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint, Credentials: dynamo.StaticCredentials("local", "local", ""),
	})}
	described, err := s.client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: &arn})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(described.StreamDescription.Shards); n != 1 {
		t.Fatalf("the stream has %d shards, want 1", n)
	}
	s.shard = aws.ToString(described.StreamDescription.Shards[0].ShardId)
	return s
}

// Next returns the records since the last call, in order.
func (s *Stream) Next(t testing.TB) []events.DynamoDBEventRecord {
	t.Helper()
	in := &dynamodbstreams.GetShardIteratorInput{StreamArn: &s.arn, ShardId: &s.shard, ShardIteratorType: types.ShardIteratorTypeTrimHorizon}
	if s.last != "" {
		in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeAfterSequenceNumber, &s.last
	}
	iterator, err := s.client.GetShardIterator(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var all []events.DynamoDBEventRecord
	for next := iterator.ShardIterator; next != nil; {
		out, err := s.client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: next, Limit: aws.Int32(maxRecords)})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Records) == 0 {
			break
		}
		all = append(all, s.decode(t, out.Records)...)
		s.last = all[len(all)-1].Change.SequenceNumber
		next = out.NextShardIterator
	}
	return all
}

// decode converts records by means of the JSON that Lambda passes to a function.
func (s *Stream) decode(t testing.TB, records []types.Record) []events.DynamoDBEventRecord {
	t.Helper()
	text, err := stream.Event(s.arn, records)
	if err != nil {
		t.Fatal(err)
	}
	var e events.DynamoDBEvent
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	return e.Records
}
