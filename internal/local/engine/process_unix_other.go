//go:build unix && !linux

package engine

import "syscall"

// childAttributes returns attributes that keep a Ctrl-C on the terminal from the engine, which must
// outlive our own shutdown. An engine that outlives us is found by its lock.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
