package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	ownerLock  = "owner.lock"
	engineLock = "engine.lock"

	// lockPause is the wait between two tries at a lock.
	lockPause = 10 * time.Millisecond
	// orphanGrace is how long an engine may hold its lock after its owner died: on Linux the kernel
	// is killing it at that moment.
	orphanGrace = 500 * time.Millisecond
	// orphanTimeout bounds each of the two ways of ending an orphan.
	orphanTimeout = 2 * time.Second
	// maxPid bounds the bytes read of owner.lock.
	maxPid = 20
)

// InUseError is returned if another process owns the folder.
type InUseError struct {
	Dir string
	PID int // 0 when it could not be read
}

func (e *InUseError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	return fmt.Sprintf("folder %s is in use by %s", e.Dir, who)
}

// claim is the right to open a data file. A nil claim is that of an engine in memory: its methods
// do nothing.
type claim struct {
	dir    string
	owner  *os.File
	engine *os.File // nil once handed to the engine
}

// claimFile takes both locks, ending an orphaned engine when there is one.
func claimFile(ctx context.Context, file string, wait time.Duration) (*claim, error) {
	dir := filepath.Dir(file)
	owner, err := openLock(dir, ownerLock)
	if err != nil {
		return nil, err
	}
	c := &claim{dir: dir, owner: owner}
	if err := c.take(ctx, wait); err != nil {
		return nil, errors.Join(err, c.release())
	}
	return c, nil
}

func (c *claim) take(ctx context.Context, wait time.Duration) error {
	got, err := waitLock(ctx, c.owner, wait)
	if err != nil {
		return err
	}
	if !got {
		pid := readPid(c.owner)
		_ = c.owner.Close() // not ours: release must not touch the folder
		c.owner = nil
		return &InUseError{Dir: c.dir, PID: pid}
	}
	if err := writePid(c.owner, os.Getpid()); err != nil {
		return err
	}
	if c.engine, err = openLock(c.dir, engineLock); err != nil {
		return err
	}
	if err := c.takeFromOrphan(ctx); err != nil {
		return err
	}
	// From here the record of the engine before ours is out of date, and its pid may belong to
	// anybody.
	return removeRecord(c.dir)
}

// takeFromOrphan takes the engine's lock. While someone else has it, the engine named in the record
// is alive: the record is removed before a new engine gets the lock, so its pid cannot have gone to
// a stranger.
func (c *claim) takeFromOrphan(ctx context.Context) error {
	if got, err := waitLock(ctx, c.engine, orphanGrace); got || err != nil {
		return err
	}
	r, err := readRecord(c.dir)
	if err != nil {
		return err
	}
	for _, end := range []func(*os.Process) error{terminate, (*os.Process).Kill} {
		if p, err := os.FindProcess(r.Engine); err == nil && r.Engine > 0 {
			_ = end(p) // one that has just ended is what we want
		}
		if got, err := waitLock(ctx, c.engine, orphanTimeout); got || err != nil {
			return err
		}
	}
	return fmt.Errorf("an engine left by an earlier run (process %d) keeps %s; end it and try again",
		r.Engine, c.engine.Name())
}

// waitLock tries a lock for a while and reports whether it got it.
func waitLock(ctx context.Context, f *os.File, patience time.Duration) (bool, error) {
	for end := time.Now().Add(patience); ; {
		got, err := tryLock(f)
		if err != nil {
			return false, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		if got || time.Now().After(end) {
			return got, nil
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("lock %s: %w", f.Name(), ctx.Err())
		case <-time.After(lockPause):
		}
	}
}

// inherited returns the files that the engine inherits: its lock, held as long as it lives.
func (c *claim) inherited() []*os.File {
	if c == nil {
		return nil
	}
	return []*os.File{c.engine}
}

// announce records the engine and leaves its lock to it alone.
func (c *claim) announce(pid int, endpoint string, shared bool) error {
	if c == nil {
		return nil
	}
	r := record{Owner: os.Getpid(), Engine: pid}
	if shared {
		r.Endpoint = endpoint
	}
	if err := writeRecord(c.dir, r); err != nil {
		return err
	}
	if pid == 0 {
		return nil
	}
	err := c.engine.Close()
	c.engine = nil
	return err
}

// release releases the folder. The engine must have ended.
func (c *claim) release() error {
	if c == nil || c.owner == nil {
		return nil
	}
	err := removeRecord(c.dir)
	if c.engine != nil {
		err = errors.Join(err, c.engine.Close())
	}
	// Unlocked by name and not just closed: a process being started at this moment may hold a copy
	// of the descriptor.
	err = errors.Join(err, unlock(c.owner), c.owner.Close())
	c.owner, c.engine = nil, nil
	return err
}

// openLock opens a lock file, never to be deleted: two processes could hold the locks of two files
// of one name.
func openLock(dir, name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, privateMode)
	if err != nil {
		return nil, fmt.Errorf("open the lock: %w", err)
	}
	return f, nil
}

func writePid(f *os.File, pid int) error {
	err := f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(pid)+"\n"), 0)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Name(), err)
	}
	return nil
}

// readPid returns 0 when the owner has not written its pid yet.
func readPid(f *os.File) int {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, maxPid))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}
