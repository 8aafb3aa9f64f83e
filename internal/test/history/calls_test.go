package history_test

import (
	"os"
	"testing"

	"parley/internal/test/rights"
)

// calls sees to it that services and consumers call nothing that the roles refuse.
var calls = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable"})

func TestMain(m *testing.M) { os.Exit(calls.Guard(m)) }
