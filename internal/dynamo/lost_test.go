package dynamo_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/tabletest"
)

// loseAnswer sends the first call of an operation to the engine and loses the response.
type loseAnswer struct {
	operation string
	lost      atomic.Int32
	meanwhile func() // happens before the next attempt, if set
}

func (l *loseAnswer) Do(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultClient.Do(r)
	if err == nil && strings.HasSuffix(r.Header.Get("X-Amz-Target"), "."+l.operation) && l.lost.CompareAndSwap(0, 1) {
		if l.meanwhile != nil {
			l.meanwhile()
		}
		return nil, errors.Join(&timeout{}, res.Body.Close())
	}
	return res, err
}

type timeout struct{}

func (*timeout) Error() string   { return "the answer is late" }
func (*timeout) Timeout() bool   { return true }
func (*timeout) Temporary() bool { return true }

// newLossy returns a store that loses the response to the first call of an operation.
func newLossy(t *testing.T, operation string) (*dynamo.Store, *loseAnswer) {
	t.Helper()
	faults := &loseAnswer{operation: operation}
	client := tabletest.Start(t, "lost", func(o *dynamodb.Options) { o.HTTPClient = faults })
	return dynamo.New(client, dynamo.Options{Table: "lost", Clock: time.Now}), faults
}

var lostAt = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

func createLost(t *testing.T, store *dynamo.Store) {
	t.Helper()
	room := chat.Room{ID: "seattle", Name: "n", CreatedBy: "m", CreatedAt: lostAt, Shards: 1, DigestKey: []byte("k")}
	if ok, err := store.CreateRoom(t.Context(), room, chat.OwnerOf(room, "m")); !ok || err != nil {
		t.Fatalf("create room: %v, %v", ok, err)
	}
}

func lostMessage() chat.Message {
	id := chat.MessageID{UUID: chat.NewUUID(lostAt, [10]byte{}), User: "amsg"}
	return chat.Message{Room: "seattle", ID: id, Text: "x", ReceivedAt: lostAt, Digest: []byte("d"), Revision: 1}
}

func TestPutMessage_LostFirstAnswerIsCreated(t *testing.T) {
	t.Parallel()
	store, faults := newLossy(t, "PutItem")
	createLost(t, store)
	m := lostMessage()
	if kept, created, err := store.PutMessage(t.Context(), m); !created || err != nil || kept.Text != "x" || faults.lost.Load() != 1 {
		t.Errorf("%+v, created %v, %v, %d answers lost", kept, created, err, faults.lost.Load())
	}
	if _, created, err := store.PutMessage(t.Context(), m); created || err != nil {
		t.Errorf("a retry is created %v, %v", created, err)
	}
}

// TestPutMessage_LostAnswerOfAChangedMessage edits the message before the second attempt, and
// keeps its text.
func TestPutMessage_LostAnswerOfAChangedMessage(t *testing.T) {
	t.Parallel()
	store, faults := newLossy(t, "PutItem")
	createLost(t, store)
	m := lostMessage()
	after := m
	after.Revision, after.EditedAt = 2, lostAt
	faults.meanwhile = func() {
		if _, revised, err := store.ReviseMessage(t.Context(), m, after); !revised || err != nil {
			t.Errorf("revised %v, %v", revised, err)
		}
	}
	if kept, created, err := store.PutMessage(t.Context(), m); created || err != nil || kept.Revision != 2 {
		t.Errorf("%+v, created %v, %v", kept, created, err)
	}
}

// TestCreateRoom_LostFirstAnswerIsCreated relies on the token of a transaction: the SDK's retry
// has the same token, so the service recognizes it.
func TestCreateRoom_LostFirstAnswerIsCreated(t *testing.T) {
	t.Parallel()
	store, faults := newLossy(t, "TransactWriteItems")
	createLost(t, store)
	if faults.lost.Load() != 1 {
		t.Error("no answer was lost")
	}
}
