// Package repair mends differences between the table, its feeds and its files. It reads whole
// tables, so only an operator's command may run it.
package repair

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/stream"
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
