package dynamo_test

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

func TestStore_KeepsTheContract(t *testing.T) {
	endpoint := enginetest.Start(t)
	var tables atomic.Int32
	storetest.Run(t, func(t *testing.T) app.Stores {
		client := dynamo.LocalClient(endpoint)
		name := fmt.Sprintf("contract-%d", tables.Add(1))
		tabletest.Create(t, client, name)
		client = dynamo.LocalClient(endpoint, recorder.Client(rights.Store))
		return dynamo.New(client, dynamo.Options{Table: name, Clock: time.Now})
	})
}

func TestStore_KeepsTheFeedContract(t *testing.T) {
	endpoint := enginetest.Start(t)
	var tables atomic.Int32
	storetest.RunFeeds(t, func(t *testing.T) storetest.FeedStore {
		client := dynamo.LocalClient(endpoint)
		name := fmt.Sprintf("feeds-%d", tables.Add(1))
		tabletest.Create(t, client, name)
		client = dynamo.LocalClient(endpoint, recorder.Client(rights.Store))
		return dynamo.New(client, dynamo.Options{Table: name, Clock: time.Now})
	})
}

// recorder checks that stores that keep their contract make no call that the roles deny.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"contract-*": "Table", "feeds-*": "Table", "log-*": "LogTable", "live-*": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
