package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"parley/internal/archive"
	"parley/internal/archive/irc"
	"parley/internal/archive/slack"
	"parley/internal/chat"
)

type importCmd struct {
	Slack importSlackCmd `cmd:"" help:"Import a Slack workspace export: its public channels."`
	IRC   importIRCCmd   `cmd:"" name:"irc" help:"Import the logs of an IRC channel into one room."`
}

type importSlackCmd struct {
	importTarget
	Path string `arg:"" help:"The export, a folder or a zip file."`
}

type importIRCCmd struct {
	importTarget
	Room  string   `required:"" help:"The room, which is made if it is not there."`
	Files []string `arg:"" name:"file" help:"Logs named by their date, as in 2004-11-15_03.txt."`
}

// importTarget says where an archive goes.
type importTarget struct {
	target
	Shards  int    `default:"1" help:"How many partitions the rooms that are made are spread over, 1 to 64."`
	Creator string `default:"import" help:"The user whom the rooms that are made belong to."`
}

// Run imports a Slack export.
func (c *importSlackCmd) Run(ctx context.Context, s streams) error {
	return c.run(ctx, s, func() (*archive.Archive, error) { return slack.Open(c.Path) })
}

// Run imports IRC logs.
func (c *importIRCCmd) Run(ctx context.Context, s streams) error {
	return c.run(ctx, s, func() (*archive.Archive, error) { return irc.Open(c.Room, c.Files) })
}

// run opens the archive before the store: what cannot be read starts no engine.
func (c *importTarget) run(ctx context.Context, s streams, open func() (*archive.Archive, error)) (err error) {
	creator, err := c.check()
	if err != nil {
		return err
	}
	a, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()

	bar := newImportBar(s.Err, a.Size)
	report, err := archive.Load(ctx, o.store(), a, archive.Options{
		Shards:   c.Shards,
		Creator:  creator,
		Now:      time.Now().UTC().Truncate(time.Millisecond),
		Random:   rand.Reader,
		Log:      bar.logger(s.Err),
		Progress: func() { bar.set(a.BytesRead()) },
	})
	bar.clear()
	return errors.Join(err, report.Write(s.Out))
}

func (c *importTarget) check() (chat.UserID, error) {
	if c.Shards < 1 || c.Shards > chat.MaxShards {
		return "", fmt.Errorf("--shards must be 1 to %d", chat.MaxShards)
	}
	if err := c.validate(); err != nil {
		return "", err
	}
	creator, err := chat.ParseUserID(c.Creator)
	if err != nil {
		return "", fmt.Errorf("--creator: %w", err)
	}
	return creator, nil
}

// barPause is how often the bar moves: as often as an eye follows.
const barPause = 100 * time.Millisecond

// importBar shows progress on a terminal, and elsewhere nothing.
type importBar struct{ bar *progressbar.ProgressBar }

func newImportBar(w io.Writer, size int64) importBar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return importBar{}
	}
	return importBar{progressbar.NewOptions64(max(size, 1),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("importing"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(barPause),
		progressbar.OptionClearOnFinish(),
	)}
}

// set moves the bar. What it cannot draw is no reason to end an import.
func (b importBar) set(read int64) {
	if b.bar != nil {
		_ = b.bar.Set64(read)
	}
}

func (b importBar) clear() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}

// logger writes lines for a person to read, between which the bar makes room.
// They have no time: they are about the archive, not about the moment.
func (b importBar) logger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(lineWriter{w, b}, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

type lineWriter struct {
	io.Writer
	bar importBar
}

func (w lineWriter) Write(line []byte) (int, error) {
	w.bar.clear()
	return w.Writer.Write(line)
}
