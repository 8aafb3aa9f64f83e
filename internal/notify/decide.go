package notify

// Message is what a message is to a person who may be notified of it.
type Message struct {
	Listed   bool // the room lists it: it is no reply that only its thread has
	Direct   bool // its room is direct
	Followed bool // it is a reply in a thread that the person follows
	Mention  bool // it mentions the person by name
	Everyone bool // it mentions everyone in the room
}

// Reader is the person, in relation to a message.
type Reader struct {
	// Barred means that the person hears of no such message: they are suspended, may not read the
	// room, sent it, or have blocked the sender. It is also no message to notify of once it is
	// deleted or read, or if it is a line of the room.
	Barred bool
	Room   Level // of the room, as it applies now
	Person Level // Unset means Direct
	// Quiet means that the person is not to be disturbed now: by Settings.IsQuiet, or by a status
	// that says so.
	Quiet          bool
	MentionsAlways bool
}

// Decide reports whether a person is notified of a message. If they are not barred, and quiet does
// not hold it back, the room's level decides, or else the person's.
func Decide(r Reader, m Message) bool {
	if r.Barred || r.Quiet && (!r.MentionsAlways || !m.Mention) {
		return false
	}
	level := r.Room
	if level == Unset {
		level = r.Person
	}
	switch mentioned := m.Mention || m.Everyone; level {
	case None:
		return false
	case Mentions:
		return mentioned
	case All:
		return mentioned || m.Listed || m.Followed
	default: // Direct
		return mentioned || m.Followed || m.Direct && m.Listed
	}
}
