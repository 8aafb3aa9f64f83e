package policy

// Audience defines who may read or write a document.
type Audience int

// The audiences. AsRoom applies the room's own rules for reading and writing. The others override
// them, and are listed from the most open.
const (
	AsRoom Audience = iota
	ForEveryone
	ForMembers
	ForModerators
	ForOwners
)

// audienceNames are the audiences as they are stored and shown.
var audienceNames = [...]string{"room", "everyone", "members", "moderators", "owners"}

func (a Audience) String() string {
	if a < 0 || int(a) >= len(audienceNames) {
		return "unknown"
	}
	return audienceNames[a]
}

// ParseAudience parses the result of String.
func ParseAudience(s string) (a Audience, ok bool) {
	for i, name := range audienceNames {
		if name == s {
			return Audience(i), true
		}
	}
	return 0, false
}

// Document holds the permissions of a document on which decisions depend.
type Document struct {
	Read, Write Audience
}

// DecideDocument returns the decision on an action on a document, by a person with a role in its
// room. The actions are Read, Write and Administer, which changes the title and permissions.
// Without access to the room there is no access to its documents, and only readers of a document
// may write it.
func DecideDocument(role Role, room Room, doc Document, action Action) Decision {
	if d := Decide(role, room, See); d != Allow {
		return d
	}
	read, write := mayRead(role, room, doc), mayWrite(role, room, doc)
	may := false
	switch action {
	case Read:
		may = read
	case Write:
		may = read && write
	case Administer:
		may = allowed(role, room, Administer) && read && write
	}
	return room.decision(may, action)
}

// mayRead reports whether a role may read a document. A mute does not affect reading.
func mayRead(role Role, room Room, doc Document) bool {
	switch doc.Read {
	case AsRoom:
		return allowed(role, room, Read)
	case ForEveryone:
		return role != Banned
	case ForMembers:
		return role == Muted || role >= Member
	case ForModerators:
		return role >= Moderator
	}
	return role == Owner
}

func mayWrite(role Role, room Room, doc Document) bool {
	switch doc.Write {
	case AsRoom:
		return allowed(role, room, Write)
	case ForEveryone:
		return role >= Stranger
	case ForMembers:
		return role >= Member
	case ForModerators:
		return role >= Moderator
	}
	return role == Owner
}
