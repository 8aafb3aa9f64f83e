package policy

// MessageAction is an action that a person wants to perform on an existing message.
type MessageAction int

// The actions on a message.
const (
	Edit   MessageAction = iota // replace the text
	Delete                      // remove the text permanently
)

// DecideMessage returns the decision on an action on a message, by a person with a role in its
// room. The argument own reports whether it is the person's own message.
//
// An edit requires the right to post, and only senders may edit. Deleting one's own message
// requires only the right to read, so muted people may. Moderators may delete every message. An
// archived room refuses both actions.
func DecideMessage(role Role, room Room, own bool, action MessageAction) Decision {
	if d := Decide(role, room, Read); d != Allow {
		return d
	}
	may := false
	switch action {
	case Edit:
		may = own && allowed(role, room, Post)
	case Delete:
		may = own || allowed(role, room, Administer)
	}
	return room.decision(may, Write)
}
