package feed

import "example.com/parley/internal/chat"

// Change is one entry of a room's feed: a reference to what changed, never its contents.
type Change struct {
	Type     ChangeType
	Message  chat.MessageID // of a message's change
	Revision int            // of the message, after the change; of its tally in CountsChanged
	// Thread is the root of a created reply's thread. ShowInRoom reports whether the room lists the
	// reply.
	Thread     chat.MessageID
	ShowInRoom bool
	Pinned     bool        // of a message that was pinned or unpinned
	User       chat.UserID // the person whose membership changed
	Key        string      // of an unknown change: its item's sort key, at most MaxChangeKey bytes
	// Origin distinguishes changes without a revision, which are the changes of items other than
	// messages.
	Origin uint64
	// Opaque holds the stored bytes of a framed change that this version cannot read: the complete
	// payload of an unknown type, or the bytes behind the known fields of a known type.
	Opaque string
}

// ChangeOf returns the latest change of a message.
func ChangeOf(m chat.Message) Change {
	c := Change{Type: MessageEdited, Message: m.ID, Revision: m.Revision}
	switch {
	case m.Revision == 1 && m.IsReply():
		c.Type, c.Thread, c.ShowInRoom = ReplyCreated, m.Thread, m.ShowInRoom
	case m.Revision == 1 && m.System != nil:
		c.Type = SystemCreated
	case m.Revision == 1:
		c.Type = MessageCreated
	case m.Deleted():
		c.Type = MessageDeleted
	}
	return c
}

// CreatesInRoom reports whether c creates a message that the room lists and counts.
func (c Change) CreatesInRoom() bool {
	return c.Type == MessageCreated || c.Type == ReplyCreated && c.ShowInRoom
}

// CountsChangeOf returns the change that gave a message its current tally.
func CountsChangeOf(m chat.Message) Change {
	return Change{Type: CountsChanged, Message: m.ID, Revision: m.Tally.Version}
}

// Identity returns a value that is equal for two changes exactly when they are the same change. It
// uses only stored fields, so a change that was read from a feed equals the one that was appended.
func (c Change) Identity() Change {
	switch {
	case c.Type.OfMessage():
		return Change{Message: c.Message, Revision: c.Revision}
	case c.Type < FirstFramedChange:
		return Change{Type: c.Type, Origin: c.Origin}
	case c.Message != (chat.MessageID{}):
		return Change{Type: c.Type, Message: c.Message, Revision: c.Revision}
	case c.Origin != 0:
		return Change{Type: c.Type, Origin: c.Origin}
	}
	return Change{Type: c.Type, User: c.User, Opaque: c.Opaque}
}

// ChangedItem is a changed item in the state after the change. At most one item is set. None is
// set for a removed item or an unknown change.
type ChangedItem struct {
	Message *chat.Message
	Shard   int // of Message, from 1
	// Mentioned lists whom Message mentioned before the change; empty for a new message.
	Mentioned chat.Mentions
	Member    *chat.Membership
	// Room holds only the room's metadata, without its posting rule and digest key.
	Room *chat.Room
}
