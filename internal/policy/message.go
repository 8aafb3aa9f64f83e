package policy

// MessageAction is what someone wants to do to a message that is there.
type MessageAction int

// The actions on a message.
const (
	Edit   MessageAction = iota // give it another text
	Delete                      // take its text away for good
)

// DecideMessage answers whether a person of a role may do an action to a message; own
// tells whether they sent it. To edit is to speak, so it takes the right to post, and nobody
// puts words into another's mouth. To delete one's own takes only sight
// of it, so the muted may; moderators may delete what anyone said.
func DecideMessage(role Role, room Room, own bool, action MessageAction) Decision {
	if d := Decide(role, room, Read); d != Allow {
		return d
	}
	may := false
	switch action {
	case Edit:
		may = own && allowed(role, room, Post)
	case Delete:
		may = own || role >= Moderator
	}
	if may {
		return Allow
	}
	return Deny
}
