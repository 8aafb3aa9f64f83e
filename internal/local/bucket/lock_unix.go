//go:build unix

package bucket

import (
	"errors"
	"os"
	"syscall"
)

// lock waits for the exclusive lock of an open folder.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
