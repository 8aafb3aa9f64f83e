// Package repair mends the feeds of all rooms that were written to since a time. It finds them by a
// scan, since private rooms are in no index, so only a command of an operator may run it.
package repair

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/scan"
	"parley/internal/table"
)

// clockMargin is how far back of since a message may be dated that was written after it.
const clockMargin = time.Minute

// Progress is how far a repair of all rooms has come.
type Progress struct {
	Table  string               `json:"table"`
	Since  time.Time            `json:"since"`
	Scan   scan.Progress        `json:"scan"`
	Rooms  map[chat.RoomID]bool `json:"rooms"` // those that were found, and whether each is repaired
	Result feed.RepairReport    `json:"result"`
}

// All repairs all rooms that were written to.
type All struct {
	Source scan.Source
	Pace   *scan.Pace
	Budget float64 // of the scan, in read units; 0 is no bound
	// Room repairs one room.
	Room func(context.Context, chat.RoomID) (feed.RepairReport, error)
	// Save keeps the progress; it is called after each page and each room.
	Save func(Progress) error
	// Failed is told of a room that could not be repaired.
	Failed func(chat.RoomID, error)
}

// ErrRooms says that some rooms could not be repaired; Failed was told of each.
var ErrRooms = errors.New("some rooms were not repaired")

// Run goes on from p, which has the table and the time, until every room that was written to is
// repaired once. It may be interrupted and run again from what was saved. A room that cannot be
// repaired keeps no other one from it.
func (a *All) Run(ctx context.Context, p *Progress) error {
	if p.Rooms == nil {
		p.Rooms = map[chat.RoomID]bool{}
	}
	source := a.Source
	// It has every message, also those that no room's listing shows, and neither feeds nor
	// versions.
	source.Index = table.Index
	search := scan.Scan{Source: source, Filter: table.WrittenSince(p.Since.Add(-clockMargin)), Pace: a.Pace, Budget: a.Budget}
	search.Moved = func() error { return a.Save(*p) }
	err := search.Run(ctx, &p.Scan, func(_ context.Context, page []table.Item) error {
		for _, item := range page {
			room, err := table.MessageRoom(item)
			if err != nil {
				return fmt.Errorf("the table has a message that cannot be told a room: %w", err)
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
		switch {
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), a.Save(*p))
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
