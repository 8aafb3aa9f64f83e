package chat

import "time"

// Tally is what people have done with a message, as counted by the feed function. It may be some
// seconds old.
type Tally struct {
	Version   int // one more with each change; 0 if nothing was ever counted
	Reactions []ReactionCount
	Replies   ReplyCount
	Votes     VoteCount
	// Opaque holds the stored parts that this version does not know. It writes them back unchanged.
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
	Users  []string // the ids of who replied last, newest first, at most MaxReplyUsers
	LastAt time.Time
}

const (
	// MaxEmoji is how many kinds of emoji one message shows: more is a wall, and a longer item.
	MaxEmoji = 20
	// MaxReactions is how many people may react with one emoji: a count reads 457 units then.
	MaxReactions = 10_000
	// MaxReplyUsers is how many people a message names of its thread: the faces in one line.
	MaxReplyUsers = 3
	// reactionBytes and replyBytes estimate a reaction and a thread in JSON.
	reactionBytes = 80
	replyBytes    = 300
)

// PageBytes returns about the number of bytes of t in JSON.
func (t Tally) PageBytes() int {
	n := len(t.Reactions) * reactionBytes
	if t.Replies.Count > 0 {
		n += replyBytes
	}
	return n
}
