package arrows_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

const (
	// maxChatLines bounds the code of package chat, a quarter above its size in November 2026. What
	// outgrows it is a capability of its own.
	maxChatLines = 4000
	// maxStoreMethods bounds chat.Store, so that one person can keep all of it in mind.
	maxStoreMethods = 20
)

func TestChat_StaysSmall(t *testing.T) {
	files, err := filepath.Glob("../../chat/*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			lines += bytes.Count(text, []byte("\n"))
		}
	}
	if lines == 0 || lines > maxChatLines {
		t.Errorf("chat has %d lines, want 1 to %d", lines, maxChatLines)
	}
	if n := reflect.TypeFor[chat.Store]().NumMethod(); n == 0 || n > maxStoreMethods {
		t.Errorf("chat.Store has %d methods, want 1 to %d", n, maxStoreMethods)
	}
}
