package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/purge"
	"example.com/parley/internal/scan"
)

type roomCmd struct {
	Purge roomPurgeCmd `cmd:"" help:"Remove the contents of a deleted room from the table. Its id stays taken."`
}

type roomPurgeCmd struct {
	target
	Room       string   `arg:"" help:"The deleted room."`
	Apply      bool     `help:"Remove the items. Without it, the command only counts them."`
	Search     bool     `help:"Then search the whole table for rows of people whom the room no longer names, such as read markers of strangers."`
	ReadUnits  *float64 `help:"Consume at most this many read units per second. By default 200 of a deployed table, and any number of the data folder's."`
	WriteUnits *float64 `help:"Consume at most this many write units per second, with the same default."`
	Budget     float64  `help:"Stop after this many read units. The next run continues."`
	Resume     bool     `help:"Continue an interrupted search."`
	Progress   string   `type:"path" help:"The progress file of a search. By default it is named after the command and the table."`
}

// searchFile is the progress file of a search.
type searchFile struct {
	Room  chat.RoomID   `json:"room"`
	Apply bool          `json:"apply"`
	Scan  scan.Progress `json:"scan"`
}

// progressInterval is how often a purge prints its progress.
const progressInterval = 10 * time.Second

// Run purges a room. It can run alongside a running server or the deployed functions.
func (c *roomPurgeCmd) Run(ctx context.Context, s streams) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	printed := time.Now()
	options := purge.Options{
		DB: o.db, Table: o.table, Room: chat.RoomID(c.Room), DryRun: !c.Apply, Clock: time.Now, Budget: c.Budget,
		Reads:  scan.NewRateLimiter(c.rate(c.ReadUnits), time.Now),
		Writes: scan.NewRateLimiter(c.rate(c.WriteUnits), time.Now),
		Note: func(n purge.Counts) {
			if time.Since(printed) >= progressInterval {
				printed = time.Now()
				fmt.Fprintf(s.Err, "so far: %s\n", n)
			}
		},
	}
	j := purge.New(options)
	if err = j.Run(ctx); err == nil && c.Search {
		err = c.search(ctx, s, o, j)
	}
	return c.report(s, j, err)
}

// search searches the whole table.
func (c *roomPurgeCmd) search(ctx context.Context, s streams, o openTable, j *purge.Job) error {
	cost, err := scan.Source{DB: o.db, Table: o.table}.Cost(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "searching for rows of people: %s\n", estimate(cost, c.rate(c.ReadUnits)))
	f := searchFile{Room: j.Room, Apply: c.Apply}
	w := work{ReadUnits: c.ReadUnits, Resume: c.Resume, Progress: c.Progress}
	file, err := w.begin("room-purge", &c.target, c.command(), &f)
	if err != nil {
		return err
	}
	if f.Room != j.Room || f.Apply != c.Apply {
		return fmt.Errorf("%s has the progress of another search, for %s", file.path, f.Room)
	}
	return file.end(s.Out, j.Search(ctx, &f.Scan, func() error { return file.save(f) }))
}

// command returns the command line of this purge without the flags of its target.
func (c *roomPurgeCmd) command() string {
	line := fmt.Sprintf("%s room purge %s --search", quoted(os.Args[0]), quoted(c.Room))
	if c.Apply {
		line += " --apply"
	}
	return line
}

// report prints the number of items removed or, in a dry run, to be removed.
func (c *roomPurgeCmd) report(s streams, j *purge.Job, err error) error {
	if refused := (*purge.NotDeletedError)(nil); errors.As(err, &refused) {
		return err
	}
	n := j.Counts()
	switch {
	case n.Total() == 0 && err == nil:
		fmt.Fprintf(s.Out, "nothing of %s is left but its tombstone and its closed feed", c.Room)
	case c.Apply:
		fmt.Fprintf(s.Out, "%d items of %s were removed", n.Total(), c.Room)
	default:
		fmt.Fprintf(s.Out, "%d items of %s would be removed with --apply", n.Total(), c.Room)
	}
	if n.Total() > 0 {
		fmt.Fprintf(s.Out, ": %s", n)
	}
	fmt.Fprintf(s.Out, "; %.0f read units and %.0f write units ($%.2f)\n", j.Reads.Used(), j.Writes.Used(),
		scan.Dollars(j.Reads.Used())+scan.WriteDollars(j.Writes.Used()))
	if err != nil {
		fmt.Fprintln(s.Out, "not finished; run the command again to continue")
	}
	return interrupted(err)
}

func (c *roomPurgeCmd) check() error {
	if _, err := chat.ParseRoomID(c.Room); err != nil {
		return fmt.Errorf("room: %w", err)
	}
	if c.WriteUnits != nil && *c.WriteUnits <= 0 {
		return errors.New("--write-units must be greater than 0")
	}
	if !c.Search && (c.Resume || c.Progress != "") {
		return errors.New("--resume and --progress are for --search: a purge without it just runs again")
	}
	w := work{ReadUnits: c.ReadUnits, Budget: c.Budget}
	return errors.Join(c.validate(), w.check())
}
