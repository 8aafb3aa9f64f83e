package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// readRooms is the number of rooms of a person who has read all of them.
const readRooms = 30

// WarmCalls measures calls of the API by a process that has answered the same call before.
func (b *Bench) WarmCalls(ctx context.Context) ([]Figure, error) {
	o := newOperations(b)
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return nil, err
	}
	var figures []Figure
	for _, in := range []struct {
		shards int
		goal   float64
	}{{1, 3}, {16, 9}} {
		room := chat.RoomID(fmt.Sprintf("warm-%d", in.shards))
		if err := b.fill(ctx, b.store(), room, in.shards); err != nil {
			return nil, err
		}
		name := fmt.Sprintf("read units, page of 50 as a call of the API, warm, N=%d", in.shards)
		f, err := o.warm(
			ctx, name, in.goal, apiCall{method: get, path: "/rooms/" + string(room) + "/messages?limit=50"},
		)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	var rooms errgroup.Group
	rooms.SetLimit(depthLoaders)
	for n := range readRooms {
		rooms.Go(func() error {
			return o.readRoom(
				ctx, chat.RoomID(fmt.Sprintf("own-%02d", n)), []chat.UserID{"many"},
			)
		})
	}
	if err := rooms.Wait(); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("read units, my rooms, %d of them, nothing unread, with last messages", readRooms)
	own, err := o.warm(ctx, name, 50, apiCall{method: get, path: "/people/me/rooms?limit=200", caller: "many"})
	return append(figures, own), err
}

// warm returns the read units of the second of two calls.
func (o *operations) warm(ctx context.Context, name string, goal float64, c apiCall) (Figure, error) {
	p := o.process(time.Now)
	_, err := p.call(ctx, c)
	if err != nil {
		return Figure{}, err
	}
	second, err := p.call(ctx, c)
	value := fmt.Sprintf("%.1f%s", second.Reads, over(second.Reads, goal))
	return Figure{Name: name, Value: value, Goal: fmt.Sprintf("≤ %.1f", goal)}, err
}
