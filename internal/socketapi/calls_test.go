package socketapi_test

import (
	"os"
	"testing"

	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/rights"
)

// recorder refuses calls that the function's role does not allow.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{chattest.Table: "Table", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
