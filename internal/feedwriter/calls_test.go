package feedwriter_test

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/test/rights"
)

// recorder notes what the feed function calls, under the names that tests give the table. What
// tests and repairs do by themselves is no function's.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"feeds": "Table", "play-*": "Table"})

func TestMain(m *testing.M) { os.Exit(recorder.Main(m)) }

// recorded are the options of a function's client. Faults that others inject stand before the
// recorder: a request that they lose is never made.
func recorded(options []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	return append([]func(*dynamodb.Options){recorder.Client("feed")}, options...)
}
