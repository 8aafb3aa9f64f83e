package table

import (
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
)

// reactPrefix begins the sort keys of reactions, and their index partitions.
const reactPrefix = "react#"

// ReactionKey returns the primary key of a person's reaction to a message.
func ReactionKey(room chat.RoomID, id chat.MessageID, emoji string, user chat.UserID) Item {
	return Key(MessageVersionsPK(room, id), reactPrefix+emoji+"#"+string(user))
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
