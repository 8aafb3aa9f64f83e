package dynamo_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// TestRoom_ReadsOnlyItsOwnItems puts 1,000 other items in a room's partition, before and after the
// room's own items, under keys of new kinds of items.
func TestRoom_ReadsOnlyItsOwnItems(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat")
	var used []dynamo.Usage
	observe := func(_ context.Context, u dynamo.Usage) { used = append(used, u) }
	s := dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Observe: observe})
	room := chat.Room{ID: "seattle", Name: "n", CreatedBy: "amsg", CreatedAt: time.Now(), Shards: 1, DigestKey: make([]byte, 32), Posting: policy.Everyone}
	if ok, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "Amsel")); err != nil || !ok {
		t.Fatal(ok, err)
	}
	keys := []table.Item{}
	for i := range 250 {
		keys = append(keys, table.Key("r#seattle", fmt.Sprintf("ban#%03d", i)), table.Key("r#seattle", fmt.Sprintf("thread#👍%03d", i)),
			table.Key("p#seattle", fmt.Sprintf("mention#%03d", i)), table.Key("p#seattle", fmt.Sprintf("pins#%03d", i)))
	}
	for i := 0; i < len(keys); i += 25 {
		var puts []types.WriteRequest
		for _, item := range keys[i : i+25] {
			item["text"] = &types.AttributeValueMemberS{Value: strings.Repeat("x", 100)}
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		_, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"chat": puts}})
		if err != nil {
			t.Fatal(err)
		}
	}
	out, err := client.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String("chat"), ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("PK = :pk"),
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: table.RoomPK("seattle")}},
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	})
	if err != nil || *out.ConsumedCapacity.CapacityUnits < 10 {
		t.Fatalf("the whole partition costs %+v, %v: the others do not weigh", out.ConsumedCapacity, err)
	}
	used = nil
	if got, err := s.Room(t.Context(), "seattle"); err != nil || got.ID != "seattle" || got.Shards != 1 {
		t.Fatal(got, err)
	}
	if len(used) != 1 || used[0].Units != 1 || used[0].Items != 3 {
		t.Errorf("reading the room took %+v, want 3 items for 1 unit", used)
	}
}

// TestDeleteRoom_LeavesATombstone checks the units of a deletion and the remaining item. It has no
// settings, no index keys, and a version that code from before deletion refuses.
func TestDeleteRoom_LeavesATombstone(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient(enginetest.Start(t))
	tabletest.Create(t, client, "chat")
	units := 0.0
	s := dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Observe: func(_ context.Context, u dynamo.Usage) { units += u.Units }})
	room := chat.Room{ID: "seattle", Name: "Secret name", Topic: "t", CreatedBy: "maker", CreatedAt: time.Now().UTC(), Shards: 1, DigestKey: []byte("key")}
	owner := chat.OwnerOf(room, "Maker")
	if ok, err := s.CreateRoom(t.Context(), room, owner); !ok || err != nil {
		t.Fatal(ok, err)
	}
	units = 0
	if ok, err := s.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: owner, At: time.Now()}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	t.Logf("%v write units", units)
	if units != deletionUnits {
		t.Errorf("a deletion consumes %v write units, the comment of DeleteRoom says %v", units, deletionUnits)
	}
	item, err := dynamo.NewTable(client, "chat", nil).GetItem(t.Context(), "test", table.MetadataKey("seattle"), dynamo.Strong)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range item {
		names = append(names, name)
	}
	if len(names) != 7 || item[table.IndexPK] != nil || strings.Contains(table.KeyText(item), "Secret") {
		t.Errorf("the tombstone has %v", names)
	}
	d, err := table.ParseRoomTombstone(item)
	if err != nil || d.Room.ID != "seattle" || !d.Room.Deleted || d.By.User != "maker" || d.At.IsZero() {
		t.Errorf("the tombstone is read as %+v, %v", d, err)
	}
}

const deletionUnits = 7
