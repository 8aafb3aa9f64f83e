//go:build !unix

package engine

import (
	"errors"
	"os"
	"syscall"
)

// errNoLocks is returned for a data file on systems without file locks. Engines in memory work.
var errNoLocks = errors.New("data files need a Unix system; on Windows run under WSL")

func tryLock(*os.File) (bool, error) { return false, errNoLocks }
func unlock(*os.File) error          { return nil }

func terminate(p *os.Process) error { return p.Kill() }

func childAttributes() *syscall.SysProcAttr { return nil }
