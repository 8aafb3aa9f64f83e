package sizes_test

import (
	"os"
	"testing"

	"example.com/parley/internal/test/rights"
)

// recorder fails the tests if a call is not allowed to the functions.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable", "files.local": "FilesBucket"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
