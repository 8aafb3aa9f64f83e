package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"

	"example.com/parley/client"
)

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
