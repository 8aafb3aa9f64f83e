package flood_test

import (
	"flag"
	"os"
	"testing"

	"parley/internal/test/rights"
)

// whole is the flag of make flood. Without it, one flood stands for all of them.
var whole = flag.Bool("flood", false, "run all floods, which takes a minute and a half")

// recorder fails the tests if a call is not allowed to the functions.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
