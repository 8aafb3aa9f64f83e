package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"parley/internal/chat"
	"parley/internal/restore"
	"parley/internal/scan"
)

type restoreCmd struct {
	Copy      restoreCopyCmd      `cmd:"" help:"Copy back from a restored table what another one lacks, or has in an older form."`
	Deletions restoreDeletionsCmd `cmd:"" help:"Apply deletions, bans and removals of a replaced table to the restored one that replaced it."`
}

// restoring are the flags of both.
type restoring struct {
	target
	work
	From       string  `required:"" help:"The table that is read."`
	Room       string  `xor:"rooms" required:"" help:"Work on this room alone."`
	All        bool    `xor:"rooms" required:"" help:"Work on everything."`
	RestoredTo string  `help:"The restore point: the time as of which the restored table is. By default what DynamoDB says of it."`
	WriteUnits float64 `default:"200" help:"Consume at most this many write units a second."`
	Apply      bool    `help:"Write. Without it, only count what would be written."`
}

type restoreCopyCmd struct {
	restoring
	Since       string `help:"Leave out messages that were received and last changed before: a time, or how long ago, as in 36h."`
	Memberships bool   `help:"Put memberships back although they ended after the restore point: for when that was the damage."`
}

type restoreDeletionsCmd struct {
	restoring
	Memberships bool `default:"true" negatable:"" help:"Also bans, mutes and removals of members. Turn it off where the damage was to memberships."`
}

// Run copies back.
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

// Run applies deletions.
func (c *restoreDeletionsCmd) Run(ctx context.Context, s streams) error {
	return c.run(ctx, s, "deletions", func(o *restore.Options) (operation, error) {
		o.Memberships = c.Memberships
		return restore.Job.Deletions, nil
	})
}

// operation is a restore that goes on from a progress.
type operation func(restore.Job, context.Context, *restore.Progress) error

// restoreFile is the progress of a restore, with what it is of.
type restoreFile struct {
	From  string      `json:"from"`
	To    string      `json:"to"`
	Room  chat.RoomID `json:"room"`
	Apply bool        `json:"apply"`
	Point time.Time   `json:"point"`
	Since time.Time   `json:"since"`
	// Memberships is the flag of that name.
	Memberships bool             `json:"memberships"`
	Done        restore.Progress `json:"done"`
}

func (c *restoring) run(ctx context.Context, s streams, name string, configure func(*restore.Options) (operation, error)) (err error) {
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
		Reads: scan.NewPace(c.ReadUnits, time.Now), Writes: scan.NewPace(c.WriteUnits, time.Now),
		Note: func(key, why string) { fmt.Fprintf(s.Err, "left alone: %s: %s\n", key, why) },
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
	fmt.Fprintf(s.Out, "%s from %s to %s, restored to %s: the scan reads %d items for about %.0f read units ($%.2f), in %s or more; comparing takes about as many items again\n",
		name, c.From, c.Table, f.Point.Format(time.RFC3339), cost.Items, cost.Units, scan.Dollars(cost.Units), cost.Takes(c.ReadUnits))
	job := restore.Job{Options: options, Budget: c.Budget, Save: func(p restore.Progress) error {
		f.Done = p
		return j.save(f)
	}}
	err = do(job, ctx, &f.Done)
	return j.end(s.Out, c.report(s, f.Done, options, err))
}

// report prints what was done, or would be.
func (c *restoring) report(s streams, p restore.Progress, o restore.Options, err error) error {
	if werr := p.Counts.Write(s.Out); werr != nil {
		return werr
	}
	verb := "were written"
	if !c.Apply {
		verb = "would be written with --apply"
	}
	if c.Apply && err == nil {
		defer fmt.Fprintf(s.Out, "now repair the feeds: %s feed repair --all --since %s%s\n", quoted(os.Args[0]), o.Point.Format(time.RFC3339), c.flags())
	}
	fmt.Fprintf(s.Out, "%d changes %s; %.0f read units and %.0f write units ($%.2f)\n", p.Counts.Changes(), verb,
		o.Reads.Used(), o.Writes.Used(), scan.Dollars(o.Reads.Used())+scan.WriteDollars(o.Writes.Used()))
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}

// point is the restore point: what the command line says, or DynamoDB of either table.
func (c *restoring) point(ctx context.Context, o opened) (time.Time, error) {
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
	return time.Time{}, fmt.Errorf("DynamoDB calls neither %s nor %s restored: give --restored-to, the time as of which the older one is", c.From, c.Table)
}

// resume finds the progress of the same restore.
func (c *restoring) resume(name string, o restore.Options) (restoreFile, job, error) {
	f := restoreFile{From: o.From, To: o.To, Room: o.Room, Apply: c.Apply, Point: o.Point, Since: o.Since, Memberships: o.Memberships}
	want := f
	again := fmt.Sprintf("%s restore %s --from %s", quoted(os.Args[0]), name, quoted(c.From))
	if c.All {
		again += " --all"
	} else {
		again += " --room " + c.Room
	}
	if c.Apply {
		again += " --apply"
	}
	j, err := c.begin("restore-"+name, &c.target, again, &f)
	if err == nil && (f.From != want.From || f.To != want.To || f.Room != want.Room || f.Apply != want.Apply) {
		err = fmt.Errorf("%s has the progress of another restore, from %s to %s", j.path, f.From, f.To)
	}
	return f, j, err
}

func (c *restoring) check() error {
	if c.Table == "" {
		return errors.New("--table is needed: the table that is written")
	}
	if c.Room != "" {
		if _, err := chat.ParseRoomID(c.Room); err != nil {
			return fmt.Errorf("--room: %w", err)
		}
	}
	if c.WriteUnits <= 0 {
		return errors.New("--write-units must be greater than 0")
	}
	return c.work.check()
}
