package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/demo"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/file"
)

const (
	// demoFile marks the folder of a demo. It holds the time to which the week belongs. It is empty
	// until the week is complete.
	demoFile = "demo"
	// demoLife is how long a week looks alive. Then the next start replaces it.
	demoLife = 24 * time.Hour
	// privateFolder denies access to other users, as for every data folder.
	privateFolder = 0o700
	// demoRate lets the people of the week write faster than people do.
	demoRate = 1 << 20
)

// demoCmd has an address of its own, so that it can run while make run does, and so that browsers
// keep the two apart.
type demoCmd struct {
	Data string `default:".data-demo" type:"path" help:"The folder of the demo."`
	Addr string `default:"127.0.0.1:8081" help:"The address of the API. Port 0 picks a free port."`
	Page string `type:"path" help:"Serve the web app from this folder, such as web/dist, instead of the built-in one."`

	due bool // the folder has no week of the last day
}

// Run serves the demo until ctx ends. It first writes the week, unless the folder has one of the
// last day.
func (c *demoCmd) Run(ctx context.Context, s streams) error {
	server := serveCmd{demo: c}
	if err := kong.ApplyDefaults(&server, kong.Vars{"addr": c.Addr}); err != nil {
		return err
	}
	server.Data, server.Page = c.Data, c.Page
	if err := c.claim(); err != nil {
		return err
	}
	return server.Run(ctx, s)
}

// claim reads the folder's mark, or marks a new folder. It refuses a folder with other data,
// because an old demo is deleted.
func (c *demoCmd) claim() error {
	mark := filepath.Join(c.Data, demoFile)
	text, err := os.ReadFile(filepath.Clean(mark))
	switch {
	case err == nil:
		at, _ := time.Parse(time.RFC3339, strings.TrimSpace(string(text))) // an incomplete week has no time
		c.due = time.Since(at) >= demoLife
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if entries, err := os.ReadDir(c.Data); err == nil && len(entries) > 0 {
		return fmt.Errorf(
			"folder %s has other data, which a demo would delete: choose another one with --data DIR", c.Data,
		)
	}
	c.due = true
	// The mark is first, so that the next start can replace the rest.
	return errors.Join(os.MkdirAll(c.Data, privateFolder), file.Write(mark, nil))
}

// empty deletes an old week. It does nothing if none is due, as for the nil demo.
func (c *demoCmd) empty(ctx context.Context, endpoint string) error {
	if c == nil || !c.due {
		return nil
	}
	if err := file.Write(filepath.Join(c.Data, demoFile), nil); err != nil {
		return err
	}
	db := dynamo.LocalClient(endpoint)
	for _, name := range []string{localTable, localLogTable} {
		if err := engine.DeleteTable(ctx, db, name); err != nil {
			return err
		}
	}
	if err := os.Remove(filepath.Join(c.Data, positionFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(data{c.Data}.files())
}

// fill writes the week if it is due, and then the mark. If it is killed before, the next start
// begins again. The feed must be running.
func (c *demoCmd) fill(ctx context.Context, e localEngine, files *bucket.Client) error {
	if c == nil || !c.due {
		return nil
	}
	week, err := demo.Built()
	if err != nil {
		return err
	}
	now := time.Now()
	db := dynamo.LocalClient(e.Endpoint())
	store := dynamo.New(db, dynamo.Options{Table: localTable, Clock: time.Now})
	err = demo.Fill(ctx, week, demo.Options{
		Store: store, Files: &transfer.Store{Table: store.Table(), Bucket: files}, Now: now,
		Services: func(clock func() time.Time, random *rand.ChaCha8) *app.Services {
			return app.New(app.Options{
				Store:  dynamo.New(db, dynamo.Options{Table: localTable, Clock: clock}),
				Logs:   activity.NewStore(dynamo.NewLogTable(db, localLogTable, nil)),
				Live:   live.NewTable(dynamo.NewTable(db, localLiveTable, nil)),
				Bucket: files, Clock: clock, Random: random, SendRate: demoRate, SendBurst: demoRate,
			})
		},
	})
	if err != nil {
		return fmt.Errorf("write the demo: %w", err)
	}
	return file.Write(filepath.Join(c.Data, demoFile), []byte(now.Format(time.RFC3339)+"\n"))
}
