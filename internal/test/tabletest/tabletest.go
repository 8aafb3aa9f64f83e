// Package tabletest creates Parley's tables on the local engine for tests.
package tabletest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
)

// Start starts an engine with one main table and returns a client of it.
func Start(t testing.TB, name string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t), options...)
	Create(t, client, name)
	return client
}

// StartLog is Start with a table of the activity log.
func StartLog(t testing.TB, name string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t), options...)
	CreateLog(t, client, name)
	return client
}

// Create creates main tables, without a stream. It does not change existing tables.
func Create(t testing.TB, client *dynamodb.Client, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := dynamo.CreateTable(t.Context(), client, name); err != nil {
			t.Fatal(err)
		}
	}
}

// CreateLog creates tables of the activity log. It does not change existing tables.
func CreateLog(t testing.TB, client *dynamodb.Client, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := dynamo.CreateLogTable(t.Context(), client, name); err != nil {
			t.Fatal(err)
		}
	}
}

// CreateLive creates tables of live connections. It does not change existing tables.
func CreateLive(t testing.TB, client *dynamodb.Client, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := dynamo.CreateLiveTable(t.Context(), client, name); err != nil {
			t.Fatal(err)
		}
	}
}

// Keeps tests a store by each rule of its contract, on a table of the rule's own, whose name begins
// with prefix. create creates the table, and open returns its store.
func Keeps[S any](t *testing.T, prefix string, create func(testing.TB, *dynamodb.Client, ...string), open func(*dynamo.Table) S, rules map[string]func(*testing.T, S)) {
	t.Helper()
	keeps(t, prefix, create, func(client *dynamodb.Client, name string) S { return open(dynamo.NewTable(client, name, nil)) }, rules)
}

// KeepsLog is Keeps with tables of the activity log.
func KeepsLog[S any](t *testing.T, prefix string, open func(*dynamo.Table) S, rules map[string]func(*testing.T, S)) {
	t.Helper()
	keeps(t, prefix, CreateLog, func(client *dynamodb.Client, name string) S { return open(dynamo.NewLogTable(client, name, nil)) }, rules)
}

func keeps[S any](t *testing.T, prefix string, create func(testing.TB, *dynamodb.Client, ...string), open func(*dynamodb.Client, string) S, rules map[string]func(*testing.T, S)) {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t))
	n := 0
	for rule, test := range rules {
		n++
		name := fmt.Sprintf("%s-%d", prefix, n)
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			create(t, client, name)
			test(t, open(client, name))
		})
	}
}

// Usage holds the consumption of calls. Its zero value is ready to use.
type Usage struct {
	mu  sync.Mutex
	all []dynamo.Usage
}

// Observe adds the consumption of a call, as dynamo.Options.Observe does.
func (u *Usage) Observe(_ context.Context, one dynamo.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = append(u.all, one)
}

// Take returns the consumption of the calls since the last Take.
func (u *Usage) Take() []dynamo.Usage {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.all
	u.all = nil
	return all
}
