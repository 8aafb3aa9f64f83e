package chat_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/local/engine/enginetest"
	"parley/internal/policy"
	"parley/internal/table"
)

func TestAMarkAnswersAsTheListOfRoomsDoes(t *testing.T) {
	t.Parallel()
	w := newFeedWorld(t)
	makeRoom(t, w.Service, "seattle", 1)
	w.appendTo("seattle", []chat.Change{chat.ChangeOf(w.sent("amsg", "a")), chat.ChangeOf(w.sent("amsg", "b"))}, nil)
	if err := setRole(t, w.Service, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	w.appendTo("seattle", []chat.Change{chat.ChangeOf(w.sent("amsg", "c"))}, nil)
	for _, seq := range []int64{0, 1, 2, 3} {
		marked, err := w.MarkRead(t.Context(), "bob", "seattle", seq)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := w.RoomsOf(t.Context(), "bob", "bob", chat.PageOf{Limit: 1})
		if err != nil || listed.Rooms[0].Reading != marked {
			t.Errorf("read up to %d: %+v, listed as %+v, %v", seq, marked, listed, err)
		}
	}
}

func TestWhoeverHasReadAQuietRoomHasNothingUnread(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient(enginetest.Start(t))
	if err := dynamo.CreateTable(t.Context(), client, "quiet"); err != nil {
		t.Fatal(err)
	}
	w := &feedWorld{t: t, heads: map[chat.RoomID]chat.Segment{}}
	w.Service, w.clock = newServiceWith(t, func(o *chat.Options) {
		w.store = dynamo.New(client, dynamo.Options{Table: "quiet", Clock: o.Clock})
		o.Store = w.store
	})
	makeRoom(t, w.Service, "seattle", 1)
	segment := w.appendTo("seattle", []chat.Change{chat.ChangeOf(w.sent("amsg", "a")), chat.ChangeOf(w.sent("amsg", "b"))}, nil)
	expired := &dynamodb.DeleteItemInput{TableName: aws.String("quiet"), Key: table.SegmentKey("seattle", segment.First)}
	if _, err := client.DeleteItem(t.Context(), expired); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		seq  int64
		want chat.Reading
	}{
		{1, chat.Reading{Seq: 1, Unread: 2}}, // what has expired is not known
		{2, chat.Reading{Seq: 2}},
	} {
		if got, err := w.MarkRead(t.Context(), "maker", "seattle", tt.seq); err != nil || got != tt.want {
			t.Errorf("%+v, want %+v, %v", got, tt.want, err)
		}
	}
}
