package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/repair"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
)

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
	repairer.parts.Observe = func(ctx context.Context, u dynamo.Usage) {
		if !u.Write {
			_ = limiter.Take(ctx, u.Units) // if ctx has ended, the next call fails
		}
	}
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
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	return j.end(s.Out, err)
}
