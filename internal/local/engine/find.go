package engine

import (
	"fmt"
	"path/filepath"
)

// Announcement is what the owner of a folder says about its engine.
type Announcement struct {
	Owner    int    // the owner's process; 0 when nothing is announced
	Endpoint string // empty when the owner keeps the engine to itself
}

// Find reads what the owner of file's folder has announced. It can be the word
// of a killed owner: it holds only for the process that an *InUseError names.
func Find(file string) (Announcement, error) {
	r, err := readRecord(filepath.Dir(file))
	if err != nil {
		return Announcement{}, fmt.Errorf("find the engine of %s: %w", file, err)
	}
	return Announcement{Owner: r.Owner, Endpoint: r.Endpoint}, nil
}
