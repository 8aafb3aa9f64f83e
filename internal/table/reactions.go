package table

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
)

// reactPrefix begins the sort keys of reactions, and their index partitions.
const reactPrefix = "react#"

// ReactionKey returns the primary key of a reaction.
func ReactionKey(r reaction.Reaction) Item {
	return Key(MessageVersionsPK(r.Room, r.Message), reactPrefix+r.Emoji+"#"+string(r.User))
}

// ReactionItem returns the item of a reaction. Its index keys find a person's reactions to the
// messages of a time span.
func ReactionItem(r reaction.Reaction) Item {
	item := ReactionKey(r)
	Stamp(item, ReactionKind)
	item[IndexPK] = Text(ReactionsIndex(r.User))
	item[IndexSK] = Text(string(r.Room) + "#" + TimeText(r.ReceivedAt) + "#" + r.Message.String() + "#" + r.Emoji)
	return item
}

// ReactionsIndex returns the index partition of a person's reactions.
func ReactionsIndex(user chat.UserID) string { return reactPrefix + string(user) }

// ReactionsRange returns the range of the reactions to a message: all of them for "", and
// otherwise the reactions with one emoji.
func ReactionsRange(emoji string) Range {
	if emoji == "" {
		return PrefixRange(reactPrefix)
	}
	return PrefixRange(reactPrefix + emoji + "#")
}

// OwnReactionsRange returns the range in the index of a person's reactions to a room's messages
// that were received from first to last.
func OwnReactionsRange(room chat.RoomID, first, last time.Time) Range {
	prefix := string(room) + "#"
	return Range{Low: prefix + TimeText(first), High: prefix + TimeText(last) + "#" + string(chat.LastRune)}
}

// ParseReactionKey reads a reaction from only its primary key.
func ParseReactionKey(item Item) (reaction.Reaction, error) {
	room, id, err := ParseMessageVersionsPK(KeyPart(item, PK))
	if err != nil {
		return reaction.Reaction{}, fmt.Errorf("reaction: %w: %w", chat.ErrUnreadable, err)
	}
	emoji, user, err := ParseReactionSK(item)
	return reaction.Reaction{Room: room, Message: id, Emoji: emoji, User: user}, err
}

// ParseReactionSK reads the emoji and the person from the sort key of a reaction. An emoji may
// contain "#", but a user id never does.
func ParseReactionSK(item Item) (emoji string, user chat.UserID, err error) {
	rest, ok := strings.CutPrefix(KeyPart(item, SK), reactPrefix)
	last := strings.LastIndexByte(rest, '#')
	if ok = ok && last > 0; ok {
		emoji = rest[:last]
		user, err = chat.StoredUserID(rest[last+1:])
	}
	if !ok || err != nil {
		return "", "", fmt.Errorf("reaction: %w: %w: sort key %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return emoji, user, nil
}

// ParseReaction reads an item that ReactionItem wrote.
func ParseReaction(item Item) (reaction.Reaction, error) {
	r := Reader{Item: item}
	r.Expect(ReactionKind)
	got, err := ParseReactionKey(item)
	r.Keep(err)
	f := strings.SplitN(r.Text(IndexSK), "#", 3)
	if len(f) == 3 {
		got.ReceivedAt, err = parseTime(f[1])
	}
	if r.Keep(err); len(f) != 3 {
		r.Keep(fmt.Errorf("%w: index key of a reaction", errKey))
	}
	if r.Err != nil {
		return reaction.Reaction{}, fmt.Errorf("reaction item: %w", r.Err)
	}
	return got, nil
}
