package engine

import (
	"bytes"
	"os"
	"path/filepath"
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

func TestPlaceTemplate_KeepsAnOlderFile(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	if err := os.WriteFile(file, nil, privateMode); err != nil { // SQLite treats it as a new file
		t.Fatal(err)
	}
	e := start(t, file)
	createTable(t, e.Endpoint())
	stop(t, e)
	wantTable(t, start(t, file).Endpoint())
	content, err := os.ReadFile(file)
	if err != nil || bytes.Contains(content, index) {
		t.Errorf("the file has the index: %v", err)
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
