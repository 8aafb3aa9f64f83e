// Package reaction serves reactions to messages: one person, one message, one emoji. A reaction is
// a row of its own. Package tally counts the rows.
package reaction

import (
	"time"

	"example.com/parley/internal/chat"
)

// Reaction is a person's reaction to a message.
type Reaction struct {
	Room    chat.RoomID
	Message chat.MessageID
	Emoji   string // the key of package emoji
	User    chat.UserID
	// ReceivedAt is when the message was received. It is zero in a Reaction that was read from
	// only its key.
	ReceivedAt time.Time
}
