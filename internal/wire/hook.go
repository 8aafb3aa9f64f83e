package wire

import (
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// HookRequest is the body of a request to the address of a hook.
type HookRequest struct {
	Type      string   `json:"type"`      // "changes", "test" or "challenge"
	Timestamp string   `json:"timestamp"` // of this try
	Data      HookData `json:"data"`
}

// HookData has the changes of a request.
type HookData struct {
	ID    string     `json:"id"` // as in the header: the same for each try
	Items []HookRoom `json:"items"`
	// Challenge is what the receiver of a challenge answers, to show that it wants the changes.
	Challenge string `json:"challenge,omitempty"`
}

// HookRoom is the changes of one room for the program of a hook.
type HookRoom struct {
	ID      string   `json:"id" example:"seattle"`
	Since   string   `json:"since,omitempty" doc:"The position after these changes, as list-changes and subscriptions take it; absent with deleted" example:"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA"`
	Changes []Change `json:"changes" doc:"In order and without holes. A message is in its current state"`
	Reset   bool     `json:"reset,omitzero" doc:"Changes before since are no longer stored, or a backup was restored: read the room's messages again"`
	Deleted bool     `json:"deleted,omitzero" doc:"The room was deleted, with all that it had"`
}

// HookRoomOf returns the form of a room's changes, and of the position after them.
func HookRoomOf(room chat.RoomID, entries []feed.Entry, since chat.FeedPosition) HookRoom {
	r := HookRoom{ID: string(room), Since: since.Text(room), Changes: []Change{}}
	for _, e := range entries {
		r.Changes = append(r.Changes, ChangeOf(room, e, View{}))
	}
	return r
}
