package engine

import (
	"bytes"
	_ "embed" // the template
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"example.com/parley/internal/local/file"
)

// template is an empty data file of the engine with an index and a trigger. With the index, a write
// to a table with a stream does not read all stream records. The trigger deletes those that were
// delivered. docs/adr/0005-poll-a-local-stream.md describes how it was created.
//
//go:embed template.db
var template []byte

// walSuffixes are the suffixes of SQLite's log and of the log's index.
var walSuffixes = []string{"-wal", "-shm"}

// additions name what the template adds to the engine's schema.
var additions = [][]byte{[]byte("INDEX _stream_records_in_order"), []byte("TRIGGER _stream_records_trim")}

// placeTemplate creates the data file if it does not exist, and refuses one without the template's
// index or trigger. The folder must be claimed.
func placeTemplate(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return checkTemplate(path)
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

// checkTemplate returns an error unless the data file, or the log of its latest writes, has all
// additions. SQLite stores their statements as text, in one page each.
func checkTemplate(path string) error {
	missing := slices.Clone(additions)
	for _, name := range []string{path, path + walSuffixes[0]} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			missing, err = notIn(f, missing)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return fmt.Errorf("check the data file: %w", err)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the data file %s lacks the index or the trigger of its stream, so another program created "+
			"it: "+
			"choose another folder with --data DIR", path)
	}
	return nil
}

// notIn returns the texts that a file does not contain. It stops reading once it has found all.
func notIn(f io.Reader, texts [][]byte) ([][]byte, error) {
	const overlap = 64 // longer than each text
	b := make([]byte, 1<<20)
	for kept := 0; len(texts) > 0; {
		n, err := f.Read(b[kept:])
		part := b[:kept+n]
		texts = slices.DeleteFunc(texts, func(text []byte) bool { return bytes.Contains(part, text) })
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		kept = copy(b, part[max(0, len(part)-overlap):])
	}
	return texts, nil
}
