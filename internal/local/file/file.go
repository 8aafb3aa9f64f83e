// Package file writes files of the data folder.
package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Write replaces a file atomically. A reader sees all of the new content or all of the old, even
// after a kill. The mode is 0600, because a data folder is private.
func Write(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
