package chat_test

import (
	"os"
	"testing"

	"parley/internal/rights"
)

// recorder sees to it that services call nothing that the roles refuse.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat": "Table", "quiet": "Table", "log": "LogTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
