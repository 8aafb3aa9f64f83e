package slack

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// Tools put files into folders of their own, or into the export.
func TestOpenDownloads_FindsTheFilesOfTools(t *testing.T) {
	t.Parallel()
	d, err := openDownloads(zipOf(t,
		"__uploads/F01/plan.png", "1", "general/attachments/F02-a-b.txt", "2", "F03-c", "3", "F04/second", "4", "F04/first", "f",
		"FILES/F05-d", "5", "dump/C1/F06-e.png", "6", "general/2020-01-01.json", "[]", "F-x", "x", "f07-g", "x", "F08.png", "x",
	))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	}()
	got := map[string]string{}
	for id, file := range d.found {
		got[id] = file.path
	}
	want := map[string]string{
		"F01": "__uploads/F01/plan.png", "F02": "general/attachments/F02-a-b.txt", "F03": "F03-c", "F04": "F04/first",
		"F05": "FILES/F05-d", "FILES": "FILES/F05-d", "F06": "dump/C1/F06-e.png",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// An export with its files in one archive names them twice: as the export, and as the files.
func TestRecords_FilesInTheExport(t *testing.T) {
	t.Parallel()
	var files []string
	for n := range chat.MaxAttachments + 1 {
		files = append(files, fmt.Sprintf(`{"id": "F%02d", "name": "%d.txt", "permalink": "https://acme.example/%d"}`, n, n, n))
	}
	message := `[{"type": "message", "user": "U1", "text": "", "ts": "1577836800.000001", "files": [` + strings.Join(files, ",") + `]}]`
	pairs := []string{"channels.json", oneChannel, "general/2020-01-01.json", message}
	for n := range files {
		pairs = append(pairs, fmt.Sprintf("__uploads/F%02d/%d.txt", n, n), fmt.Sprint("file ", n))
	}
	path := zipOf(t, pairs...)
	all := slices.Collect(openWith(t, path, Options{Files: path}).Records())
	if len(all) != 1 || len(all[0].Attached) != chat.MaxAttachments || all[0].NotFound != 1 || all[0].Text != "[📎 20.txt](https://acme.example/20)" {
		t.Fatalf("%+v", all)
	}
	if diff := cmp.Diff(map[archive.Reason]int{ManyAttached: 1}, all[0].LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	f, err := all[0].Attached[7].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if b, err := io.ReadAll(f); err != nil || string(b) != "file 7" {
		t.Errorf("%q, %v", b, err)
	}
}
