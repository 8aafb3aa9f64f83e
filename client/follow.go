package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"time"

	"example.com/parley/internal/follow"
)

// listEvery is the pause between two checks for rooms that no event has announced. Without a
// connection there are no events.
const listEvery = time.Minute

// Following configures Follow.
type Following struct {
	// Rooms has the position in each room after which to begin; an empty one means now. A nil map
	// means all rooms of the caller, with those that they join later. For a room without a
	// position, Handle first receives News without changes, whose Since is where it begins.
	Rooms map[string]string
	// Handle receives all news. Calls are never concurrent. An error ends Follow.
	Handle func(News) error
	// Socket is the address of the sockets, by default /ws of the API's address. Rooms are polled
	// while no socket can be opened.
	Socket string
}

// errRooms ends a run because the caller's rooms may have changed.
var errRooms = errors.New("the caller's rooms have changed")

// Follow reports the changes of rooms, in order and each once, despite lost connections. It ends
// when ctx ends, Handle fails or the token is refused for good. With Rooms, it also ends when the
// caller may see none of them any more.
func (c *Client) Follow(ctx context.Context, f Following) error {
	if f.Socket == "" {
		f.Socket = follow.SocketAddress(c.base)
	}
	at := map[string]string{}
	for room, since := range f.Rooms {
		at[room] = since
	}
	for {
		if err := c.begin(ctx, f, at); err != nil {
			return err
		}
		err := c.run(ctx, f, at)
		switch {
		case errors.Is(err, errRooms):
		case errors.Is(err, follow.ErrNoRooms) && f.Rooms == nil:
			if err := follow.Sleep(ctx, follow.DefaultPoll); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// begin gives each room a position. The rooms are the caller's, unless they were given.
func (c *Client) begin(ctx context.Context, f Following, at map[string]string) error {
	if f.Rooms == nil {
		rooms, err := c.ownRooms(ctx)
		if err != nil {
			return err
		}
		for room := range rooms {
			at[room] += ""
		}
	}
	for room, since := range at {
		if since != "" {
			continue
		}
		err := patiently(ctx, func() (err error) {
			since, err = c.position(ctx, room)
			return err
		})
		var refused *Refusal
		if errors.As(err, &refused) && f.Rooms == nil {
			delete(at, room) // the caller has just left it
			continue
		}
		if err != nil {
			return err
		}
		at[room] = since
		if err := f.Handle(News{Room: room, Since: since}); err != nil {
			return err
		}
	}
	return nil
}

// run follows the rooms until one may be missing, and keeps their positions.
func (c *Client) run(ctx context.Context, f Following, at map[string]string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if f.Rooms == nil {
			c.watch(ctx, cancel, names(at))
		}
	}()
	defer func() {
		cancel(nil)
		<-watched
	}()
	config := follow.Config{
		Client: c, Socket: f.Socket, Clock: time.Now, Random: rand.Float64,
		Handle: func(e follow.Event) error { return f.handle(e, at) },
		Reload: func(ctx context.Context, room string) (string, error) {
			since, err := c.position(ctx, room)
			if err != nil {
				return "", err
			}
			at[room] = since
			if err := f.Handle(News{Room: room, Since: since, Reset: true}); err != nil {
				cancel(err)
				return "", err
			}
			return since, nil
		},
	}
	for room, since := range at {
		config.Rooms = append(config.Rooms, follow.Room{ID: room, Since: since})
	}
	err := follow.Run(ctx, config)
	if errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}

// handle passes an event of the follower on.
func (f Following) handle(e follow.Event, at map[string]string) error {
	switch e.Type {
	case follow.Changes:
		at[e.Room] = e.Since
		return f.Handle(News{Room: e.Room, Changes: changesOf(e.Changes), Since: e.Since})
	case follow.Removed:
		delete(at, e.Room)
		return f.Handle(News{Room: e.Room, Removed: true})
	}
	if f.Rooms == nil && e.IsPersonal("room.added") {
		return errRooms
	}
	return nil
}

// watch cancels the run when the caller has a room that is not known.
func (c *Client) watch(ctx context.Context, cancel context.CancelCauseFunc, known map[string]bool) {
	for follow.Sleep(ctx, listEvery) == nil {
		rooms, err := c.ownRooms(ctx)
		if err != nil {
			continue // the next check may succeed
		}
		for room := range rooms {
			if !known[room] {
				cancel(errRooms)
				return
			}
		}
	}
}

func names(at map[string]string) map[string]bool {
	rooms := map[string]bool{}
	for room := range at {
		rooms[room] = true
	}
	return rooms
}

// ownRooms returns the ids of the caller's rooms.
func (c *Client) ownRooms(ctx context.Context) (map[string]bool, error) {
	all := map[string]bool{}
	query := url.Values{"limit": {"100"}}
	for {
		var page struct {
			Items []struct{ ID string }
			Next  string
		}
		err := patiently(ctx, func() error { return c.Get(ctx, "/people/me/rooms?"+query.Encode(), &page) })
		if err != nil {
			return nil, err
		}
		for _, r := range page.Items {
			all[r.ID] = true
		}
		if page.Next == "" {
			return all, nil
		}
		query.Set("cursor", page.Next)
	}
}

// position returns the position of a room's feed as of now or some seconds ago.
func (c *Client) position(ctx context.Context, room string) (string, error) {
	var page struct{ Since string }
	err := c.Get(ctx, "/rooms/"+url.PathEscape(room)+"/messages?limit=1", &page)
	return page.Since, err
}

// patiently sends a request, and repeats it while it may succeed later.
func patiently(ctx context.Context, send func() error) error {
	for failures := 1; ; failures++ {
		err := send()
		if err == nil || ctx.Err() != nil {
			return err
		}
		pause := follow.Backoff(failures, rand.Float64()) //nolint:gosec // it only spreads clients
		var refused *Refusal
		if errors.As(err, &refused) {
			if !refused.Passing() {
				return err
			}
			pause += refused.RetryAfter
		}
		if err := follow.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}
