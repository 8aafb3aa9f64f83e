package engine

import (
	_ "embed" // the template
	"errors"
	"fmt"
	"io/fs"
	"os"

	"example.com/parley/internal/local/file"
)

// template is an empty data file of the engine with one more index. With it, a write to a table
// with a stream does not read all stream records. docs/adr/0005-poll-a-local-stream.md describes
// how it was created.
//
//go:embed template.db
var template []byte

// walSuffixes are the suffixes of SQLite's log and of the log's index.
var walSuffixes = []string{"-wal", "-shm"}

// placeTemplate creates the data file if it does not exist. The folder must be claimed. It leaves
// an existing file unchanged: without the index it is slower, but correct.
func placeTemplate(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("create the data file: %w", err)
	}
	// SQLite would apply a log without its file to the new file. It removes such a log itself when
	// it creates a file.
	for _, suffix := range walSuffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("create the data file: %w", err)
		}
	}
	return file.Write(path, template)
}
