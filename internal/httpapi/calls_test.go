package httpapi_test

import (
	"os"
	"runtime/debug"
	"testing"

	"parley/internal/test/rights"
)

// recorder records the calls of the API's functions, under the names that tests give the tables.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat*": "Table", "log*": "LogTable", "live*": "LiveTable"})

// garbagePercent lets the heap grow to five times the live data, which is small. With the default
// the collector takes a sixth of the tests' time.
const garbagePercent = 400

func TestMain(m *testing.M) {
	debug.SetGCPercent(garbagePercent)
	os.Exit(recorder.Main(m))
}
