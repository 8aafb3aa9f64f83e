package dynamo_test

import (
	"os"
	"testing"

	"example.com/parley/internal/test/rights"
)

// recorder checks that stores that keep their contract make no call that the roles deny.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"contract-*": "Table", "feeds-*": "Table", "log-*": "LogTable", "live-*": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
