package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/repair"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

type feedCmd struct {
	Repair feedRepairCmd `cmd:"" help:"Append the missing changes of messages to feeds."`
}

type feedRepairCmd struct {
	target
	work
	Room  string `xor:"rooms" required:"" help:"Repair the feed of this room."`
	All   bool   `xor:"rooms" required:"" help:"Repair the feeds of all rooms written to since --since, including private rooms."`
	Since string `help:"With --all: a time, as in 2026-01-31T12:00:00Z, or an age, as in 36h."`

	Recount bool `help:"Also count the reactions and replies of every message anew, and write missing rows of threads and mentions."`
}

// Run repairs feeds. It can run alongside a running server or the deployed function.
func (c *feedRepairCmd) Run(ctx context.Context, s streams) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	stream, err := dynamo.StreamOf(ctx, o.db, o.table)
	if err != nil {
		return err
	}
	repairer := &feedRepairer{
		parts: feedfn.Config{DB: o.db, Table: o.table, Log: s.Log}, stream: stream, recount: c.Recount,
	}
	if c.All {
		return c.repairAll(ctx, s, o, repairer)
	}
	r, err := repairer.room(ctx, chat.RoomID(c.Room))
	if err != nil {
		return fmt.Errorf(
			"repair the feed of %s: %w; %d changes were appended; it is safe to run the command again", c.Room, err,
			r.Appended,
		)
	}
	_, err = fmt.Fprintln(s.Out, repaired(r))
	return err
}

func (c *feedRepairCmd) check() error {
	switch {
	case c.All && (c.Since == "") == !c.Resume:
		return errors.New("--all needs either --since or --resume")
	case !c.All && c.Since != "":
		return errors.New("--since needs --all: the feed of one room is repaired from its beginning")
	}
	if !c.All {
		if _, err := chat.ParseRoomID(c.Room); err != nil {
			return fmt.Errorf("--room: %w", err)
		}
	}
	return errors.Join(c.validate(), c.work.check())
}

// feedRepairer repairs the feeds of rooms.
type feedRepairer struct {
	parts   feedfn.Config
	stream  string
	recount bool
}

// room repairs the feed of one room. It uses a new appender, because an appender keeps every
// change that it has seen in memory.
func (f *feedRepairer) room(ctx context.Context, room chat.RoomID) (stream.RepairReport, error) {
	history := dynamo.New(f.parts.DB, dynamo.Options{Table: f.parts.Table, Clock: time.Now, Observe: f.parts.Observe})
	return stream.Repair{
		Room: room, History: history, Appender: f.parts.Appender(), Stream: f.stream,
		Projections: f.parts.RepairProjections(), Recount: f.recount,
	}.Run(ctx)
}

// repaired formats the result of a repair.
func repaired(r stream.RepairReport) string {
	text := fmt.Sprintf("%d messages read, %d of their changes present, %d appended", r.Messages, r.Present, r.Appended)
	if r.TooOld > 0 {
		text += fmt.Sprintf(", %d skipped because they are older than the feed", r.TooOld)
	}
	if r.Counted > 0 {
		text += fmt.Sprintf("; the replies and reactions of %d messages were counted", r.Counted)
	}
	return text
}

// repairAll repairs the feeds of all rooms with recent writes.
func (c *feedRepairCmd) repairAll(ctx context.Context, s streams, o openTable, repairer *feedRepairer) error {
	var p repair.Progress
	j, err := c.begin("feed-repair", &c.target, quoted(os.Args[0])+" feed repair --all", &p)
	if err != nil {
		return err
	}
	switch {
	case !c.Resume:
		p.Table = o.table
		if p.Since, err = parseSince("--since", c.Since, time.Now()); err != nil {
			return err
		}
	case p.Table != o.table:
		return fmt.Errorf("%s has the progress of table %s, not of %s", j.path, p.Table, o.table)
	}
	source := scan.Source{DB: o.db, Table: o.table, Index: table.Index}
	cost, err := source.Cost(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "searching for rooms written to since %s: %s; each room found is then read once\n",
		p.Since.Format(time.RFC3339), estimate(cost, c.rate(c.ReadUnits)))
	limiter := scan.NewRateLimiter(c.rate(c.ReadUnits), time.Now)
	repairer.parts.Observe = limit(limiter)
	all := repair.All{
		Source: source, Limiter: limiter, Budget: c.Budget, Room: repairer.room,
		Save: func(p repair.Progress) error { return j.save(p) },
		Failed: func(room chat.RoomID, err error) {
			fmt.Fprintf(s.Err, "the feed of %s was not repaired: %v\n", room, err)
		},
	}
	err = all.Run(ctx, &p)
	fmt.Fprintf(s.Out, "%d of %d rooms repaired: %s; %.0f read units ($%.2f)\n",
		p.Done(), len(p.Rooms), repaired(p.Result), limiter.Used(), scan.Dollars(limiter.Used()))
	return j.end(s.Out, interrupted(err))
}
