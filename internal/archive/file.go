package archive

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrNotRegular refuses a pipe, a device or a socket: opening one may block forever.
var ErrNotRegular = errors.New("it is not a regular file")

// FileError describes a failure to open or read a file, without the file's path, which a Place
// names.
func FileError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}
