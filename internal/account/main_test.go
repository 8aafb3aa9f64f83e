package account_test

import (
	"os"
	"testing"

	"example.com/parley/internal/test/chattest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
