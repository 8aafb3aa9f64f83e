package tabletest

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
)

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
