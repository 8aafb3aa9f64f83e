package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/scan"
)

type restoreCmd struct {
	Copy      restoreCopyCmd      `cmd:"" help:"Copy items that a table lacks, or has in an older form, from a restored table."`
	Deletions restoreDeletionsCmd `cmd:"" help:"Apply the deletions of messages and rooms, the bans and the removals of a replaced table to the restored table that replaced it."`
}

// restoring holds the flags of both commands.
type restoring struct {
	target
	work
	From       string   `required:"" help:"The table to read."`
	Room       string   `xor:"rooms" required:"" help:"Restore only this room."`
	All        bool     `xor:"rooms" required:"" help:"Restore everything."`
	RestoredTo string   `help:"The restore point, which is the time whose state the restored table has. By default the one that DynamoDB reports."`
	WriteUnits *float64 `help:"Consume at most this many write units a second. By default 200."`
	Apply      bool     `help:"Write the changes. Without it, the command only counts them."`
}

type restoreCopyCmd struct {
	restoring
	Since       string `help:"Skip messages that were received and last changed before this time, or longer ago than this age, as in 36h."`
	Memberships bool   `help:"Restore memberships that ended after the restore point, for the case that this was the damage."`
}

type restoreDeletionsCmd struct {
	restoring
	Memberships bool `default:"true" negatable:"" help:"Also apply bans, mutes and removals of members. Turn it off if memberships were damaged."`
}

// Run copies items from the restored table.
func (c *restoreCopyCmd) Run(ctx context.Context, s streams) error {
	return c.run(ctx, s, "copy", func(o *restore.Options) (operation, error) {
		o.Memberships = c.Memberships
		var err error
		if c.Since != "" {
			o.Since, err = parseSince("--since", c.Since, time.Now())
		}
		return restore.Job.Copy, err
	})
}

// Run applies deletions to the restored table.
func (c *restoreDeletionsCmd) Run(ctx context.Context, s streams) error {
	return c.run(ctx, s, "deletions", func(o *restore.Options) (operation, error) {
		o.Memberships = c.Memberships
		return restore.Job.Deletions, nil
	})
}

// operation is a restore that continues from a progress.
type operation func(restore.Job, context.Context, *restore.Progress) error

// restoreFile is the progress file of a restore. It also holds the restore's settings.
type restoreFile struct {
	From  string      `json:"from"`
	To    string      `json:"to"`
	Room  chat.RoomID `json:"room"`
	Apply bool        `json:"apply"`
	Point time.Time   `json:"point"`
	Since time.Time   `json:"since"`
	// Memberships is the flag of the same name.
	Memberships bool             `json:"memberships"`
	Done        restore.Progress `json:"done"`
}

func (c *restoring) run(
	ctx context.Context, s streams, name string, configure func(*restore.Options) (operation, error),
) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	options := restore.Options{
		DB: o.db, From: c.From, To: c.Table, Room: chat.RoomID(c.Room), DryRun: !c.Apply, Clock: time.Now,
		Reads:  scan.NewRateLimiter(c.rate(c.ReadUnits), time.Now),
		Writes: scan.NewRateLimiter(c.rate(c.WriteUnits), time.Now),
		Note:   func(key, reason string) { fmt.Fprintf(s.Err, "skipped: %s: %s\n", key, reason) },
	}
	do, err := configure(&options)
	if err != nil {
		return err
	}
	if options.Point, err = c.point(ctx, o); err != nil {
		return err
	}
	f, j, err := c.resume(name, options)
	if err != nil {
		return err
	}
	options.Point, options.Since, options.Memberships = f.Point, f.Since, f.Memberships
	cost, err := scan.Source{DB: o.db, Table: c.From}.Cost(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s from %s to %s, restored to %s: %s; comparing takes about as many items again\n",
		name, c.From, c.Table, f.Point.Format(time.RFC3339), estimate(cost, c.rate(c.ReadUnits)))
	job := restore.Job{Options: options, Budget: c.Budget, Save: func(p restore.Progress) error {
		f.Done = p
		return j.save(f)
	}}
	err = do(job, ctx, &f.Done)
	return j.end(s.Out, c.report(s, f.Done, options, err))
}

// report prints the changes that were made or, in a dry run, would be made.
func (c *restoring) report(s streams, p restore.Progress, o restore.Options, err error) error {
	if writeErr := p.Counts.Write(s.Out); writeErr != nil {
		return writeErr
	}
	verb := "were written"
	if !c.Apply {
		verb = "would be written with --apply"
	}
	if c.Apply && err == nil {
		defer fmt.Fprintf(
			s.Out, "now repair the feeds: %s feed repair --all --since %s%s\n", quoted(os.Args[0]),
			o.Point.Format(time.RFC3339), c.flags(),
		)
	}
	fmt.Fprintf(s.Out, "%d changes %s; %.0f read units and %.0f write units ($%.2f)\n", p.Counts.Changes(), verb,
		o.Reads.Used(), o.Writes.Used(), scan.Dollars(o.Reads.Used())+scan.WriteDollars(o.Writes.Used()))
	return interrupted(err)
}

// point returns the restore point: the flag's, or the one that DynamoDB reports for either table.
func (c *restoring) point(ctx context.Context, o openTable) (time.Time, error) {
	if c.RestoredTo != "" {
		return parseSince("--restored-to", c.RestoredTo, time.Now())
	}
	for _, name := range []string{c.From, c.Table} {
		t, err := find(ctx, o.db, name)
		if err != nil {
			return time.Time{}, err
		}
		if t.RestoreSummary != nil && t.RestoreSummary.RestoreDateTime != nil {
			return t.RestoreSummary.RestoreDateTime.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf(
		"DynamoDB reports no restore of %s or %s: give the time of the older table's state with --restored-to", c.From,
		c.Table,
	)
}

// resume reads the progress of the same restore, if it is resumed.
func (c *restoring) resume(name string, o restore.Options) (restoreFile, job, error) {
	f := restoreFile{
		From: o.From, To: o.To, Room: o.Room, Apply: c.Apply, Point: o.Point, Since: o.Since,
		Memberships: o.Memberships,
	}
	want := f
	command := fmt.Sprintf("%s restore %s --from %s", quoted(os.Args[0]), name, quoted(c.From))
	if c.All {
		command += " --all"
	} else {
		command += " --room " + c.Room
	}
	if c.Apply {
		command += " --apply"
	}
	j, err := c.begin("restore-"+name, &c.target, command, &f)
	if err == nil && (f.From != want.From || f.To != want.To || f.Room != want.Room || f.Apply != want.Apply) {
		err = fmt.Errorf("%s has the progress of another restore, from %s to %s", j.path, f.From, f.To)
	}
	return f, j, err
}

func (c *restoring) check() error {
	if c.Table == "" {
		return errors.New("--table is required: it names the table to write")
	}
	if c.Room != "" {
		if _, err := chat.ParseRoomID(c.Room); err != nil {
			return fmt.Errorf("--room: %w", err)
		}
	}
	if c.WriteUnits != nil && *c.WriteUnits <= 0 {
		return errors.New("--write-units must be greater than 0")
	}
	return c.work.check()
}
