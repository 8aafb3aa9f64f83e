//go:build unix

package engine

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes an exclusive lock on an open file. A child that inherits the file shares the lock.
// tryLock reports whether it got the lock.
func tryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

func unlock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
}

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
