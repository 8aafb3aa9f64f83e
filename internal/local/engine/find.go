package engine

import (
	"fmt"
	"path/filepath"
)

// Announcement is the owner's record of its engine.
type Announcement struct {
	Owner    int    // the owner's process; 0 if nothing is announced
	Endpoint string // empty if the owner does not share the engine
}

// Find returns the announcement of the owner of file's folder. It is valid only for the process
// that an *InUseError names, because a killed owner may have left it.
func Find(file string) (Announcement, error) {
	r, err := readRecord(filepath.Dir(file))
	if err != nil {
		return Announcement{}, fmt.Errorf("find the engine of %s: %w", file, err)
	}
	return Announcement{Owner: r.Owner, Endpoint: r.Endpoint}, nil
}
