package mention

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// refusedSeq takes the place of the number of an entry without a row.
const refusedSeq = "-"

// removedMention is how long a removed row stays at least, counted from its mention. DynamoDB
// deletes it some time later.
const removedMention = 24 * time.Hour

// Key returns the primary key of a row.
func Key(r Row) table.Item { return table.MentionKey(chat.MemberOf{Room: r.Room, User: r.User}, r.Seq) }

// Update writes a row.
func Update(r Row) table.Update {
	u := table.Update{
		Expression: "SET #message = :message, #at = :at",
		Names: map[string]string{
			"#message": table.AttrMentionMessage, "#at": table.AttrMentionAt, "#expires": table.TTL,
		},
		Values: table.Item{
			":message": table.Text(r.Message.String()), ":at": table.Number(r.At.UnixMilli()),
		},
	}
	if r.User != Everyone {
		u.Expression += ", #pk = :pk, #sk = :sk"
		u.Names["#pk"], u.Names["#sk"] = table.IndexPK, table.IndexSK
		u.Values[":pk"], u.Values[":sk"] = table.Text(table.MentionsIndex(r.User)), table.Text(r.Position().Sort)
	}
	if r.Imported {
		u.Expression += ", #imported = :imported"
		u.Names["#imported"], u.Values[":imported"] = table.AttrMentionImported, table.Number(1)
	}
	u.Expression += " REMOVE #expires"
	return u.Stamped(table.MentionKind)
}

// removal removes the contents of a row, which then leaves the index and expires. So the
// feed function needs no permission to delete people's items.
func removal(r Row) table.Update {
	return table.Update{
		Expression: "SET #expires = :expires REMOVE #message, #at, #pk, #sk",
		Condition:  "attribute_exists(#message)",
		Names: map[string]string{
			"#message": table.AttrMentionMessage, "#at": table.AttrMentionAt, "#pk": table.IndexPK,
			"#sk": table.IndexSK, "#expires": table.TTL,
		},
		Values: table.Item{":expires": table.Number(r.At.Add(removedMention).Unix())},
	}
}

// ParseRow reads a row that Update wrote. The row of a removed mention has no Message.
func ParseRow(item table.Item) (Row, error) {
	r := table.Reader{Item: item}
	r.Expect(table.MentionKind)
	of, seq, err := table.ParseMentionKey(r.Text(table.PK), r.Text(table.SK))
	r.Keep(err)
	row := Row{
		Room: of.Room, User: of.User, Seq: seq, At: r.OptionalTime(table.AttrMentionAt),
		Imported: r.OptionalNumber(table.AttrMentionImported) != 0,
	}
	if text := r.OptionalText(table.AttrMentionMessage); text != "" {
		row.Message, err = chat.ParseMessageID(text)
		r.Keep(err)
	}
	if sk := r.OptionalText(table.IndexSK); sk != "" {
		at, _, _ := strings.Cut(sk, "#")
		row.ReceivedAt, err = time.Parse(sortLayout, at)
		r.Keep(err)
	}
	if r.Err != nil {
		return Row{}, fmt.Errorf("mention: %w", r.Err)
	}
	return row, nil
}

// ledgerUpdate replaces a ledger at revision before, or creates one if before is 0.
func ledgerUpdate(before int, l Ledger) table.Update {
	u := table.Update{
		Expression: "SET #rev = :rev",
		Condition:  "attribute_not_exists(#rev)",
		Names:      map[string]string{"#rev": table.AttrRevision, "#current": table.AttrLedgerCurrent},
		Values:     table.Item{":rev": table.Number(int64(l.Revision))},
	}
	if before > 0 {
		u.Condition, u.Values[":before"] = "#rev = :before", table.Number(int64(before))
	}
	if len(l.Current) > 0 {
		u.Expression += ", #current = :current"
		u.Values[":current"] = table.Set(entryTexts(l.Current))
	} else {
		u.Expression += " REMOVE #current"
	}
	if len(l.Removed) > 0 {
		u.Expression += " ADD #removed :removed"
		u.Names["#removed"], u.Values[":removed"] = table.AttrLedgerRemoved, table.Set(entryTexts(l.Removed))
	}
	return u.Stamped(table.MentionedKind)
}

// ledgerForget removes the Removed entries of a ledger from the stored one.
func ledgerForget(l Ledger) table.Update {
	return table.Update{
		Expression: "DELETE #removed :removed",
		Condition:  "attribute_exists(#removed)",
		Names:      map[string]string{"#removed": table.AttrLedgerRemoved},
		Values:     table.Item{":removed": table.Set(entryTexts(l.Removed))},
	}
}

// parseLedger reads a ledger.
func parseLedger(item table.Item) (Ledger, error) {
	r := table.Reader{Item: item}
	r.Expect(table.MentionedKind)
	room, id, err := table.ParseMessageVersionsPK(r.Text(table.PK))
	r.Keep(err)
	l := Ledger{
		Room: room, Message: id, Revision: int(r.Number(table.AttrRevision)),
		Current: entries(&r, table.AttrLedgerCurrent), Removed: entries(&r, table.AttrLedgerRemoved),
	}
	if r.Err != nil {
		return Ledger{}, fmt.Errorf("mention ledger: %w", r.Err)
	}
	return l, nil
}

// LedgerKeys returns the keys of the rows that a ledger names; none for an item that is not a
// ledger.
func LedgerKeys(ledger table.Item) []table.Item {
	l, err := parseLedger(ledger)
	if err != nil {
		return nil
	}
	var keys []table.Item
	for _, e := range slices.Concat(l.Current, l.Removed) {
		if e.Seq > 0 {
			keys = append(keys, Key(Row{Room: l.Room, User: e.User, Seq: e.Seq}))
		}
	}
	return keys
}

// entryTexts writes entries as user#number. Everyone is the empty user.
func entryTexts(entries []Entry) []string {
	var texts []string
	for _, e := range entries {
		seq := refusedSeq
		if e.Seq > 0 {
			seq = strconv.FormatInt(e.Seq, 10)
		}
		texts = append(texts, string(e.User)+"#"+seq)
	}
	return texts
}

// entries reads a set of entryTexts, ordered by number and then by user: a set has no order
// of its own.
func entries(r *table.Reader, name string) []Entry {
	var entries []Entry
	for _, text := range r.OptionalSet(name) {
		user, seq, _ := strings.Cut(text, "#")
		e := Entry{User: chat.UserID(user)}
		if seq != refusedSeq {
			var err error
			e.Seq, err = strconv.ParseInt(seq, 10, 64)
			r.Keep(err)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), strings.Compare(string(a.User), string(b.User)))
	})
	return entries
}
