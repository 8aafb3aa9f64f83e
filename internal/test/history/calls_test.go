package history_test

import (
	"os"
	"testing"

	"example.com/parley/internal/test/rights"
)

// calls checks that services and consumers make only calls that their roles permit.
var calls = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(calls.Guard(m)) }
