package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/scan"
)

type peopleCmd struct {
	Index peopleIndexCmd `cmd:"" help:"Make everyone found by the words of their name. Run it once after an upgrade from a version without them."`
}

type peopleIndexCmd struct {
	target
	work
}

// indexProgress is the saved state of the command.
type indexProgress struct {
	Table   string            `json:"table"`
	After   chat.ListPosition `json:"after"` // the last person done
	People  int               `json:"people"`
	Changed int               `json:"changed"`
}

// errBudget ends a run whose budget is used up.
var errBudget = errors.New("the budget is used up")

// Run adds the words that older code did not write, and removes words of former names. It can run
// alongside a running server or the deployed functions.
func (c *peopleIndexCmd) Run(ctx context.Context, s streams) (err error) {
	if err := errors.Join(c.validate(), c.check()); err != nil {
		return err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	var p indexProgress
	j, err := c.begin("people-index", &c.target, quoted(os.Args[0])+" people index", &p)
	if err != nil {
		return err
	}
	if p.Table != "" && p.Table != o.table {
		return fmt.Errorf("%s has the progress of table %s, not of %s", j.path, p.Table, o.table)
	}
	p.Table = o.table
	limiter := scan.NewRateLimiter(c.rate(c.ReadUnits), time.Now)
	err = c.index(ctx, o, limiter, &p, func() error { return j.save(p) })
	fmt.Fprintf(s.Out, "%d people read, the words of %d changed; %.0f read units ($%.2f)\n", p.People, p.Changed, limiter.Used(), scan.Dollars(limiter.Used()))
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	return j.end(s.Out, err)
}

// index continues from p until all people are done or the budget is used up.
func (c *peopleIndexCmd) index(ctx context.Context, o openTable, limiter *scan.RateLimiter, p *indexProgress, save func() error) error {
	store := people.NewStore(dynamo.NewTable(o.db, o.table, func(ctx context.Context, u dynamo.Usage) {
		if !u.Write {
			_ = limiter.Take(ctx, u.Units) // if ctx has ended, the next call fails
		}
	}))
	return store.EachPerson(ctx, p.After, func(person people.Person) error {
		if c.Budget > 0 && limiter.Used() >= c.Budget {
			return errBudget
		}
		changed, err := store.IndexWords(ctx, person.User)
		if err != nil {
			return err
		}
		p.People++
		if changed {
			p.Changed++
		}
		p.After = chat.ListPosition{Sort: person.Name, ID: string(person.User)}
		return save()
	})
}
