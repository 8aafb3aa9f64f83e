// Package repair repairs the feeds of all rooms that were written to since a time. It finds the
// rooms by a scan, because private rooms are in no index. Only an operator's command may therefore
// run it.
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

// clockMargin is how far before Since the time of a message written after Since may be.
const clockMargin = time.Minute

// Progress is the saved state of a repair of all rooms.
type Progress struct {
	Table  string               `json:"table"`
	Since  time.Time            `json:"since"`
	Scan   scan.Progress        `json:"scan"`
	Rooms  map[chat.RoomID]bool `json:"rooms"` // the rooms found, and whether each is repaired
	Result stream.RepairReport  `json:"result"`
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

// ErrRooms means that some rooms could not be repaired. Failed was called with each of them.
var ErrRooms = errors.New("some rooms were not repaired")

// Run continues from p, which names the table and the time, until every room that was written to
// has been repaired once. It may be interrupted, and resumed from the saved progress. A room that
// cannot be repaired does not stop the others.
func (a *All) Run(ctx context.Context, p *Progress) error {
	if p.Rooms == nil {
		p.Rooms = map[chat.RoomID]bool{}
	}
	source := a.Source
	// The index has every message, even messages that no room's pages show. It has neither feeds
	// nor versions.
	source.Index = table.Index
	search := scan.Scan{Source: source, Filter: table.WrittenSince(p.Since.Add(-clockMargin)), Limiter: a.Limiter, Budget: a.Budget}
	search.Moved = func() error { return a.Save(*p) }
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
		return errors.Join(err, a.Save(*p))
	}
	return a.repair(ctx, p)
}

// repair repairs the rooms of p that are not repaired yet.
func (a *All) repair(ctx context.Context, p *Progress) error {
	var failed error
	for _, room := range slices.Sorted(maps.Keys(p.Rooms)) {
		if p.Rooms[room] {
			continue
		}
		r, err := a.Room(ctx, room)
		p.Result.Messages += r.Messages
		p.Result.Present += r.Present
		p.Result.TooOld += r.TooOld
		p.Result.Appended += r.Appended
		p.Result.Counted += r.Counted
		switch {
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), a.Save(*p))
		case chat.KindOf(err) == chat.NotFound:
			p.Rooms[room] = true // it is deleted, and its feed is closed
		case err != nil:
			a.Failed(room, err)
			failed = ErrRooms
		default:
			p.Rooms[room] = true
		}
		if err := a.Save(*p); err != nil {
			return err
		}
	}
	return failed
}
