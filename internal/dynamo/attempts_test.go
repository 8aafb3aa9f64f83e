package dynamo_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/tabletest"
)

// betweenAttempts calls a function before a transaction is sent for the second time.
type betweenAttempts struct {
	next dynamodb.HTTPClient
	do   func(context.Context)
	sent int
}

func (b *betweenAttempts) Do(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
		if b.sent++; b.sent == 2 {
			b.do(r.Context())
		}
	}
	return b.next.Do(r)
}

// lostThenRefused returns a store whose first transaction takes effect but loses its response. Its
// retries conflict with concurrent transactions. A function is called in between.
func lostThenRefused(endpoint string, do func(context.Context)) *dynamo.Store {
	in := &faults.Injector{}
	in.Plan(
		faults.Rule{Operation: "TransactWriteItems", Fault: faults.LostAnswer, Attempts: 1},
		faults.Rule{Operation: "TransactWriteItems", Fault: faults.Conflict},
	)
	client := dynamo.LocalClient(endpoint, in.Options, func(o *dynamodb.Options) {
		o.HTTPClient = &betweenAttempts{next: o.HTTPClient, do: do}
	})
	return dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now})
}

// TestTransact_LostAnswerAndALaterChangeAreNoStaleWrite changes an item, loses the response and
// changes the item again before the retry. The first change took effect; reporting it as stale
// would say that it did not.
func TestTransact_LostAnswerAndALaterChangeAreNoStaleWrite(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	plain := dynamo.LocalClient(endpoint)
	tabletest.Create(t, plain, "chat")
	other := dynamo.New(plain, dynamo.Options{Table: "chat", Clock: time.Now})
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
	mine := secret(m)

	kept, ok, err := lostThenRefused(endpoint, func(context.Context) {}).ReviseMessage(t.Context(), m, mine)
	if ok || err != nil || kept.Revision != 2 || kept.Text != mine.Text {
		t.Errorf("while nothing else was done: revised %v, %+v, %v", ok, kept, err)
	}
	theirs := secret(mine)
	_, _, err = lostThenRefused(endpoint, func(ctx context.Context) {
		if _, ok, err := other.ReviseMessage(ctx, theirs, secret(theirs)); err != nil || !ok {
			t.Errorf("theirs: %v, %v", ok, err)
		}
	}).ReviseMessage(t.Context(), mine, theirs)
	if chat.KindOf(err) != chat.Unavailable {
		t.Errorf("an edit that was edited: %v", err)
	}
}
