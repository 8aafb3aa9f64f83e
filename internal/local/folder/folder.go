// Package folder is the data folder of a laptop: the engine's file, its locks and the issuer's key.
// One process owns it at a time; Own and Join are the two ways in. A command that needs only the
// issuer's key calls Make.
package folder

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"parley/internal/local/engine"
)

const (
	// Default is the folder when none is named.
	Default = ".data"

	engineFile = "engine.db"
	// private keeps other users out: the folder holds the issuer's key and all messages.
	private = 0o700
	// ownerGrace lets a server be started right after another was killed.
	ownerGrace = 500 * time.Millisecond
	// joinTimeout bounds the wait for an owner that is still starting.
	joinTimeout = 20 * time.Second
	// joinPause is the wait between two looks at such an owner.
	joinPause = 20 * time.Millisecond
)

var errNotYet = errors.New("its engine does not answer")

// Config names a folder.
type Config struct {
	Dir string
	// EnginePort is where an engine that is started listens; 0 finds a free port.
	EnginePort int
	Log        *slog.Logger
	// Env looks up an environment variable; nil means os.Getenv.
	Env func(string) string
}

// Make creates the folder if it is missing.
func Make(dir string) error {
	if err := os.MkdirAll(dir, private); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	return nil
}

// Own claims the folder for as long as the engine it starts is not stopped, and lets others join. A
// folder owned by another process gives an *engine.InUseError.
func Own(ctx context.Context, cfg Config) (*engine.Engine, error) {
	return own(ctx, cfg, engine.Config{Shared: true, Wait: ownerGrace})
}

// Join gives the engine of the folder's owner, where one serves, and otherwise owns the folder, for
// itself alone, until the engine is stopped. An owner that does not share gives an
// *engine.InUseError. Stopping a joined engine leaves it running; it ends with its owner, whatever
// the joiner is doing.
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
	ec.File, ec.Port, ec.Log, ec.Env = filepath.Join(cfg.Dir, engineFile), cfg.EnginePort, cfg.Log, cfg.Env
	return engine.Start(ctx, ec)
}

// attach returns errNotYet while the owner is starting or going away.
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
