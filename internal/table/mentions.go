package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
)

const (
	mentionPrefix = "mention#"
	skMentioned   = "mentioned"
	// MentionLedgerSK is the sort key of the ledger of a message's mentions.
	MentionLedgerSK = skMentioned

	attrMessage = attrReadMessage
	attrAt      = attrWritten
	attrCurrent = "current"
	attrRemoved = "removed"
	// refusedSeq takes the place of the number of an entry without a row.
	refusedSeq = "-"
)

// removedMention is how long a removed row stays at least, counted from its mention. DynamoDB
// deletes it some time later.
const removedMention = 24 * time.Hour

// MentionsPK returns the partition key of the mentions of a person, or of everyone in a room.
func MentionsPK(of chat.MemberOf) string {
	if of.User == mention.Everyone {
		return RoomItemsPK(of.Room)
	}
	return PersonPK(of.User)
}

// MentionPrefix returns the prefix of the sort keys of mentions in a room.
func MentionPrefix(of chat.MemberOf) string {
	if of.User == mention.Everyone {
		return mentionPrefix
	}
	return mentionPrefix + string(of.Room) + "#"
}

// MentionSK returns the sort key of a mention under the number of its change.
func MentionSK(of chat.MemberOf, seq int64) string { return MentionPrefix(of) + FeedSK(seq) }

// MentionKey returns the primary key of a mention.
func MentionKey(r mention.Row) Item {
	of := chat.MemberOf{Room: r.Room, User: r.User}
	return Key(MentionsPK(of), MentionSK(of, r.Seq))
}

// MentionsIndex returns the index partition of a person's mentions.
func MentionsIndex(user chat.UserID) string { return mentionPrefix + string(user) }

// MentionIndexSK returns the index key of a person's mention.
func MentionIndexSK(r mention.Row) string { return r.Position().Sort }

// MentionUpdate writes a row.
func MentionUpdate(r mention.Row) Update {
	u := Update{
		Expression: "SET #type = :type, #v = :v, #message = :message, #at = :at",
		Names:      map[string]string{"#type": attrType, "#v": attrVersion, "#message": attrMessage, "#at": attrAt, "#expires": TTL},
		Values: Item{
			":type": Text(MentionKind), ":v": Number(schemaVersion), ":message": Text(r.Message.String()), ":at": Number(r.At.UnixMilli()),
		},
	}
	if r.User != mention.Everyone {
		u.Expression += ", #pk = :pk, #sk = :sk"
		u.Names["#pk"], u.Names["#sk"] = IndexPK, IndexSK
		u.Values[":pk"], u.Values[":sk"] = Text(MentionsIndex(r.User)), Text(MentionIndexSK(r))
	}
	if r.Imported {
		u.Expression += ", #imported = :imported"
		u.Names["#imported"], u.Values[":imported"] = attrImported, Number(1)
	}
	u.Expression += " REMOVE #expires"
	return u
}

// MentionAttributes returns the attributes of a row, which the feed function may write.
func MentionAttributes() []string {
	return []string{PK, SK, IndexPK, IndexSK, attrType, attrVersion, attrMessage, attrAt, attrImported, TTL}
}

// LedgerAttributes returns the attributes of a ledger, which the feed function may read and write.
// A message's versions share only the type and the schema version with it.
func LedgerAttributes() []string {
	return []string{PK, SK, attrType, attrVersion, attrRevision, attrCurrent, attrRemoved}
}

// MentionRemoval removes the contents of a row, which then leaves the index and expires. So the
// feed function needs no permission to delete people's items.
func MentionRemoval(r mention.Row) Update {
	return Update{
		Expression: "SET #expires = :expires REMOVE #message, #at, #pk, #sk",
		Condition:  "attribute_exists(#message)",
		Names:      map[string]string{"#message": attrMessage, "#at": attrAt, "#pk": IndexPK, "#sk": IndexSK, "#expires": TTL},
		Values:     Item{":expires": Number(r.At.Add(removedMention).Unix())},
	}
}

// ParseMention reads a row that MentionUpdate wrote. The row of a removed mention has no Message.
func ParseMention(item Item) (mention.Row, error) {
	r := Reader{Item: item}
	r.Expect(MentionKind)
	of, seq, err := parseMentionKey(r.Text(PK), r.Text(SK))
	r.Keep(err)
	row := mention.Row{Room: of.Room, User: of.User, Seq: seq, At: r.OptionalTime(attrAt), Imported: r.OptionalNumber(attrImported) != 0}
	if text := r.OptionalText(attrMessage); text != "" {
		row.Message, err = chat.ParseMessageID(text)
		r.Keep(err)
	}
	if sk := r.OptionalText(IndexSK); sk != "" {
		at, _, _ := strings.Cut(sk, "#")
		row.ReceivedAt, err = parseTime(at)
		r.Keep(err)
	}
	if r.Err != nil {
		return mention.Row{}, fmt.Errorf("mention: %w", r.Err)
	}
	return row, nil
}

// parseMentionKey decodes the keys of a mention.
func parseMentionKey(pk, sk string) (of chat.MemberOf, seq int64, err error) {
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
	if room, _, err := parseMessageVersionsPK(KeyPart(item, PK)); err == nil {
		return room, true
	}
	of, _, err := parseMentionKey(KeyPart(item, PK), KeyPart(item, SK))
	return of.Room, err == nil
}
