package engine

import (
	"fmt"
	"path/filepath"
)

// Announcement is how the owner of a folder describes its engine.
type Announcement struct {
	Owner    int    // the owner's process; 0 when nothing is announced
	Endpoint string // empty when the owner keeps the engine to itself
}

// Find reads the announcement of the owner of file's folder. A killed owner may have left it: it
// holds only for the process that an *InUseError names.
func Find(file string) (Announcement, error) {
	r, err := readRecord(filepath.Dir(file))
	if err != nil {
		return Announcement{}, fmt.Errorf("find the engine of %s: %w", file, err)
	}
	return Announcement{Owner: r.Owner, Endpoint: r.Endpoint}, nil
}
