// Package folder manages the data folder of a laptop, with the engine's file, its locks and the
// issuer's key. One process owns the folder at a time. Own and Join give access to its engine. A
// command that needs only the issuer's key calls Make.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/file"
)

const (
	// Default is the folder that commands use if none is given.
	Default = ".data"

	engineFile = "engine.db"
	// format is the version of the folder's files. Raise it when an earlier version of Parley, or
	// of its engine, can no longer read them.
	format     = 1
	formatFile = "format"
	// private denies access to other users, because the folder holds the issuer's key and all
	// messages.
	private = 0o700
	// ownerGrace allows a server to start right after another one was killed.
	ownerGrace = 500 * time.Millisecond
	// joinTimeout limits the wait for an owner that is still starting.
	joinTimeout = 20 * time.Second
	// joinPause is the wait between two attempts to join such an owner.
	joinPause = 20 * time.Millisecond
)

var errNotYet = errors.New("its engine does not answer")

// Config selects a folder.
type Config struct {
	Dir string
	// EngineHost is the address of an engine that is started; empty means 127.0.0.1.
	EngineHost string
	// EnginePort is the port of an engine that is started; 0 finds a free one.
	EnginePort int
	Log        *slog.Logger
	// Env looks up an environment variable; nil means os.Getenv.
	Env func(string) string
}

// Make creates the folder if it does not exist. It refuses a folder whose format is of a later
// version of Parley.
func Make(dir string) error {
	if err := os.MkdirAll(dir, private); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	path := filepath.Join(dir, formatFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // a new folder, or a power failure lost the file
		return file.Write(path, []byte(strconv.Itoa(format)+"\n"))
	}
	if err != nil {
		return fmt.Errorf("read the data folder's format: %w", err)
	}
	// After a power failure the file may be empty. Then the format is not known to be later.
	if have, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && have > format {
		return fmt.Errorf("folder %s has format %d of a later version of Parley, and this one reads format %d: "+
			"start the later version, or choose another folder with --data DIR", dir, have, format)
	}
	return nil
}

// Own claims the folder until the returned engine is stopped, and lets other processes join. It
// returns an *engine.InUseError if another process owns the folder.
func Own(ctx context.Context, cfg Config) (*engine.Engine, error) {
	return own(ctx, cfg, engine.Config{Shared: true, Wait: ownerGrace})
}

// Join returns the engine of the folder's owner. Without an owner, Join claims the folder for only
// this process until the engine is stopped. It returns an *engine.InUseError if the owner does not
// share its engine. Stopping a joined engine leaves it running. A joined engine ends with its
// owner.
func Join(ctx context.Context, cfg Config) (*engine.Engine, error) {
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	for {
		e, err := own(ctx, cfg, engine.Config{})
		var inUse *engine.InUseError
		if !errors.As(err, &inUse) {
			return e, err
		}
		e, err = attach(ctx, cfg.Dir, inUse)
		if !errors.Is(err, errNotYet) {
			return e, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("join the data folder: %w: %w", inUse, err)
		case <-time.After(joinPause):
		}
	}
}

func own(ctx context.Context, cfg Config, ec engine.Config) (*engine.Engine, error) {
	if err := Make(cfg.Dir); err != nil {
		return nil, err
	}
	ec.File, ec.Host, ec.Port = filepath.Join(cfg.Dir, engineFile), cfg.EngineHost, cfg.EnginePort
	ec.Log, ec.Env = cfg.Log, cfg.Env
	return engine.Start(ctx, ec)
}

// attach returns errNotYet while the owner is starting or ending.
func attach(ctx context.Context, dir string, inUse *engine.InUseError) (*engine.Engine, error) {
	said, err := engine.Find(filepath.Join(dir, engineFile))
	switch {
	case err != nil:
		return nil, err
	case said.Owner == 0 || said.Owner != inUse.PID:
		return nil, errNotYet
	case said.Endpoint == "":
		return nil, fmt.Errorf("join the data folder: %w", inUse)
	}
	e, err := engine.Attach(ctx, said.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotYet, err)
	}
	return e, nil
}
