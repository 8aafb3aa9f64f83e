package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/follow"
)

// quietTime is the time without a change after which the position is checked: somebody looks at the
// terminal.
const quietTime = 20 * time.Second

// following holds the flags of the commands that follow rooms.
type following struct {
	signedIn
	Socket string `help:"The address of the WebSocket API, such as the stack's output for it. Default: /ws of the API's address."`
}

// config returns the configuration of a follower without rooms.
func (c *following) config(api *client.Client, handle func(follow.Event) error) follow.Config {
	return follow.Config{
		Client: api, Socket: cmp.Or(c.Socket, follow.SocketAddress(api.Base())), Clock: time.Now, Random: rand.Float64,
		Quiet: quietTime, Handle: handle,
	}
}

type tailCmd struct {
	following
	Lines int    `default:"10" help:"How many of the newest messages to show first, from 0 to 200."`
	JSON  bool   `name:"json" help:"Print messages and changes as the API shows them, one JSON object a line."`
	All   bool   `help:"Show messages of all your rooms as they are sent, each with its room, also of rooms that you join later."`
	Room  string `arg:"" optional:"" help:"The room. Without it, list your rooms, or follow them with --all."`
}

// Run shows a room's newest messages and then its changes, or the changes of all rooms, until ctx
// ends. Without a room it lists the user's rooms.
func (c *tailCmd) Run(ctx context.Context, s streams) error {
	if c.Lines < 0 || c.Lines > chat.MaxLimit {
		return fmt.Errorf("--lines must be between 0 and %d", chat.MaxLimit)
	}
	api, err := c.client(s)
	if err != nil {
		return err
	}
	if c.Room == "" && !c.All {
		return listOwnRooms(ctx, api, s.Out, c.JSON)
	}
	if c.All && c.Room != "" {
		return errors.New("give a room or --all, not both")
	}
	if _, err := chat.ParseRoomID(c.Room); err != nil && !c.All {
		return err
	}
	v := newView(s.Out, isTerminal(s.Out), c.JSON)
	if err := c.follow(ctx, api, v, s.Err); err != nil && ctx.Err() == nil {
		return err
	}
	return nil // the user has ended it
}

// follow shows the room and then follows it, or follows all rooms from now on.
func (c *tailCmd) follow(ctx context.Context, api *client.Client, v *view, notes io.Writer) error {
	if err := v.loadBlocks(ctx, api); err != nil {
		return err
	}
	config := c.config(api, func(e follow.Event) error {
		note(notes, e)
		return v.event(e)
	})
	if c.All {
		v.rooms = true
		config.All, config.Heads, config.Reload = true, heads(api), position(api)
		return follow.Run(ctx, config)
	}
	since, err := c.newest(ctx, api, v)
	if err != nil {
		return err
	}
	config.Rooms = []follow.Room{{ID: c.Room, Since: since}}
	config.Reload = func(ctx context.Context, _ string) (string, error) {
		fmt.Fprintln(notes, "chat: the feed has begun again; these are the newest messages")
		return c.newest(ctx, api, v)
	}
	err = follow.Run(ctx, config)
	if errors.Is(err, follow.ErrNoRooms) {
		return fmt.Errorf("%s is no longer open to you", c.Room)
	}
	return err
}

// heads returns a function that returns the heads of the user's rooms.
func heads(api *client.Client) func(context.Context) ([]follow.Head, error) {
	return func(ctx context.Context) ([]follow.Head, error) {
		var all struct{ Items []follow.Head }
		err := api.Get(ctx, "/people/me/heads", &all)
		return all.Items, err
	}
}

// position returns a function that returns the current position of a room.
func position(api *client.Client) func(context.Context, string) (string, error) {
	return func(ctx context.Context, room string) (string, error) {
		var page struct{ Since string }
		err := api.Get(ctx, "/rooms/"+url.PathEscape(room)+"/messages?limit=1", &page)
		return page.Since, err
	}
}

// head returns the number of a room's last change.
func head(ctx context.Context, api *client.Client, room string) (int64, error) {
	var feed struct{ Head int64 }
	err := api.Get(ctx, "/rooms/"+url.PathEscape(room)+"/changes?limit=1", &feed)
	return feed.Head, err
}

// note reports how changes arrive.
func note(notes io.Writer, e follow.Event) {
	if e.Type != follow.State {
		return
	}
	if e.State == follow.Live {
		fmt.Fprintln(notes, "chat: live")
		return
	}
	fmt.Fprintf(notes, "chat: no live connection; asking every %v until there is one\n", follow.DefaultPoll)
}

// newest shows the newest messages and returns the position after them.
func (c *tailCmd) newest(ctx context.Context, api *client.Client, v *view) (since string, err error) {
	var page struct {
		Items []message
		Since string
	}
	path := "/rooms/" + url.PathEscape(c.Room) + "/messages?limit=" + strconv.Itoa(max(c.Lines, 1))
	_, err = api.Do(ctx, client.Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: &page})
	if err != nil {
		return "", err
	}
	// The page's position may be a few seconds old: changes since then are not new.
	if v.head, err = head(ctx, api, c.Room); err != nil {
		return "", err
	}
	lines := min(len(page.Items), c.Lines)
	if lines > 0 {
		v.first = page.Items[lines-1].ReceivedAt
	} else if len(page.Items) > 0 {
		v.first = page.Items[0].ReceivedAt.Add(time.Nanosecond)
	}
	for i := lines - 1; i >= 0; i-- {
		if err := v.message(page.Items[i]); err != nil {
			return "", err
		}
	}
	return page.Since, nil
}

// ownRoom is a room in the list of the user's rooms.
type ownRoom struct {
	ID, Name, Role string
	Unread         int
	Direct         []string
}

// listOwnRooms prints the user's rooms, newest activity first.
func listOwnRooms(ctx context.Context, api *client.Client, out io.Writer, asJSON bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	query := url.Values{"limit": {"200"}}
	for {
		var page struct {
			Items []json.RawMessage
			Next  string
		}
		path := "/people/me/rooms?" + query.Encode()
		if _, err := api.Do(
			ctx, client.Call{Method: http.MethodGet, Path: path, Want: []int{http.StatusOK}, Into: &page},
		); err != nil {
			return err
		}
		for _, raw := range page.Items {
			if asJSON {
				fmt.Fprintln(out, harmlessJSON(raw))
				continue
			}
			var r ownRoom
			if err := json.Unmarshal(raw, &r); err != nil {
				return err
			}
			fmt.Fprintln(table, r.line())
		}
		if page.Next == "" {
			return table.Flush()
		}
		query.Set("cursor", page.Next)
	}
}

// line returns the room's columns.
func (r ownRoom) line() string {
	unread := ""
	if r.Unread > 0 {
		unread = fmt.Sprintf("%d unread", r.Unread)
	}
	name := r.Name
	if len(r.Direct) > 0 {
		name = "with " + strings.Join(r.Direct, ", ")
	}
	return strings.Join([]string{harmless(r.ID), harmless(r.Role), unread, harmless(name)}, "\t")
}
