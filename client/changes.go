package client

import (
	"encoding/json"
	"time"

	"example.com/parley/internal/follow"
)

// Change is one numbered change of a room. Its type determines its fields; skip unknown types.
type Change struct {
	Seq      int64
	Type     string
	ID       string   // of a message
	Revision int      // of a message
	Message  *Message // nil for a message that no longer exists
	Member   *Member

	Raw json.RawMessage // the change as received, with all its fields
}

// Message is the part of a message that simple programs need.
type Message struct {
	ID       string
	User     string
	Text     string
	Revision int
	SentAt   time.Time
	// ReceivedAt orders the messages of a room.
	ReceivedAt time.Time
	DeletedAt  time.Time
	Kind       string // "system" for what happened in the room; empty for what a person wrote
}

// Member is a person whose membership has changed.
type Member struct {
	User string
	Role string // empty for a person who is not in the member list
}

// News is what Follow reports about one room.
type News struct {
	Room    string
	Changes []Change // in order, each once
	Since   string   // the position after the changes, for Following.Rooms of a later Follow
	// Reset means that the feed does not reach back to the position. What happened since then is
	// lost; Since is the current position.
	Reset bool
	// Removed means that the caller may no longer see the room, or with All that they have left it.
	Removed bool
}

func changesOf(all []follow.Change) []Change {
	changes := make([]Change, len(all))
	for i, c := range all {
		changes[i] = Change{
			Seq: c.Seq, Type: c.Type, ID: c.ID, Revision: c.Revision, Raw: c.Raw,
			Message: (*Message)(c.Message), Member: (*Member)(c.Member),
		}
	}
	return changes
}
