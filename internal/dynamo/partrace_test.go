package dynamo_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/tabletest"
)

// TestSavePart_RaceWithTheVersionBeforeMayBeRetried saves a part on a version that is saved between
// the transaction, which fails, and the read of the newest version. The error says that a retry
// may succeed, and the retry does.
func TestSavePart_RaceWithTheVersionBeforeMayBeRetried(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat")
	other := dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now})
	part := func(version int) document.Part {
		at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
		return document.Part{Room: "seattle", Document: "rules", ID: "one", Version: version, Text: "x", SavedBy: "amsg", SavedAt: at}
	}
	save := func(version int) {
		if _, saved, err := other.SavePart(t.Context(), part(version)); !saved || err != nil {
			t.Errorf("version %d: %t, %v", version, saved, err)
		}
	}
	save(1)
	between := sync.OnceFunc(func() { save(2) })
	racing := dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		next := o.HTTPClient
		o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
			res, err := next.Do(r)
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
				between()
			}
			return res, err
		})
	})
	store := dynamo.New(racing, dynamo.Options{Table: "chat", Clock: time.Now})
	if _, saved, err := store.SavePart(t.Context(), part(3)); saved || chat.KindOf(err) != chat.Unavailable {
		t.Errorf("during the race: %t, %v, want an error that asks for a retry", saved, err)
	}
	if _, saved, err := store.SavePart(t.Context(), part(3)); !saved || err != nil {
		t.Errorf("after the race: %t, %v", saved, err)
	}
}
