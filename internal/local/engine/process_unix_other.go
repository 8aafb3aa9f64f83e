//go:build unix && !linux

package engine

import "syscall"

// childAttributes returns attributes that keep a Ctrl-C on the terminal from the engine, which
// must outlive our own shutdown. The lock identifies an engine that outlives us.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
