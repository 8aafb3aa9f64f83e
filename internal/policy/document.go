package policy

// Audience says who may read or write a document.
type Audience int

// The audiences. AsRoom is what the room says of reading and writing; the others
// go before the room, the most open first.
const (
	AsRoom Audience = iota
	ForEveryone
	ForMembers
	ForModerators
	ForOwners
)

// audienceNames are the audiences in words, as they are kept and shown.
var audienceNames = [...]string{"room", "everyone", "members", "moderators", "owners"}

func (a Audience) String() string {
	if a < 0 || int(a) >= len(audienceNames) {
		return "unknown"
	}
	return audienceNames[a]
}

// ParseAudience reads what String wrote.
func ParseAudience(s string) (a Audience, ok bool) {
	for i, name := range audienceNames {
		if name == s {
			return Audience(i), true
		}
	}
	return 0, false
}

// Document is what decisions need to know of a document in a room.
type Document struct {
	Read, Write Audience
}

// DecideDocument answers whether a person of a role may Read, Write or
// Administer (its title and permissions) a document. Whoever may not see the room has no
// part in its documents, and whoever may not read one may not write it.
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
		may = role >= Moderator && read && write
	}
	if may {
		return Allow
	}
	return Deny
}

// mayRead: a mute silences and does not hide, so the muted read what members read.
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
