package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/irc"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// importer is the creator of imported rooms, unless another one is stated.
const importer = string(archive.Importer)

type importCmd struct {
	Slack importSlackCmd `cmd:"" help:"Import a Slack workspace export: its channels, their messages and members, and the people."`
	IRC   importIRCCmd   `cmd:"" name:"irc" help:"Import the logs of an IRC channel into one room."`
}

type importSlackCmd struct {
	importTarget
	People     string `type:"path" help:"A CSV file that maps people of the export, by id or handle, to the subjects of their tokens: the file of --list-people, or two columns. Others keep their Slack ids."`
	ListPeople bool   `help:"Write the people of the export as a CSV file to fill in for --people, and import nothing."`
	Private    bool   `help:"Also import private channels, group and direct messages. Their members can read them here, and so can whoever can read the table."`
	Files      string `type:"path" help:"A folder or a zip file with the files of the export, which a tool has downloaded: ID/NAME or ID-NAME, in any folder. It may be the export."`
	Bucket     string `help:"The bucket of the deployment's files, for --files with --table."`
	Path       string `arg:"" help:"The export, a folder or a zip file."`
}

type importIRCCmd struct {
	importTarget
	Room  string   `required:"" help:"The room. It is created if it does not exist."`
	Zone  string   `default:"UTC" help:"The time zone of the logs' clock, such as Europe/Berlin."`
	Files []string `arg:"" name:"file" help:"Logs of irssi, WeeChat, HexChat, ZNC, mIRC and others, or folders of them. The lines or the names of the files have a date, as in 2004-11-15_03.txt."`
}

// importTarget is the destination of an import.
type importTarget struct {
	target
	Shards  int    `default:"1" help:"The number of shards of the rooms that are created, from 1 to 64."`
	Creator string `default:"${importer}" help:"The owner of the rooms that are created and have no other. By default nobody owns them."`
}

// Run imports a Slack export.
func (c *importSlackCmd) Run(ctx context.Context, s streams) error {
	if (c.Bucket != "") != (c.Files != "" && c.Table != "") {
		return errors.New("--bucket names the bucket in which --files are stored for a --table: it needs both, and " +
			"they need it")
	}
	if c.ListPeople {
		return slack.ListPeople(c.Path, s.Out)
	}
	if c.Private {
		fmt.Fprintln(s.Err, "private channels, group and direct messages are imported too: their members can read "+
			"them here, "+
			"and so can whoever can read the table or its backups")
	}
	return c.run(ctx, s, c.Bucket, func() (*archive.Archive, error) {
		people, err := readPeople(c.People)
		if err != nil {
			return nil, err
		}
		return slack.Open(c.Path, slack.Options{People: people, Files: c.Files, Private: c.Private})
	})
}

// readPeople reads a map of people, or returns nil if there is no path.
func readPeople(path string) (people []archive.Mapping, err error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("--people: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if people, err = archive.ReadMap(f); err != nil {
		return nil, fmt.Errorf("--people: %w", err)
	}
	return people, nil
}

// Run imports IRC logs.
func (c *importIRCCmd) Run(ctx context.Context, s streams) error {
	return c.run(ctx, s, "", func() (*archive.Archive, error) {
		zone, err := time.LoadLocation(c.Zone)
		if err != nil {
			return nil, fmt.Errorf("--zone: %w", err)
		}
		return irc.Open(irc.Options{Room: c.Room, Paths: c.Files, Zone: zone})
	})
}

// run opens the archive before the store, so that no engine is started for an invalid archive. The
// bucket is the bucket of a deployed table, or empty.
func (c *importTarget) run(
	ctx context.Context, s streams, bucketName string, open func() (*archive.Archive, error),
) (err error) {
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

	files, err := c.files(ctx, bucketName)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "reading %s\n", extent(a))
	bar := newImportBar(s.Err, a.Size)
	store := o.store()
	together := 0
	if c.Table == "" {
		together = archive.MaxTogether
	}
	report, err := archive.Load(ctx, store, a, archive.Options{
		Together: together,
		Shards:   c.Shards,
		Creator:  creator,
		Now:      time.Now().UTC().Truncate(time.Millisecond),
		Random:   rand.Reader,
		Counts:   feed.NewPositions(store, time.Now),
		Files:    &transfer.Store{Table: store.Table(), Bucket: files},
		Log:      bar.logger(s.Err),
		Progress: func() { bar.set(a.BytesRead(), time.Now()) },
	})
	bar.clear()
	if err = errors.Join(err, report.Write(s.Out)); err != nil {
		return err
	}
	if report.NotFound > 0 {
		fmt.Fprintf(s.Out, "\n%d files are not in the export. Their messages have links to Slack. To add the files, "+
			"download them, "+
			"and import again with --files.\n", report.NotFound)
	}
	if c.Table != "" {
		return nil
	}
	return c.next(s.Out, report.Writers)
}

// files returns a client of a bucket, or of the files in the data folder.
func (c *importTarget) files(ctx context.Context, name string) (*bucket.Client, error) {
	if name == "" {
		return c.openFiles().client, nil
	}
	cfg, err := c.config(ctx)
	if err != nil {
		return nil, err
	}
	return bucket.New(bucket.Config{
		Base: bucket.Address(name, cfg.Region, ""), Region: cfg.Region, Credentials: cfg.Credentials,
	}), nil
}

// next writes where the people of an import sign in, and keeps them for the sign-in.
func (c *importTarget) next(w io.Writer, people []archive.Writer) error {
	if len(people) == 0 {
		return nil
	}
	if err := offer(c.Data, people); err != nil {
		return err
	}
	as := "sign in as one of " + strconv.Itoa(len(people)) + " people"
	if len(people) == 1 {
		as = "sign in"
	}
	_, err := fmt.Fprintf(w, "\nWhile %s serve --data %s runs, open http://%s/ and %s, such as %s.\n",
		quoted(os.Args[0]), quoted(c.Data), defaultAddr, as, people[0].Name)
	return err
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

// extent describes how much of an archive is read, and which files are not.
func extent(a *archive.Archive) string {
	text := fmt.Sprintf("%.1f MB", float64(a.Size)/(1<<20))
	if a.MaxFile > 0 {
		text += fmt.Sprintf(", without files above %d MB", a.MaxFile>>20)
	}
	return text
}

const (
	// barPause is the minimum time between two bar updates.
	barPause = 100 * time.Millisecond
	// linePause is the time between two lines about progress where there is no terminal.
	linePause = 10 * time.Second
)

// importBar shows progress: on a terminal by a bar, and elsewhere by a line now and then.
type importBar struct {
	bar     *progressbar.ProgressBar
	w       io.Writer
	size    int64
	printed time.Time // the last line
}

func newImportBar(w io.Writer, size int64) *importBar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &importBar{w: w, size: size, printed: time.Now()}
	}
	return &importBar{bar: progressbar.NewOptions64(max(size, 1),
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("importing"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(barPause),
		progressbar.OptionClearOnFinish(),
	)}
}

// set shows how many bytes have been read. An error while drawing does not end the import.
func (b *importBar) set(read int64, now time.Time) {
	if b.bar != nil {
		_ = b.bar.Set64(read)
	} else if now.Sub(b.printed) >= linePause {
		b.printed = now
		fmt.Fprintf(b.w, "so far: %d of %d MB\n", read>>20, b.size>>20)
	}
}

func (b *importBar) clear() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}

// logger returns a logger for people. It clears the bar before each line. Its lines have no time,
// because they describe the archive.
func (b *importBar) logger(w io.Writer) *slog.Logger {
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
	bar *importBar
}

func (w lineWriter) Write(line []byte) (int, error) {
	w.bar.clear()
	return w.Writer.Write(line)
}
