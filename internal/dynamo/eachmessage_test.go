package dynamo

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// walked returns a store with a room that once had four shards and now has two, and 1,104 messages
// in all four.
func walked(t *testing.T) (s *Store, used func() []Usage) {
	t.Helper()
	client := startTable(t)
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	var all []Usage
	s = New(client, Options{Table: "chat", Clock: func() time.Time { return now }, Observe: func(_ context.Context, u Usage) { all = append(all, u) }})
	s.epochs.put("seattle", shard.Epochs{{From: time.Unix(0, 0), N: 4}, {From: now, N: 2}}, now)
	var puts []types.WriteRequest
	for i := range 1104 {
		at := now.Add(time.Duration(i) * time.Millisecond)
		m := chat.Message{
			Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{}), User: "amsg"},
			Text: strings.Repeat("x", 80), ReceivedAt: at, Digest: make([]byte, 16),
		}
		item := table.MessageItem(m, max(0, i-1100)) // the last three are in the other shards
		if i == 500 {
			item[table.IndexPK] = &types.AttributeValueMemberS{Value: "t#seattle#root"} // not in the room's pages
		}
		puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	later := table.Key("seattle-2", "zoe#of a later version")
	later[table.AttrType] = &types.AttributeValueMemberS{Value: "poll"}
	puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: later}})
	for len(puts) > 0 {
		n := min(25, len(puts))
		_, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"chat": puts[:n]}})
		if err != nil {
			t.Fatal(err)
		}
		puts = puts[n:]
	}
	return s, func() []Usage { return all }
}

func TestEachMessage_WalksTheShardsAndNotTheIndex(t *testing.T) {
	t.Parallel()
	s, used := walked(t)
	seen, pages := map[chat.MessageID]int{}, 0
	err := s.EachMessage(t.Context(), "seattle", func(page []chat.Message) error {
		if pages++; len(page) > walkPage {
			t.Errorf("a page has %d messages", len(page))
		}
		for _, m := range page {
			seen[m.ID]++
		}
		return nil
	})
	if err != nil || len(seen) != 1104 || pages != 5 {
		t.Errorf("%d messages in %d pages, %v, want 1104 in 5", len(seen), pages, err)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%v comes %d times", id, n)
		}
	}
	units := 0.0
	for _, u := range used() {
		units += u.Units
	}
	// 1,104 items of 280 bytes are 302 KB: 38 units of 8 KB, and half a unit at each end.
	if units < 35 || units > 42 {
		t.Errorf("the walk took %.1f units", units)
	}
	whole, err := s.table.db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("chat"), IndexName: aws.String(table.Index), KeyConditionExpression: aws.String("GSI1PK = :pk"),
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: "seattle-1"}},
	})
	if err != nil || whole.Count != 1100 {
		t.Errorf("the index has %d messages of the first shard, %v, want one less than the table's 1101", whole.Count, err)
	}
}

func TestEachMessage_EndsWithTheFirstError(t *testing.T) {
	t.Parallel()
	s, _ := walked(t)
	pages, enough := 0, errors.New("enough")
	err := s.EachMessage(t.Context(), "seattle", func([]chat.Message) error { pages++; return enough })
	if !errors.Is(err, enough) || pages != 1 {
		t.Errorf("%d pages, %v", pages, err)
	}
	if err := s.EachMessage(t.Context(), "nowhere", func([]chat.Message) error { return nil }); chat.KindOf(err) != chat.NotFound {
		t.Errorf("room that does not exist: %v", err)
	}
}
