package client

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"example.com/parley/internal/follow"
)

// Following configures Follow.
type Following struct {
	// Rooms has the position in each room after which to begin; an empty one means now. For a room
	// without a position, Handle first receives News without changes, whose Since is where it
	// begins.
	Rooms map[string]string
	// All means all rooms of the caller's list, with those that they join later, and no others:
	// Rooms then only has positions. A nil Rooms means All. A service's own rooms are in no list.
	All bool
	// Handle receives all news. Calls are never concurrent. An error ends Follow.
	Handle func(News) error
	// Socket is the address of the sockets, by default /ws of the API's address. Rooms are polled
	// while no socket can be opened.
	Socket string
}

// Follow reports the changes of rooms, in order and each once, despite lost connections. It ends
// when ctx ends, Handle fails or the token is refused for good. Without All, it also ends when the
// caller may see none of the rooms any more.
//
// Changes arrive immediately from the 100 most recently changed rooms, and from all direct
// rooms. Changes of other rooms arrive within 60 seconds, or 5 minutes if there are more than
// 1,000 rooms.
func (c *Client) Follow(ctx context.Context, f Following) error {
	if f.Socket == "" {
		f.Socket = follow.SocketAddress(c.base)
	}
	f.All = f.All || f.Rooms == nil
	rooms, err := c.begin(ctx, f)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	begun := map[string]bool{} // the rooms whose positions the caller knows
	for _, r := range rooms {
		begun[r.ID] = true
	}
	err = follow.Run(ctx, follow.Config{
		Client: c, Socket: f.Socket, Rooms: rooms, All: f.All, Heads: c.heads(), Clock: time.Now, Random: rand.Float64,
		Handle: func(e follow.Event) error { return f.handle(e, begun) },
		Reload: func(ctx context.Context, room string) (string, error) {
			since, err := c.position(ctx, room)
			if err != nil {
				return "", err
			}
			news := News{Room: room, Since: since, Reset: begun[room]}
			begun[room] = true
			if err := f.Handle(news); err != nil {
				cancel(err)
				return "", err
			}
			return since, nil
		},
	})
	if errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}

// begin returns the given rooms. Without All, it gives each a position.
func (c *Client) begin(ctx context.Context, f Following) ([]follow.Room, error) {
	var rooms []follow.Room
	for _, room := range slices.Sorted(maps.Keys(f.Rooms)) {
		since := f.Rooms[room]
		if since == "" && f.All {
			continue
		}
		if since == "" {
			err := patiently(ctx, func() (err error) {
				since, err = c.position(ctx, room)
				return err
			})
			if err != nil {
				return nil, err
			}
			if err := f.Handle(News{Room: room, Since: since}); err != nil {
				return nil, err
			}
		}
		rooms = append(rooms, follow.Room{ID: room, Since: since})
	}
	return rooms, nil
}

// handle passes an event of the follower on.
func (f Following) handle(e follow.Event, begun map[string]bool) error {
	switch e.Type {
	case follow.Changes:
		return f.Handle(News{Room: e.Room, Changes: changesOf(e.Changes), Since: e.Since})
	case follow.Removed:
		if begun[e.Room] {
			delete(begun, e.Room)
			return f.Handle(News{Room: e.Room, Removed: true})
		}
	}
	return nil
}

// heads returns a function that returns the heads of the caller's rooms.
func (c *Client) heads() func(context.Context) ([]follow.Head, error) {
	var etag string
	var last []follow.Head
	return func(ctx context.Context) ([]follow.Head, error) {
		var all struct{ Items []follow.Head }
		a, err := c.Do(ctx, Call{
			Method: http.MethodGet, Path: "/people/me/heads", IfNoneMatch: etag,
			Want: []int{http.StatusOK, http.StatusNotModified}, Into: &all,
		})
		if err == nil && a.Status == http.StatusOK {
			etag, last = a.Header.Get("ETag"), all.Items
		}
		return last, err
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
