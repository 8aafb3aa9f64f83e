package inbox_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
)

// TestRoomsOf_LeavesOutDeletedRooms lists the rooms of the owner, of a member and of a reader who
// was a page ahead, after one of three rooms was deleted.
func TestRoomsOf_LeavesOutDeletedRooms(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, room := range []chat.RoomID{"seattle", "portland", "tacoma"} {
		chattest.CreateRoom(t, w.Services, room, 1)
		if err := chattest.SetRole(t, w.Services, "bob", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
		w.said(room, "eve", "hello")
	}
	first, err := w.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1})
	if err != nil || len(first.Items) != 1 || first.Items[0].Room.ID != "tacoma" {
		t.Fatalf("%+v, %v", first, err)
	}
	if err := w.DeleteRoom(t.Context(), "maker", "portland", nil); err != nil {
		t.Fatal(err)
	}
	for _, user := range []chat.UserID{"maker", "bob"} {
		for limit := 1; limit <= 3; limit++ {
			if got := w.idsOf(user, limit); got != "tacoma seattle" {
				t.Errorf("%s in pages of %d: %s", user, limit, got)
			}
		}
	}
	rest, err := w.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1, Cursor: first.Next})
	if err != nil || len(rest.Items) != 1 || rest.Items[0].Room.ID != "seattle" || rest.Next != "" {
		t.Errorf("after the first page: %+v, %v", rest, err)
	}
	for _, seq := range []int64{0, 1} {
		_, err := w.Inbox.MarkRead(t.Context(), "bob", "portland", seq)
		chattest.WantKind(t, "a read marker", err, chat.NotFound)
	}
}

// TestRoomsOf_TombstoneFailsNoList lists rooms whose heads do not show yet that one is deleted.
func TestRoomsOf_TombstoneFailsNoList(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, room := range []chat.RoomID{"seattle", "portland", "tacoma"} {
		chattest.CreateRoom(t, w.Services, room, 1)
	}
	w.said("portland", "eve", "hello")
	head := w.heads["portland"].Head()
	if err := w.DeleteRoom(t.Context(), "maker", "portland", nil); err != nil {
		t.Fatal(err)
	}
	in := &dynamodb.DeleteItemInput{TableName: aws.String(chattest.Table), Key: table.FeedHeadKey("portland")}
	if _, err := w.client.DeleteItem(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if got := w.idsOf("maker", 9); got != "seattle tacoma" {
		t.Errorf("without a head: %s", got)
	}
	if err := w.store.PutFeedHead(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	if got := w.idsOf("maker", 1); got != "seattle tacoma" {
		t.Errorf("with the head from before: %s", got)
	}
}
