package chat

import "time"

// Tally is what people have done with a message, as counted by the feed function. It may be a few
// seconds old.
type Tally struct {
	Version   int // incremented by each change; 0 if nothing was ever counted
	Reactions []ReactionCount
	Replies   ReplyCount
	Votes     VoteCount
	// Opaque holds stored parts unknown to this version, which writes them back unchanged.
	Opaque string
}

// ReactionCount is how many people reacted to a message with one emoji.
type ReactionCount struct {
	Emoji string // the key of package emoji
	Count int
}

// ReplyCount describes the thread of a message.
type ReplyCount struct {
	Count  int
	Users  []string // the ids of the people who replied last, newest first, at most MaxReplyUsers
	LastAt time.Time
}

const (
	// MaxEmoji is the maximum number of different emoji on a message: more would be hard to read
	// and enlarge the item.
	MaxEmoji = 20
	// MaxReactions is the maximum number of people who may react with one emoji: counting them
	// reads 457 units.
	MaxReactions = 10_000
	// MaxReplyUsers is how many of a thread's repliers its root names: as many faces as fit in one
	// line.
	MaxReplyUsers = 3
	// reactionBytes and replyBytes estimate a reaction and a thread in JSON.
	reactionBytes = 80
	replyBytes    = 300
)

// PageBytes returns the approximate number of bytes of t in JSON.
func (t Tally) PageBytes() int {
	n := len(t.Reactions) * reactionBytes
	if t.Replies.Count > 0 {
		n += replyBytes
	}
	return n
}
