// Package repair mends differences between the table, its feeds and its files. It reads whole
// tables, so only an operator's command may run it.
package repair

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// Progress is the saved state of a repair of all rooms.
type Progress struct {
	RoomsProgress
	Result stream.RepairReport `json:"result"`
}

// All repairs all rooms that were written to since a time.
type All struct {
	Source  scan.Source
	Limiter *scan.RateLimiter
	Budget  float64 // of the scan, in read units; 0 means no bound
	// Room repairs one room.
	Room func(context.Context, chat.RoomID) (stream.RepairReport, error)
	// Save stores the progress. It is called after each page and each room.
	Save func(Progress) error
	// Failed is called with each room that could not be repaired.
	Failed func(chat.RoomID, error)
}

// Run continues from p, which names the table and the time, until every room that was written to
// has been repaired once.
func (a *All) Run(ctx context.Context, p *Progress) error {
	rooms := Rooms{
		Source: a.Source, Limiter: a.Limiter, Budget: a.Budget, Failed: a.Failed,
		Save: func() error { return a.Save(*p) },
	}
	rooms.Room = func(ctx context.Context, room chat.RoomID) error {
		r, err := a.Room(ctx, room)
		p.Result.Messages += r.Messages
		p.Result.Present += r.Present
		p.Result.TooOld += r.TooOld
		p.Result.Appended += r.Appended
		p.Result.Counted += r.Counted
		return err
	}
	return rooms.Run(ctx, &p.RoomsProgress)
}

// clockMargin is how far before Since the time of a message written after Since may be.
const clockMargin = time.Minute

// RoomsProgress is the saved state of work on many rooms.
type RoomsProgress struct {
	Table string               `json:"table"`
	Since time.Time            `json:"since"`
	Scan  scan.Progress        `json:"scan"`
	Rooms map[chat.RoomID]bool `json:"rooms"` // the rooms found, and whether each is done
}

// Name sets the rooms, so that no scan looks for them.
func (p *RoomsProgress) Name(rooms []chat.RoomID) {
	p.Scan.Segments, p.Rooms = []scan.Segment{{Done: true}}, map[chat.RoomID]bool{}
	for _, room := range rooms {
		p.Rooms[room] = false
	}
}

// Done returns the number of rooms that are done.
func (p *RoomsProgress) Done() (n int) {
	for _, done := range p.Rooms {
		if done {
			n++
		}
	}
	return n
}

// Rooms works on all rooms that were written to since a time, or that are named. It finds rooms by
// a scan, because private rooms are in no index.
type Rooms struct {
	Source  scan.Source
	Limiter *scan.RateLimiter
	Budget  float64 // of the scan, in read units; 0 means no bound
	// Room does the work on one room. Its error ends the run if it is scan.ErrBudget.
	Room func(context.Context, chat.RoomID) error
	// Save stores the progress. It is called after each page and each room.
	Save func() error
	// Failed is called with each room that could not be done.
	Failed func(chat.RoomID, error)
}

// ErrRooms means that some rooms could not be done. Failed was called with each of them.
var ErrRooms = errors.New("some rooms failed")

// Run continues from p until every room has been done once. It may be interrupted, and resumed from
// the saved progress. A room that fails does not stop the others.
func (r *Rooms) Run(ctx context.Context, p *RoomsProgress) error {
	if p.Rooms == nil {
		p.Rooms = map[chat.RoomID]bool{}
	}
	source := r.Source
	// The index has every message, even messages that no room's pages show. It has neither feeds
	// nor versions.
	source.Index = table.Index
	search := scan.Scan{
		Source: source, Filter: table.WrittenSince(p.Since.Add(-clockMargin)), Limiter: r.Limiter, Budget: r.Budget,
		Moved: r.Save,
	}
	err := search.Run(ctx, &p.Scan, func(_ context.Context, page []table.Item) error {
		for _, item := range page {
			room, err := table.MessageRoom(item)
			if err != nil {
				return fmt.Errorf("the table has a message of an unknown room: %w", err)
			}
			if _, found := p.Rooms[room]; !found {
				p.Rooms[room] = false
			}
		}
		return nil
	})
	if err != nil {
		return errors.Join(err, r.Save())
	}
	return r.each(ctx, p)
}

// each works on the rooms of p that are not done yet.
func (r *Rooms) each(ctx context.Context, p *RoomsProgress) error {
	var failed error
	for _, room := range slices.Sorted(maps.Keys(p.Rooms)) {
		if p.Rooms[room] {
			continue
		}
		switch err := r.Room(ctx, room); {
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), r.Save())
		case errors.Is(err, scan.ErrBudget):
			return errors.Join(err, r.Save())
		case chat.KindOf(err) == chat.NotFound:
			p.Rooms[room] = true // it is deleted
		case err != nil:
			r.Failed(room, err)
			failed = ErrRooms
		default:
			p.Rooms[room] = true
		}
		if err := r.Save(); err != nil {
			return err
		}
	}
	return failed
}
