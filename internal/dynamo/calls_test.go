package dynamo_test

import (
	"os"
	"testing"

	"parley/internal/rights"
)

// recorder sees to it that stores that keep their contract call nothing that the roles refuse.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"contract-*": "Table", "feeds-*": "Table", "log-*": "LogTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
