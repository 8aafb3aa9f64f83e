package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/parley/internal/local/file"
)

const (
	recordFile = "engine.json"
	// privateMode denies access to other users of the machine.
	privateMode = 0o600
)

// record is the content of engine.json.
type record struct {
	Owner    int    `json:"owner"`              // the owner's process
	Engine   int    `json:"engine,omitempty"`   // the engine's, unless someone else runs it
	Endpoint string `json:"endpoint,omitempty"` // only when the owner shares it
}

// readRecord returns the zero record if there is none.
func readRecord(dir string) (record, error) {
	text, err := os.ReadFile(filepath.Join(dir, recordFile))
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, nil
	}
	if err != nil {
		return record{}, fmt.Errorf("read the engine's record: %w", err)
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return record{}, fmt.Errorf("read the engine's record: %w", err)
	}
	return r, nil
}

// writeRecord replaces the record atomically.
func writeRecord(dir string, r record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write the engine's record: %w", err)
	}
	return file.Write(filepath.Join(dir, recordFile), append(text, '\n'))
}

func removeRecord(dir string) error {
	err := os.Remove(filepath.Join(dir, recordFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the engine's record: %w", err)
	}
	return nil
}
