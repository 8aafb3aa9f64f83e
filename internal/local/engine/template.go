package engine

import (
	_ "embed" // the template
	"errors"
	"fmt"
	"io/fs"
	"os"

	"parley/internal/local/file"
)

// template is an empty data file as the engine makes it, and one index more, by which a write to a
// table with a stream need not look at all stream records there are.
// docs/adr/0005-the-local-stream.md tells how it was made.
//
//go:embed template.db
var template []byte

// walSuffixes are what SQLite appends to a file's name for its log and the log's index.
var walSuffixes = []string{"-wal", "-shm"}

// placeTemplate makes the data file where there is none. The folder must be claimed. A file that is
// there stays as it is: without the index it is slower, and right all the same.
func placeTemplate(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make the data file: %w", err)
	}
	// A log that has lost its file would be written into the new one. SQLite itself removes it when
	// it makes a file.
	for _, suffix := range walSuffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("make the data file: %w", err)
		}
	}
	return file.Write(path, template)
}
