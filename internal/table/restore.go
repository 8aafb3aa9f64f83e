package table

import (
	"maps"
	"time"

	"example.com/parley/internal/chat"
)

// RevisionIs returns the condition that an item still has a revision. Revisions count from 0.
func RevisionIs(revision int) Update { return revisionIs(revision, 0) }

// MessageRevisionIs returns the condition that a message still has a revision. Revisions count from
// 1.
func MessageRevisionIs(revision int) Update { return revisionIs(revision, 1) }

func revisionIs(revision, none int) Update {
	return Update{
		Condition: "attribute_exists(PK) AND (#rev = :rev OR attribute_not_exists(#rev) AND :rev = :none)",
		Names:     map[string]string{"#rev": attrRevision},
		Values:    Item{":rev": Number(int64(revision)), ":none": Number(int64(none))},
	}
}

// NumberIs returns the condition that the copy of the newest version still has a number.
func NumberIs(n int) Update {
	return Update{
		Condition: "#number = :number",
		Names:     map[string]string{"#number": attrNumber},
		Values:    Item{":number": Number(int64(n))},
	}
}

// KeepTally gives a message's item the tally of another item, whose tally matches the rows in its
// table.
func KeepTally(item, of Item) {
	for _, name := range []string{attrTally, attrTallyVersion} {
		delete(item, name)
		if value, ok := of[name]; ok {
			item[name] = value
		}
	}
}

// Erased returns the item of a version without its text and metadata.
func Erased(item Item) Item {
	item = maps.Clone(item)
	delete(item, attrText)
	delete(item, attrMetadata)
	return item
}

// Buried returns the item of a message after its deletion.
func Buried(item Item, before, tombstone chat.Message) Item {
	item = Erased(item)
	delete(item, attrKept)
	delete(item, attrQuote)
	delete(item, attrPoll)
	values := MessageRevision(before, tombstone).Values
	if files := values[":files"]; files != nil {
		item[attrAttachments] = files
	}
	if system := values[":system"]; system != nil {
		item[attrSystem] = system
	}
	item[attrRevision], item[attrDeleted], item[attrDeletedBy] = values[":next"], values[":deleted"], values[":by"]
	return item
}

// LogExpired reports whether an entry of the activity log has expired.
func LogExpired(item Item, now time.Time) bool {
	r := Reader{Item: item}
	expires := r.OptionalNumber(LogTTL)
	return r.Err == nil && expires != 0 && expires <= now.Unix()
}
