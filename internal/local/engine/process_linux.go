package engine

import "syscall"

// childAttributes keeps a Ctrl-C on the terminal from the engine, which must outlive our own
// shutdown, and has it killed when we die without one.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
