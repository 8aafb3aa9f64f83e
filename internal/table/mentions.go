package table

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/parley/internal/chat"
)

const (
	mentionPrefix = "mention#"
	skMentioned   = "mentioned"
	// MentionLedgerSK is the sort key of the ledger of a message's mentions.
	MentionLedgerSK = skMentioned

	attrMessage = "message"
	attrAt      = attrWritten
	attrCurrent = "current"
	attrRemoved = "removed"
)

// MentionsPK returns the partition key of the mentions of a person, or of everyone in a room: then
// the user is empty.
func MentionsPK(of chat.MemberOf) string {
	if of.User == "" {
		return RoomItemsPK(of.Room)
	}
	return PersonPK(of.User)
}

// MentionPrefix returns the prefix of the sort keys of mentions in a room.
func MentionPrefix(of chat.MemberOf) string {
	if of.User == "" {
		return mentionPrefix
	}
	return mentionPrefix + string(of.Room) + "#"
}

// MentionSK returns the sort key of a mention under the number of its change.
func MentionSK(of chat.MemberOf, seq int64) string { return MentionPrefix(of) + FeedSK(seq) }

// MentionKey returns the primary key of a mention under the number of its change.
func MentionKey(of chat.MemberOf, seq int64) Item { return Key(MentionsPK(of), MentionSK(of, seq)) }

// MentionsIndex returns the index partition of a person's mentions.
func MentionsIndex(user chat.UserID) string { return mentionPrefix + string(user) }

// MentionAttributes returns the attributes of a row, which the feed function may write.
func MentionAttributes() []string {
	return []string{PK, SK, IndexPK, IndexSK, attrType, attrVersion, attrMessage, attrAt, attrImported, TTL}
}

// LedgerAttributes returns the attributes of a ledger, which the feed function may read and write.
// A message's versions share only the type and the schema version with it.
func LedgerAttributes() []string {
	return []string{PK, SK, attrType, attrVersion, attrRevision, attrCurrent, attrRemoved}
}

// ParseMentionKey reads the keys of a mention.
func ParseMentionKey(pk, sk string) (of chat.MemberOf, seq int64, err error) {
	rest, ok := strings.CutPrefix(sk, mentionPrefix)
	room, isRoom := strings.CutPrefix(pk, RoomItemsPK(""))
	if !isRoom {
		var user chat.UserID
		if user, err = chat.StoredUserID(strings.TrimPrefix(pk, PersonPK(""))); err != nil {
			return of, 0, err
		}
		of.User = user
		room, rest, _ = strings.Cut(rest, "#")
	}
	if of.Room, err = chat.ParseRoomID(room); err != nil {
		return of, 0, err
	}
	seq, err = strconv.ParseInt(rest, 10, 64)
	if err != nil || !ok || seq < 1 || FeedSK(seq) != rest {
		return of, 0, fmt.Errorf("%w: mention %q", errKey, sk)
	}
	return of, seq, nil
}

// MentionRoom returns the room of a mention or a ledger from its key.
func MentionRoom(item Item) (chat.RoomID, bool) {
	if room, _, err := ParseMessageVersionsPK(KeyPart(item, PK)); err == nil {
		return room, true
	}
	of, _, err := ParseMentionKey(KeyPart(item, PK), KeyPart(item, SK))
	return of.Room, err == nil
}

// MentionLedgerKey returns the primary key of a message's ledger of mentions.
func MentionLedgerKey(room chat.RoomID, id chat.MessageID) Item {
	return Key(MessageVersionsPK(room, id), skMentioned)
}

// The attributes of mentions and of their ledgers, which the rights name.
const (
	AttrMentionMessage  = attrMessage
	AttrMentionAt       = attrAt
	AttrMentionImported = attrImported
	AttrLedgerCurrent   = attrCurrent
	AttrLedgerRemoved   = attrRemoved
)
