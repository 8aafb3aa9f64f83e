package chat_test

import (
	"parley/internal/test/chattest"

	"os"
	"testing"

	"parley/internal/rights"
)

// recorder sees to it that services call nothing that the roles refuse.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), chattest.Tables)

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
