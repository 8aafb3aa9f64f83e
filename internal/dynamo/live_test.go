package dynamo_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

func TestLiveStore_KeepsTheContract(t *testing.T) {
	endpoint := enginetest.Start(t)
	var tables atomic.Int32
	storetest.RunLive(t, func(t *testing.T) live.Store {
		client := dynamo.LocalClient(endpoint)
		name := fmt.Sprintf("live-%d", tables.Add(1))
		for range 2 { // the second time it exists
			tabletest.CreateLive(t, client, name)
		}
		return dynamo.NewLive(client, dynamo.Options{Table: name})
	})
	client := dynamo.LocalClient(endpoint)
	tabletest.CreateLive(t, client, "missed")
	storetest.RunMissed(t, dynamo.NewLive(client, dynamo.Options{Table: "missed"}))
}
