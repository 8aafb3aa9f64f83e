// Package hook lets programs follow the changes of rooms.
//
// A hook is a cursor on the feeds of the rooms that it wants. Nothing of a change is stored with
// it: what a program receives is read from the feed at that moment, so a text that was deleted
// meanwhile is never sent, and an outage of days costs nothing. The Outbox reads the table's stream
// and tells hooks which of their rooms have news (ADR 90). A Deliverer sends the changes of hooks
// with an address (ADR 91). A room's hook has the rights of a person (ADR 92).
package hook

import (
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

const (
	// MaxHooks limits the hooks of all services, and those of all rooms. Each batch of the stream
	// reads all of them.
	MaxHooks = 200
	// MaxOfRoom limits the hooks of a room.
	MaxOfRoom = 5
	// MaxOfPerson limits the hooks that one person has put in all rooms, so that nobody takes all.
	MaxOfPerson = 5
	// MaxRooms limits the rooms that a hook names, so that its item stays small. A hook without
	// a list may have any number.
	MaxRooms = 100
	// MaxChanges bounds the changes in an answer: what a program can process within seconds.
	MaxChanges = 100
	// MaxBytes bounds the messages of these changes. A single one may exceed it.
	MaxBytes = 256 << 10
	// maxID bounds the id of a hook, in bytes.
	maxID = 40
)

// ID identifies a hook of its holder, who chooses it.
type ID string

// ParseID parses the id of a hook: 1 to 40 of a-z, 0-9 and "-". The error is Invalid.
func ParseID(text string) (ID, error) {
	valid := strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	if text == "" || len(text) > maxID || !valid {
		return "", chat.Invalidf("hook", "must be 1 to %d of a-z, 0-9 and -", maxID)
	}
	return ID(text), nil
}

// Holder has hooks, which nobody else may see: a service, or a room, whose owners manage them.
type Holder string

// OfRoom returns the holder of the hooks of a room. They have the changes of this room alone.
func OfRoom(room chat.RoomID) Holder { return table.RoomHookPrefix + Holder(room) }

// Room returns the room that is h, or "" for a service.
func (h Holder) Room() chat.RoomID {
	if room, ok := strings.CutPrefix(string(h), table.RoomHookPrefix); ok { // no user id has a "/"
		return chat.RoomID(room)
	}
	return ""
}

// kind returns the kind of the items of h's hooks.
func (h Holder) kind() table.Kind {
	if h.Room() != "" {
		return table.RoomHookKind
	}
	return table.HookKind
}

// Hook is a hook of a service or of a room.
type Hook struct {
	ID        ID
	Holder    Holder
	By        chat.UserID // who put a room's hook last: it has the rights of this person
	CreatedAt time.Time   // to the millisecond
	Wanted
	Types []string // the types of the changes that it has; none means all
	// URL is where changes are sent. A hook without one is fetched. It has one, or none, for life.
	URL string
	Off bool // its owner has switched it off: changes wait
	// ChangedAt is when the hook was last changed or replayed, and TestAt when a test was last
	// asked for. The outbox wakes the hook for either.
	ChangedAt, TestAt time.Time
	// Epoch counts the replays. A cursor of an earlier epoch is void: its room continues from From.
	Epoch int64
	From  time.Time
}

// Wanted selects the rooms of a hook: those with the ids in Rooms, or else all whose ids begin with
// Prefix. The zero Wanted selects all rooms. Whether private rooms can be selected is a setting of
// the deployment.
type Wanted struct {
	Rooms  []chat.RoomID
	Prefix string
}

// check returns an Invalid error unless w is a selection.
func (w Wanted) check() error {
	switch {
	case len(w.Rooms) > MaxRooms:
		return chat.Invalidf("rooms", "must be at most %d", MaxRooms)
	case len(w.Rooms) > 0 && w.Prefix != "":
		return chat.Invalidf("prefix", "must be absent when rooms are given")
	case w.Prefix != "":
		if _, err := chat.ParseRoomID(w.Prefix); err != nil {
			return chat.Invalidf("prefix", "must be the beginning of a room's id")
		}
	}
	return nil
}

func (w Wanted) has(room chat.RoomID) bool {
	if len(w.Rooms) > 0 {
		return slices.Contains(w.Rooms, room)
	}
	return strings.HasPrefix(string(room), w.Prefix)
}

// equal reports whether two hooks select the same rooms.
func (w Wanted) equal(other Wanted) bool {
	return w.Prefix == other.Prefix && slices.Equal(w.Rooms, other.Rooms)
}

// Types returns the types of changes by which a hook may select them.
func Types() (all []string) {
	for t := feed.MessageCreated; t.Valid(); t++ {
		if name := t.String(); t != feed.UnknownChange && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

func errNoHook() error { return &chat.Error{Kind: chat.NotFound, Detail: "there is no such hook"} }

// ErrOff returns the error of a deployment without hooks.
func ErrOff() error {
	return &chat.Error{Kind: chat.NotFound, Detail: "this deployment has no hooks: its setting Hooks is off"}
}
