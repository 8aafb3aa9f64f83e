package dynamo_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/tabletest"
)

// messageStore returns a store whose calls are counted, on a separate engine. It has a room of one
// shard with a message.
func messageStore(t *testing.T) (s *dynamo.Store, c *tabletest.Usage, client *dynamodb.Client, m chat.Message) {
	t.Helper()
	client = tabletest.Start(t, "chat")
	c = &tabletest.Usage{}
	// The clock does not move, so that the room's shards are read once.
	s = dynamo.New(client, dynamo.Options{Table: "chat", Clock: func() time.Time { return revisedAt }, Observe: c.Observe})
	room := chat.Room{ID: "seattle", Name: "Seattle", CreatedBy: "maker", CreatedAt: revisedAt, Shards: 1, DigestKey: []byte("key")}
	if created, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker")); err != nil || !created {
		t.Fatal(created, err)
	}
	m = chat.Message{
		Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(revisedAt, [10]byte{1}), User: "amsg"},
		Text: "secret 1", Metadata: `{"k":"secret"}`, ReceivedAt: revisedAt, Digest: []byte("digest"), Revision: 1,
	}
	if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatal(created, err)
	}
	c.Take()
	return s, c, client, m
}

// revised revises a message and fails the test if that fails.
func revised(t *testing.T, s *dynamo.Store, before, after chat.Message) chat.Message {
	t.Helper()
	kept, ok, err := s.ReviseMessage(t.Context(), before, after)
	if err != nil || !ok {
		t.Fatalf("revision %d: %v, %v", after.Revision, ok, err)
	}
	return kept
}

func secret(m chat.Message) chat.Message {
	return m.Edited(fmt.Sprintf("secret %d", m.Revision+1), revisedAt)
}

func TestReviseMessage_WritesOnlyTheItemsThatChange(t *testing.T) {
	t.Parallel()
	s, c, _, m := messageStore(t)
	spent := func(what string, items int, units float64, count int) {
		t.Helper()
		gotItems, gotUnits, used := 0, 0.0, c.Take()
		for _, u := range used {
			gotItems += u.Items
			gotUnits += u.Units
		}
		if gotItems != items || gotUnits != units || len(used) != count {
			t.Errorf("%s: %d items, %v units, %d calls, want %d, %v, %d", what, gotItems, gotUnits, len(used), items, units, count)
		}
	}
	m = revised(t, s, m, secret(m))
	spent("the first edit", 0, 9, 1)
	for range 10 {
		m = revised(t, s, m, secret(m))
		spent("the next edit", 0, 7, 1)
	}
	if versions, err := s.MessageVersions(t.Context(), chat.NewestVersion(m), 50); err != nil || len(versions) != 12 {
		t.Errorf("%d versions, %v", len(versions), err)
	}
	spent("all versions", 12, 12, 1)
	if versions, err := s.MessageVersions(t.Context(), chat.NewestVersion(m), 3); err != nil || len(versions) != 3 {
		t.Errorf("%d versions, %v", len(versions), err)
	}
	spent("three versions", 3, 3, 1)
	revised(t, s, m, m.Tombstone("amsg", revisedAt))
	spent("the deletion", 0, 3+2*13, 1)
}

// everyItem returns the stored items of the message and of its versions.
func everyItem(t *testing.T, client *dynamodb.Client, m chat.Message) (items []table.Item) {
	t.Helper()
	for _, pk := range []string{table.ShardPK(m.Room, 0), table.MessageVersionsPK(m.Room, m.ID)} {
		out, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String("chat"), KeyConditionExpression: aws.String("PK = :pk"), ConsistentRead: aws.Bool(true),
			ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: pk}},
		})
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, out.Items...)
	}
	return items
}

func textOf(item table.Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// TestReviseMessage_DeletedTextIsNowhereInTheTable: a text that the API no longer shows must not be
// in the table either.
func TestReviseMessage_DeletedTextIsNowhereInTheTable(t *testing.T) {
	t.Parallel()
	s, _, client, m := messageStore(t)
	put := everyItem(t, client, m)
	for range 3 {
		m = revised(t, s, m, secret(m))
	}
	texts := map[string]string{}
	for _, item := range everyItem(t, client, m) {
		texts[textOf(item, table.SK)] = textOf(item, "text")
	}
	want := map[string]string{
		textOf(put[0], table.SK): "secret 4", "v0_message": "secret 4",
		"v1_message": "secret 1", "v2_message": "secret 2", "v3_message": "secret 3", "v4_message": "secret 4",
	}
	if d := cmp.Diff(want, texts); d != "" {
		t.Errorf("texts (-want +got):\n%s", d)
	}
	revised(t, s, m, m.Tombstone("maker", revisedAt))
	items := everyItem(t, client, m)
	if len(items) != 6 {
		t.Errorf("%d items, want 6", len(items))
	}
	for _, item := range items {
		for name, value := range item {
			if v, ok := value.(*types.AttributeValueMemberS); ok && strings.Contains(v.Value, "secret") {
				t.Errorf("%s of %s holds %q", name, textOf(item, table.SK), v.Value)
			}
		}
	}
	for _, name := range []string{table.PK, table.SK, table.IndexPK, table.IndexSK} {
		if textOf(items[0], name) != textOf(put[0], name) {
			t.Errorf("%s has moved from %s to %s", name, textOf(put[0], name), textOf(items[0], name))
		}
	}
}

// TestReviseMessage_KeepsUnknownAttributes edits items without a revision: an old item, and one
// that was never edited. Attributes that a later version added survive the edit.
func TestReviseMessage_KeepsUnknownAttributes(t *testing.T) {
	t.Parallel()
	s, _, client, m := messageStore(t)
	key := table.MessageKey(m.Room, 0, m.ID)
	_, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("chat"), Key: key, UpdateExpression: aws.String("SET later = :later"),
		ExpressionAttributeValues: table.Item{":later": &types.AttributeValueMemberS{Value: "day"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	m = revised(t, s, m, secret(m))
	revised(t, s, m, m.Tombstone("amsg", revisedAt))
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("chat"), Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil || textOf(out.Item, "later") != "day" {
		t.Errorf("%v, %v", out.Item, err)
	}
}

func TestReviseMessage_ConcurrentEditIsStaleOrMayBeRetried(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	plain := dynamo.LocalClient(endpoint)
	tabletest.Create(t, plain, "chat")
	options := dynamo.Options{Table: "chat", Clock: time.Now}
	other := dynamo.New(plain, options)
	room := chat.Room{ID: "seattle", CreatedBy: "maker", CreatedAt: revisedAt, Shards: 1, DigestKey: []byte("key")}
	if created, err := other.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker")); err != nil || !created {
		t.Fatal(created, err)
	}
	m := chat.Message{
		Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(revisedAt, [10]byte{1}), User: "amsg"},
		Text: "one", ReceivedAt: revisedAt, Digest: []byte("digest"), Revision: 1,
	}
	if _, created, err := other.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatal(created, err)
	}
	losing := dynamo.New(dynamo.LocalClient(endpoint, faults.Conflicting(func() {})), options)
	if _, _, err := losing.ReviseMessage(t.Context(), m, secret(m)); chat.KindOf(err) != chat.Unavailable || !strings.Contains(err.Error(), "edit message") {
		t.Errorf("a conflict that changed nothing: %v", err)
	}
	gone := m.Tombstone("bob", revisedAt)
	stale := dynamo.New(dynamo.LocalClient(endpoint, faults.Conflicting(func() {
		if _, ok, err := other.ReviseMessage(t.Context(), m, gone); err != nil || !ok {
			t.Errorf("theirs: %v, %v", ok, err)
		}
	})), options)
	kept, ok, err := stale.ReviseMessage(t.Context(), m, secret(m))
	if d := cmp.Diff(gone, kept); d != "" || ok || err != nil {
		t.Errorf("a conflict with a deletion: revised %v, %v (-want +got):\n%s", ok, err, d)
	}
}
