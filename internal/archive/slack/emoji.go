package slack

import (
	"example.com/parley/internal/archive"
	"example.com/parley/internal/slacktext"
)

// reaction is one kind of reaction to a message.
type reaction struct {
	Name  string   `json:"name"`  // of the emoji
	Users []string `json:"users"` // ids; at least some of the people who reacted
	Count int      `json:"count"` // of all people
}

// Reasons for which reactions are left out.
const (
	// CustomEmoji are emoji of the workspace, which are pictures.
	CustomEmoji archive.Reason = "reactions with custom emoji"
	// NamelessPeople also reacted according to the count, but the export does not name them.
	NamelessPeople archive.Reason = "reactions of people who are not named"
	// SameEmoji are reactions of one person with one emoji that has several names.
	SameEmoji archive.Reason = "reactions under another name of the emoji"
	// OfSkipped are the reactions to records that are not imported.
	OfSkipped archive.Reason = "reactions to skipped records"
)

// reactions returns the reactions to m, and adds the omitted ones to counts.
func (c channelReader) reactions(
	m message, leftOut map[archive.Reason]int,
) ([]archive.Reaction, map[archive.Reason]int) {
	var all []archive.Reaction
	seen := map[archive.Reaction]bool{}
	for _, kind := range m.Reactions {
		if missing := kind.Count - len(kind.Users); missing > 0 {
			leftOut = withMore(leftOut, NamelessPeople, missing)
		}
		key, known := slacktext.EmojiKey(kind.Name)
		for _, user := range kind.Users {
			r := archive.Reaction{Emoji: key, User: c.userOf(user)}
			switch {
			case user == "":
				leftOut = withMore(leftOut, NamelessPeople, 1)
			case !known:
				leftOut = withMore(leftOut, CustomEmoji, 1)
			case seen[r]:
				leftOut = withMore(leftOut, SameEmoji, 1)
			default:
				seen[r] = true
				all = append(all, r)
			}
		}
	}
	return all, leftOut
}

// reactionCount returns the number of reactions to m.
func (m message) reactionCount() int {
	n := 0
	for _, kind := range m.Reactions {
		n += max(kind.Count, len(kind.Users))
	}
	return n
}
