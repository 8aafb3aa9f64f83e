package model

import (
	"os"
	"testing"

	"parley/internal/test/rights"
)

// recorder sees to it that services and feed handlers call nothing that the roles refuse.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{tableName: "Table", "log": "LogTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
