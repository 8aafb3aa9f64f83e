package stream_test

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/test/rights"
)

// recorder records the calls of the feed function, under the names that tests give the table. It
// does not record the calls of tests and repairs.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"feeds": "Table", "play-*": "Table"})

func TestMain(m *testing.M) { os.Exit(recorder.Main(m)) }

// recorded returns the options of a function's client. Injected faults come before the recorder: it
// does not record a request that a fault loses.
func recorded(options []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	return append([]func(*dynamodb.Options){recorder.Client("feed")}, options...)
}
