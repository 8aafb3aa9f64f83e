package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/repair"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/search"
)

type searchCmd struct {
	Rebuild searchRebuildCmd `cmd:"" help:"Build the index of searches anew from the table."`
	Verify  searchVerifyCmd  `cmd:"" help:"Compare the index of searches with the table."`
}

// searchTarget selects the rooms whose indexes a command works on.
type searchTarget struct {
	bucketTarget
	work
	Room []string `help:"Only this room. Repeat the flag for more rooms. By default all rooms, including private rooms: rebuild finds those that have messages, and verify those that have an index."`

	indexed bool // without --room, only rooms that have an index
}

type searchRebuildCmd struct{ searchTarget }

type searchVerifyCmd struct{ searchTarget }

// Run rebuilds indexes. It can run alongside a running server or the deployed functions, whose
// searches find everything meanwhile.
func (c *searchRebuildCmd) Run(ctx context.Context, s streams) error {
	p, err := c.run(ctx, s, "rebuild", (*searchRun).rebuild)
	if p.Table != "" {
		fmt.Fprintf(s.Out, "%d of %d rooms rebuilt, with %d messages\n", p.Done(), len(p.Rooms), p.Messages)
	}
	return err
}

// Run compares indexes. It fails if it finds a difference.
func (c *searchVerifyCmd) Run(ctx context.Context, s streams) error {
	c.indexed = true
	p, err := c.run(ctx, s, "verify", (*searchRun).verify)
	if p.Table != "" {
		fmt.Fprintf(
			s.Out, "%d of %d rooms compared, with %d messages in their indexes; %d differences\n", p.Done(),
			len(p.Rooms), p.Messages, p.Differences,
		)
	}
	if err == nil && p.Differences > 0 {
		return errors.New("the index differs from the table: chat search rebuild builds it anew")
	}
	return err
}

// searchProgress is the saved state of a command.
type searchProgress struct {
	repair.RoomsProgress
	Begun       chat.RoomID `json:"begun"` // the room whose index was removed last, and is being built
	Messages    int         `json:"messages"`
	Differences int         `json:"differences"`
}

// searchRoom works on the index of a room.
type searchRoom func(*searchRun, context.Context, chat.RoomID) error

// searchRun is one run of a command.
type searchRun struct {
	*searchProgress
	streams
	index   *search.Service
	limiter *scan.RateLimiter
	budget  float64 // in read units; 0 means no bound
	save    func() error

	mu      sync.Mutex
	items   int       // that were read in rooms
	printed time.Time // of the last note
}

// run calls room with each room that a previous run has not done.
func (c *searchTarget) run(ctx context.Context, s streams, name string, room searchRoom) (p searchProgress, err error) {
	if err := c.validate(); err != nil {
		return p, err
	}
	o, err := c.open(ctx, s)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	files, err := c.openBucket(ctx)
	if err != nil {
		return p, err
	}
	j, err := c.begin("search-"+name, &c.target, quoted(os.Args[0])+" search "+name+c.bucketFlag(), &p)
	if err == nil && p.Table != "" && p.Table != o.table {
		err = fmt.Errorf("%s has the progress of table %s, not of %s", j.path, p.Table, o.table)
	}
	if err != nil {
		return searchProgress{}, err
	}
	p.Table = o.table
	r := newSearchRun(o, files, &p, s)
	if err := c.name(ctx, o.store(), r); err != nil {
		return searchProgress{}, err
	}
	r.limiter, r.budget = scan.NewRateLimiter(c.rate(c.ReadUnits), time.Now), c.Budget
	r.save = func() error { return j.save(p) }
	err = r.each(ctx, scan.Source{DB: o.db, Table: o.table}, room)
	fmt.Fprintf(s.Err, "%.0f read units ($%.2f)\n", r.limiter.Used(), scan.Dollars(r.limiter.Used()))
	return p, j.end(s.Out, interrupted(err))
}

// newSearchRun returns a run without limits.
func newSearchRun(o openTable, files *bucket.Client, p *searchProgress, s streams) *searchRun {
	r := &searchRun{searchProgress: p, streams: s, printed: time.Now()}
	store := dynamo.New(o.db, dynamo.Options{Table: o.table, Clock: time.Now, Observe: func(
		ctx context.Context, u dynamo.Usage,
	) {
		if !u.Write {
			_ = r.limiter.Take(ctx, u.Units) // if ctx has ended, the next call fails
		}
		r.note(u.Items)
	}})
	r.index = app.New(app.Options{Store: store, Bucket: files, Clock: time.Now, Log: s.Log}).Search
	return r
}

func (c *searchTarget) validate() error {
	for _, room := range c.Room {
		if _, err := chat.ParseRoomID(room); err != nil {
			return fmt.Errorf("--room: %w", err)
		}
	}
	if len(c.Room) > 0 && c.Resume {
		return errors.New("--resume continues with the rooms of the interrupted run: omit --room")
	}
	return errors.Join(c.bucketTarget.validate(), c.check())
}

// name sets the rooms of a run unless a scan finds them: the rooms of the command line, which
// must exist, or all rooms with an index.
func (c *searchTarget) name(ctx context.Context, store *dynamo.Store, r *searchRun) error {
	var rooms []chat.RoomID
	for _, name := range c.Room {
		room, err := store.Room(ctx, chat.RoomID(name))
		if err != nil {
			return fmt.Errorf("--room %s: %w", name, err)
		}
		rooms = append(rooms, room.ID)
	}
	if len(rooms) > 0 {
		r.Name(rooms)
		return nil
	}
	if c.Resume || !c.indexed {
		return nil
	}
	rooms, err := r.index.Indexed(ctx)
	r.Name(rooms)
	return err
}

// each calls room with each room that is not done.
func (r *searchRun) each(ctx context.Context, source scan.Source, room searchRoom) error {
	rooms := repair.Rooms{
		Source: source, Limiter: r.limiter, Budget: r.budget, Save: func() error { r.note(0); return r.save() },
		Room:   func(ctx context.Context, id chat.RoomID) error { return room(r, ctx, id) },
		Failed: func(id chat.RoomID, err error) { fmt.Fprintf(r.Err, "the index of %s: %v\n", id, err) },
	}
	return rooms.Run(ctx, &r.RoomsProgress)
}

// rebuild removes the index of a room, and builds a new one. It continues with an index that an
// interrupted run has begun.
func (r *searchRun) rebuild(ctx context.Context, room chat.RoomID) error {
	if r.Begun != room {
		if err := r.index.Forget(ctx, room); err != nil {
			return err
		}
		r.Begun = room
		if err := r.save(); err != nil {
			return err
		}
	}
	for {
		if r.budget > 0 && r.limiter.Used() >= r.budget {
			return scan.ErrBudget
		}
		reached, err := r.index.Extend(ctx, room)
		if err != nil {
			return err
		}
		if reached.Complete {
			r.Messages += reached.Messages
			return nil
		}
	}
}

// verify compares the index of a room, and prints each difference.
func (r *searchRun) verify(ctx context.Context, room chat.RoomID) error {
	if r.budget > 0 && r.limiter.Used() >= r.budget {
		return scan.ErrBudget
	}
	differences := 0
	reached, err := r.index.Verify(ctx, room, func(d search.Difference) {
		differences++
		subject := ""
		if d.Message != (chat.MessageID{}) {
			subject = "message " + d.Message.String() + " "
		}
		fmt.Fprintf(r.Out, "%s: %s%s\n", room, subject, d.Detail)
	})
	if err != nil {
		return err
	}
	r.Messages += reached.Messages
	r.Differences += differences
	return nil
}

// note counts items that were read, and now and then prints how far the command is. It is safe for
// concurrent use.
func (r *searchRun) note(items int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.items += items; time.Since(r.printed) >= progressInterval {
		r.printed = time.Now()
		fmt.Fprintf(
			r.Err, "so far: %d of %d rooms; %d items were read\n", r.Done(), len(r.Rooms), r.Scan.Items+int64(r.items),
		)
	}
}
