package dynamo

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/test/enginetest"
)

// startTable is tabletest.Start, which a test inside this package cannot import.
func startTable(t *testing.T) *dynamodb.Client {
	t.Helper()
	client := LocalClient(enginetest.Start(t))
	if err := CreateTable(t.Context(), client, "chat"); err != nil {
		t.Fatal(err)
	}
	return client
}
