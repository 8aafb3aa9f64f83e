package model

import (
	"os"
	"testing"

	"example.com/parley/internal/test/rights"
)

// recorder checks that services and feed handlers make only calls that their roles permit.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{tableName: "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
