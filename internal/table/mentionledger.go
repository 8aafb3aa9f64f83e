package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
)

// MentionLedgerKey returns the primary key of a message's ledger of mentions.
func MentionLedgerKey(room chat.RoomID, id chat.MessageID) Item {
	return Key(MessageVersionsPK(room, id), skMentioned)
}

// MentionLedgerUpdate replaces a ledger at revision before, or creates one if before is 0.
func MentionLedgerUpdate(before int, l mention.Ledger) Update {
	u := Update{
		Expression: "SET #type = :type, #v = :v, #rev = :rev",
		Condition:  "attribute_not_exists(#rev)",
		Names:      map[string]string{"#type": attrType, "#v": attrVersion, "#rev": attrRevision, "#current": attrCurrent},
		Values:     Item{":type": Text(MentionedKind), ":v": Number(schemaVersion), ":rev": Number(int64(l.Revision))},
	}
	if before > 0 {
		u.Condition, u.Values[":before"] = "#rev = :before", Number(int64(before))
	}
	if len(l.Current) > 0 {
		u.Expression += ", #current = :current"
		u.Values[":current"] = entrySet(l.Current)
	} else {
		u.Expression += " REMOVE #current"
	}
	if len(l.Removed) > 0 {
		u.Expression += " ADD #removed :removed"
		u.Names["#removed"], u.Values[":removed"] = attrRemoved, entrySet(l.Removed)
	}
	return u
}

// MentionLedgerForget removes the Removed entries of a ledger from the stored one.
func MentionLedgerForget(l mention.Ledger) Update {
	return Update{
		Expression: "DELETE #removed :removed",
		Condition:  "attribute_exists(#removed)",
		Names:      map[string]string{"#removed": attrRemoved},
		Values:     Item{":removed": entrySet(l.Removed)},
	}
}

// ParseMentionLedger reads a ledger.
func ParseMentionLedger(item Item) (mention.Ledger, error) {
	r := Reader{Item: item}
	r.Expect(MentionedKind)
	room, id, err := parseMessageVersionsPK(r.Text(PK))
	r.Keep(err)
	l := mention.Ledger{
		Room: room, Message: id, Revision: int(r.Number(attrRevision)),
		Current: r.entries(attrCurrent), Removed: r.entries(attrRemoved),
	}
	if r.Err != nil {
		return mention.Ledger{}, fmt.Errorf("mention ledger: %w", r.Err)
	}
	return l, nil
}

// MentionKeys returns the keys of the rows that a ledger names; none for an item that is not a
// ledger.
func MentionKeys(ledger Item) []Item {
	l, err := ParseMentionLedger(ledger)
	if err != nil {
		return nil
	}
	var keys []Item
	for _, e := range slices.Concat(l.Current, l.Removed) {
		if e.Seq > 0 {
			keys = append(keys, MentionKey(mention.Row{Room: l.Room, User: e.User, Seq: e.Seq}))
		}
	}
	return keys
}

// entrySet writes entries as user#number. Everyone is the empty user.
func entrySet(entries []mention.Entry) *types.AttributeValueMemberSS {
	set := &types.AttributeValueMemberSS{}
	for _, e := range entries {
		seq := refusedSeq
		if e.Seq > 0 {
			seq = strconv.FormatInt(e.Seq, 10)
		}
		set.Value = append(set.Value, string(e.User)+"#"+seq)
	}
	return set
}

// entries reads a set that entrySet wrote, ordered by number and then by user: a set has no order
// of its own.
func (r *Reader) entries(name string) []mention.Entry {
	var entries []mention.Entry
	for _, text := range r.OptionalSet(name) {
		user, seq, _ := strings.Cut(text, "#")
		e := mention.Entry{User: chat.UserID(user)}
		if seq != refusedSeq {
			var err error
			e.Seq, err = strconv.ParseInt(seq, 10, 64)
			r.Keep(err)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b mention.Entry) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), strings.Compare(string(a.User), string(b.User)))
	})
	return entries
}
