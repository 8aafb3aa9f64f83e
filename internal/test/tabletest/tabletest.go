// Package tabletest creates Parley's tables on the local engine for tests.
package tabletest

import (
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
