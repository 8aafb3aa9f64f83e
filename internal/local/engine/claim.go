package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/local/file"
)

const (
	ownerLock  = "owner.lock"
	engineLock = "engine.lock"

	// lockPause is the wait between two attempts to take a lock.
	lockPause = 10 * time.Millisecond
	// orphanGrace is how long an engine may hold its lock after its owner died. On Linux the kernel
	// kills it within that time.
	orphanGrace = 500 * time.Millisecond
	// orphanTimeout limits each of the two attempts to end an orphan.
	orphanTimeout = 2 * time.Second
	// maxPid limits how much of owner.lock is read.
	maxPid = 20
)

// InUseError is returned if another process owns the folder or serves from the engine.
type InUseError struct {
	What string // such as "folder .data"
	PID  int    // 0 if it could not be read
}

func (e *InUseError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	return fmt.Sprintf("%s is in use by %s", e.What, who)
}

// claim is the right to open a data file. A nil claim belongs to an engine in memory, and its
// methods do nothing.
type claim struct {
	dir    string
	owner  *os.File
	engine *os.File // nil once the engine holds it
}

// claimFile takes both locks. It ends an orphaned engine if there is one.
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
	err := lockOwner(ctx, c.owner, "folder "+c.dir, wait)
	var inUse *InUseError
	if errors.As(err, &inUse) {
		_ = c.owner.Close() // not ours: release must not touch the folder
		c.owner = nil
	}
	if err != nil {
		return err
	}
	if c.engine, err = openLock(c.dir, engineLock); err != nil {
		return err
	}
	if err := c.takeFromOrphan(ctx); err != nil {
		return err
	}
	// From here on the record of the previous engine is obsolete, and its pid may belong to any
	// process.
	return removeRecord(c.dir)
}

// lockOwner takes the lock of the process that owns something, and writes this process into it.
func lockOwner(ctx context.Context, owner *os.File, what string, wait time.Duration) error {
	got, err := waitLock(ctx, owner, wait)
	if err != nil {
		return err
	}
	if !got {
		return &InUseError{What: what, PID: readPid(owner)}
	}
	return writePid(owner, os.Getpid())
}

// claimEndpoint claims an engine that somebody else runs, for one server. With two, each would
// treat the other's connections as gone and remove them, losing their frames. The lock is in the
// user's cache folder, because the servers may have folders of their own.
func claimEndpoint(ctx context.Context, endpoint string, wait time.Duration) (*os.File, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("claim the engine: %w", err)
	}
	dir := filepath.Join(caches, "parley")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("claim the engine: %w", err)
	}
	lock, err := openLock(dir, url.PathEscape(endpoint)+".lock")
	if err != nil {
		return nil, err
	}
	if err := lockOwner(ctx, lock, "engine "+endpoint, wait); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// takeFromOrphan takes the engine's lock. If another process holds it, the engine named in the
// record is alive. The record is removed before a new engine gets the lock, so its pid cannot
// belong to another program.
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
			_ = end(p) // an error means that it has just ended
		}
		if got, err := waitLock(ctx, c.engine, orphanTimeout); got || err != nil {
			return err
		}
	}
	return fmt.Errorf("an engine left by an earlier run (process %d) holds %s; end it and try again",
		r.Engine, c.engine.Name())
}

// waitLock tries to take a lock until timeout has passed. It reports whether it got the lock.
func waitLock(ctx context.Context, f *os.File, timeout time.Duration) (bool, error) {
	for end := time.Now().Add(timeout); ; {
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

// inherited returns the files that the engine inherits: its lock, which it holds until it ends.
func (c *claim) inherited() []*os.File {
	if c == nil {
		return nil
	}
	return []*os.File{c.engine}
}

// announce writes the record of the engine and closes our copy of its lock.
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
	// An explicit unlock is necessary, because a process that is being started may hold a copy of
	// the descriptor.
	err = errors.Join(err, unlock(c.owner), c.owner.Close())
	c.owner, c.engine = nil, nil
	return err
}

// openLock opens a lock file. It must never be deleted: two processes could then hold the locks of
// two files with the same name.
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

// readPid returns 0 if the owner has not written its pid yet.
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

// Announcement is the owner's record of its engine.
type Announcement struct {
	Owner    int    // the owner's process; 0 if nothing is announced
	Endpoint string // empty if the owner does not share the engine
}

// Find returns the announcement of the owner of file's folder. It is valid only for the process
// that an *InUseError names, because a killed owner may have left it.
func Find(file string) (Announcement, error) {
	r, err := readRecord(filepath.Dir(file))
	if err != nil {
		return Announcement{}, fmt.Errorf("find the engine of %s: %w", file, err)
	}
	return Announcement{Owner: r.Owner, Endpoint: r.Endpoint}, nil
}

const (
	recordFile = "engine.json"
	// privateMode denies access to other users of the machine.
	privateMode = 0o600
)

// record is the content of engine.json.
type record struct {
	Owner    int    `json:"owner"`              // the owner's process
	Engine   int    `json:"engine,omitempty"`   // the engine's, unless someone else runs it
	Endpoint string `json:"endpoint,omitempty"` // only when the owner shares it
}

// readRecord returns the zero record if there is none.
func readRecord(dir string) (record, error) {
	text, err := os.ReadFile(filepath.Join(dir, recordFile))
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, nil
	}
	if err != nil {
		return record{}, fmt.Errorf("read the engine's record: %w", err)
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return record{}, fmt.Errorf("read the engine's record: %w", err)
	}
	return r, nil
}

// writeRecord replaces the record atomically.
func writeRecord(dir string, r record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write the engine's record: %w", err)
	}
	return file.Write(filepath.Join(dir, recordFile), append(text, '\n'))
}

func removeRecord(dir string) error {
	err := os.Remove(filepath.Join(dir, recordFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the engine's record: %w", err)
	}
	return nil
}
