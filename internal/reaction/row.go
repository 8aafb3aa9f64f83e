package reaction

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// keyOf returns the primary key of a reaction.
func keyOf(r Reaction) table.Item { return table.ReactionKey(r.Room, r.Message, r.Emoji, r.User) }

// Item returns the item of a reaction. Its index keys find a person's reactions to the messages of
// a time span.
func Item(r Reaction) table.Item {
	item := keyOf(r)
	table.Stamp(item, table.ReactionKind)
	item[table.IndexPK] = table.Text(table.ReactionsIndex(r.User))
	item[table.IndexSK] = table.Text(string(r.Room) + "#" + table.TimeText(r.ReceivedAt) + "#" + r.Message.String() +
		"#" + r.Emoji)
	return item
}

// ownRange returns the range in the index of a person's reactions to a room's messages that were
// received from first to last.
func ownRange(room chat.RoomID, first, last time.Time) table.Range {
	prefix := string(room) + "#"
	return table.Range{
		Low: prefix + table.TimeText(first), High: prefix + table.TimeText(last) + "#" + string(chat.LastRune),
	}
}

// ParseKey reads a reaction from only its primary key.
func ParseKey(item table.Item) (Reaction, error) {
	room, id, err := table.ParseMessageVersionsPK(table.KeyPart(item, table.PK))
	if err != nil {
		return Reaction{}, fmt.Errorf("reaction: %w: %w", chat.ErrUnreadable, err)
	}
	emoji, user, err := table.ParseReactionSK(item)
	return Reaction{Room: room, Message: id, Emoji: emoji, User: user}, err
}

// Parse reads an item that Item wrote.
func Parse(item table.Item) (Reaction, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ReactionKind)
	got, err := ParseKey(item)
	r.Keep(err)
	f := strings.SplitN(r.Text(table.IndexSK), "#", 3)
	if len(f) == 3 {
		got.ReceivedAt, err = table.ParseTime(f[1])
	}
	if r.Keep(err); len(f) != 3 {
		r.Keep(fmt.Errorf("index key of a reaction: %q", f))
	}
	if r.Err != nil {
		return Reaction{}, fmt.Errorf("reaction item: %w", r.Err)
	}
	return got, nil
}
