package engine

import "syscall"

// childAttributes returns attributes that keep a Ctrl-C on the terminal from the engine, which must
// outlive our own shutdown. The kernel kills the engine if we die without one.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
