package httpapi_test

import (
	"os"
	"testing"

	"parley/internal/test/rights"
)

// recorder notes what the API's functions call, under the names that tests give the tables.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat*": "Table", "log*": "LogTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Main(m)) }
