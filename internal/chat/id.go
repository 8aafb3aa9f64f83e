package chat

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// RoomID identifies a room: [a-z0-9] and inner "-", 1 to 64 bytes. External input becomes a RoomID
// only through ParseRoomID.
type RoomID string

// UserID is the subject of a token: 1 to 64 characters of A-Z a-z 0-9 . _ @ | : + = -. It never
// contains "#", which separates the fields of a key.
type UserID string

// MessageID identifies a message within its room by the UUID that the sender chose and by the
// sender. It is written as <uuid>~<user>.
type MessageID struct {
	UUID uuid.UUID // version 7; its time is when the message was sent
	User UserID
}

// ParseRoomID parses the id of a public or a private room.
func ParseRoomID(s string) (RoomID, error) {
	if s == "" || len(s) > MaxRoomID {
		return "", Invalidf("room", "must be 1 to %d bytes long", MaxRoomID)
	}
	for i := range len(s) {
		if c := s[i]; !LowerAlnum(c) && c != '-' {
			return "", Invalidf("room", "must contain only a-z, 0-9 and -")
		}
	}
	if s[0] == '-' || s[len(s)-1] == '-' {
		return "", Invalidf("room", "must not begin or end with -")
	}
	return RoomID(s), nil
}

// privatePrefix begins the id of every private room, so that no public room can meet one. The
// server adds 20 random characters, and a service what it likes.
const (
	privatePrefix = "p-"
	privateRandom = 20
)

// PrivateRoomID returns the id of a private room with a name, of characters of ids.
func PrivateRoomID(name string) RoomID { return RoomID(privatePrefix + name) }

// Private reports whether r has the form that is reserved for private rooms.
func (r RoomID) Private() bool { return strings.HasPrefix(string(r), privatePrefix) }

// ParseUserID parses the subject of a token, or a user of a request. It refuses ids that no path
// can contain: me stands for the caller, and clients remove "." and "..". It also refuses the ids
// of bots, as which nobody may act.
func ParseUserID(s string) (UserID, error) {
	if ReservedUserID(s) {
		return "", Invalidf("user", "must not be me, . or .., or the id of a webhook's bot")
	}
	return StoredUserID(s)
}

// ReservedUserID reports whether s has the form of a user id that ParseUserID refuses.
func ReservedUserID(s string) bool { return s == "me" || s == "." || s == ".." || UserID(s).Bot() }

// botPrefix begins the user id of the bot of an incoming webhook, whose id follows in BotDigits
// hexadecimal digits.
const (
	botPrefix = "bot:"
	BotDigits = 32
)

// BotID returns the user id of the bot of the webhook with an id of BotDigits digits. No person has
// an id of this form.
func BotID(webhook string) UserID { return UserID(botPrefix + webhook) }

// Bot reports whether u has the form of the user id of a webhook's bot.
func (u UserID) Bot() bool {
	digits, ok := strings.CutPrefix(string(u), botPrefix)
	return ok && len(digits) == BotDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// ParseSenderID parses the id of a sender of messages: a person, or a webhook's bot.
func ParseSenderID(s string) (UserID, error) {
	if UserID(s).Bot() {
		return UserID(s), nil
	}
	return ParseUserID(s)
}

// StoredUserID parses the user of an item or a cursor, which an earlier version may have accepted.
func StoredUserID(s string) (UserID, error) {
	if s == "" || len(s) > MaxUserID {
		return "", Invalidf("user", "must be 1 to %d bytes long", MaxUserID)
	}
	for i := range len(s) {
		if !UserByte(s[i]) {
			return "", Invalidf("user", "must contain only A-Z a-z 0-9 . _ @ | : + = -")
		}
	}
	return UserID(s), nil
}

// UserByte reports whether a user id may contain c.
func UserByte(c byte) bool {
	return LowerAlnum(c) || 'A' <= c && c <= 'Z' || strings.IndexByte("._@|:+=-", c) >= 0
}

// LowerAlnum reports whether c is a lower-case ASCII letter or a digit.
func LowerAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// ParseMessageID parses <uuid>~<user>.
func ParseMessageID(s string) (MessageID, error) {
	id, user, ok := strings.Cut(s, "~")
	if !ok {
		return MessageID{}, Invalidf("id", "must have the form <uuid>~<user>")
	}
	u, err := ParseUUID(id)
	if err != nil {
		return MessageID{}, err
	}
	name, err := StoredUserID(user)
	if err != nil {
		return MessageID{}, InField("id", err)
	}
	return MessageID{UUID: u, User: name}, nil
}

// ParseOwnMessageID parses the id that a caller gives to a message of their own. That is either the
// bare UUID, or the full form <uuid>~<user> with the caller as the user.
func ParseOwnMessageID(caller UserID, s string) (uuid.UUID, error) {
	if !strings.Contains(s, "~") {
		return ParseUUID(s)
	}
	id, err := ParseMessageID(s)
	if err == nil && id.User != caller {
		err = Invalidf("id", "must end with your own user id, or be the UUID alone")
	}
	return id.UUID, err
}

func (id MessageID) String() string { return id.UUID.String() + "~" + string(id.User) }

// SentAt returns the time in the UUID, to the millisecond, in UTC.
func (id MessageID) SentAt() time.Time { return uuidTime(id.UUID) }

// uuidText is the length of the only accepted form of a UUID: 8-4-4-4-12 hexadecimal digits, in
// either case.
const uuidText = 36

// maxYear is the last year that a key or a cursor can represent, with four digits.
const maxYear = 9999

const uuidRule = "must be a UUIDv7, such as 01890a5d-ac96-774b-bcce-b302099a8057"

// ParseUUID parses a UUID of version 7, with digits in either case.
func ParseUUID(s string) (uuid.UUID, error) {
	if len(s) != uuidText {
		return uuid.UUID{}, Invalidf("id", uuidRule)
	}
	u, err := uuid.Parse(s)
	if err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 {
		return uuid.UUID{}, Invalidf("id", uuidRule)
	}
	if uuidTime(u).Year() > maxYear {
		return uuid.UUID{}, Invalidf("id", "must hold a time of the year %d or before", maxYear)
	}
	return u, nil
}

// NewUUID returns the UUIDv7 of an instant, truncated to the millisecond. Its other 74 bits come
// from tail, which is random or derived. The version and the variant replace six bits of tail.
func NewUUID(at time.Time, tail [10]byte) uuid.UUID {
	var u uuid.UUID
	ms := at.UnixMilli()
	for i := range 6 {
		u[i] = byte(ms >> (8 * (5 - i)))
	}
	copy(u[6:], tail[:])
	u[6] = 0x70 | u[6]&0x0f
	u[8] = 0x80 | u[8]&0x3f
	return u
}

func uuidTime(u uuid.UUID) time.Time {
	var ms int64
	for i := range 6 {
		ms = ms<<8 | int64(u[i])
	}
	return time.UnixMilli(ms).UTC()
}
