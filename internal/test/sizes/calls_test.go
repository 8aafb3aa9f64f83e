package sizes_test

import (
	"flag"
	"os"
	"testing"

	"parley/internal/test/rights"
)

// worst is the flag of make worst.
var worst = flag.Bool("worst", false, "send the largest requests, which takes a minute")

// recorder fails the tests if a call is not allowed to the functions.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
