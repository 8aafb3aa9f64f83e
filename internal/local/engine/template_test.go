package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// index is part of the schema at the beginning of a file with the template's index.
var index = []byte("_stream_records(table_name, CAST(sequence_number AS INTEGER))")

func TestTemplate_HasTheIndexAndNoTables(t *testing.T) {
	t.Parallel()
	if !bytes.Contains(template, index) {
		t.Error("the template's schema does not hold the index")
	}
	file := dataFile(t)
	e := start(t, file)
	if got := call(t, e.Endpoint(), "ListTables", "{}"); strings.TrimSpace(got) != `{"TableNames":[]}` {
		t.Errorf("a new file holds %s", got)
	}
	createTable(t, e.Endpoint())
	stop(t, e)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(content, index) || !bytes.Contains(content, []byte("kept")) {
		t.Error("the engine did not use the template")
	}
	others, err := filepath.Glob(file + ".*")
	if err != nil || len(others) > 0 {
		t.Errorf("left behind: %v, %v", others, err)
	}
}

// TestStart_RefusesAFileWithoutTheTemplate starts on files that lack the index or the trigger, and on
// one whose text is between two reads.
func TestStart_RefusesAFileWithoutTheTemplate(t *testing.T) {
	t.Parallel()
	const refused = "lacks the index or the trigger of its stream, so another program created it: choose another folder with --data DIR"
	for name, content := range map[string][]byte{
		"an empty file":   nil,
		"without index":   bytes.ReplaceAll(template, additions[0], bytes.Repeat([]byte("x"), len(additions[0]))),
		"without trigger": bytes.ReplaceAll(template, additions[1], bytes.Repeat([]byte("x"), len(additions[1]))),
	} {
		file := dataFile(t)
		if err := os.WriteFile(file, content, privateMode); err != nil {
			t.Fatal(err)
		}
		if _, err := Start(t.Context(), Config{File: file}); err == nil || !strings.Contains(err.Error(), refused) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadFile(file); err != nil || !bytes.Equal(left, content) {
			t.Errorf("%s: the file has changed, %v", name, err)
		}
	}
	for at := range 1 << 6 {
		text := slices.Concat(bytes.Repeat([]byte("x"), 1<<20-at), additions[0], additions[1])
		if missing, err := notIn(bytes.NewReader(text), slices.Clone(additions)); len(missing) > 0 || err != nil {
			t.Errorf("%d bytes before the end of a read: %q, %v", at, missing, err)
		}
	}
}

func TestPlaceTemplate_RemovesALogWithoutItsFile(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	e := start(t, file)
	createTable(t, e.Endpoint())
	e.child.kill() // leaves the log
	<-e.Done()
	_ = e.Stop(t.Context())
	if info, err := os.Stat(file + walSuffixes[0]); err != nil || info.Size() == 0 {
		t.Fatalf("there is no log to lose: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := call(t, start(t, file).Endpoint(), "ListTables", "{}"); strings.Contains(got, "kept") {
		t.Errorf("the new file holds %s", got)
	}
}
