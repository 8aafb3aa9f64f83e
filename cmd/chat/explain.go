package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"
	"syscall"

	"example.com/parley/internal/local/engine"
)

// elsewhere is the advice for a server that finds its address or folder in use.
const elsewhere = "stop it with Ctrl-C, or choose another address and folder: chat serve --addr host:port --data " +
	"DIR, or make run ADDR=host:port DATA=DIR"

// listen listens on the address of the API. Its error is one line that says what to do.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use; if Parley runs there already, %s", addr, elsewhere)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: choose a port above 1023 with --addr host:port", addr)
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		err = op.Err
	}
	return nil, fmt.Errorf("--addr must be an address of this machine, such as %s: %w", defaultAddr, err)
}

// explain returns the reason for a failed start with this data folder, and what to do. It drops the
// steps that led there. An error of another kind stays as it is.
func (c *serveCmd) explain(err error) error {
	if err == nil {
		return nil
	}
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(err.Error(), part) })
	}
	var inUse *engine.InUseError
	var path *fs.PathError
	switch {
	case errors.As(err, &inUse) && strings.HasPrefix(inUse.What, "folder "):
		return fmt.Errorf("%w: %s", inUse, elsewhere)
	case errors.Is(err, syscall.ENOSPC), has(diskFailures...):
		return fmt.Errorf("folder %s cannot be written: its disk is full or broken", c.Data)
	case has("not a valid SQLite database", "disk image is malformed"):
		return fmt.Errorf(
			"the data in folder %s is damaged: put back a copy of the folder, or choose another one with --data DIR",
			c.Data,
		)
	case errors.As(err, &path) && strings.HasPrefix(path.Path, c.Data):
		return fmt.Errorf("folder %s cannot be used: %w; choose another one with --data DIR", c.Data, path)
	}
	return err
}
