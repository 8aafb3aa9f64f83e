package httpapi_test

import (
	"os"
	"testing"

	"example.com/parley/internal/test/rights"
)

// recorder records the calls of the API's functions, under the names that tests give the tables and
// the bucket.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat*": "Table", "log*": "LogTable", "live*": "LiveTable", "files.local": "FilesBucket"})

func TestMain(m *testing.M) { os.Exit(recorder.Main(m)) }
