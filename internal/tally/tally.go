// Package tally counts reactions, votes and replies, and writes the counts onto the messages. Each
// person writes their own row, so writers never wait for one another. The feed function counts the
// rows.
//
// Its rows and calls are in table and dynamo: they read the message that they change, as every edit
// does.
package tally

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// messagesAtOnce bounds the messages of one room that are counted concurrently. A batch has at
	// most as many messages as records; one count takes about 10 ms.
	messagesAtOnce = 8
	// maxRaces bounds how often another process overtakes the count of one message. Each lost race
	// means that another count succeeded; that process's next count needs no write.
	maxRaces = 24
	// busyRetryAfter is the delay before a batch is retried as a whole.
	busyRetryAfter = time.Second
)

// Message is the part of a message that a count needs, and the projection of its files.
type Message struct {
	Tally       chat.Tally // as stored, including a deleted message's reactions
	Deleted     bool
	Attachments []chat.Attachment
}

// Store reads rows and tallies. All reads are consistent. All methods return a *chat.Error of kind
// Unavailable if the store cannot answer at present. The error of a read wraps chat.ErrUnreadable
// if an item cannot be parsed.
type Store interface {
	// Counted returns the tally of a message, if the message exists.
	Counted(ctx context.Context, room chat.RoomID, id chat.MessageID) (m Message, found bool, err error)
	// ReactionCounts counts the reactions to a message, by emoji, in no order.
	ReactionCounts(ctx context.Context, room chat.RoomID, id chat.MessageID) ([]chat.ReactionCount, error)
	// VoteCounts counts the votes in the poll of a message.
	VoteCounts(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.VoteCount, error)
	// RepliesTo describes the replies to a message that are not deleted.
	RepliesTo(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.ReplyCount, error)
	// PutTally replaces the tally of a message if its version is the one before after's. It reports
	// whether it did. After a lost answer it may report false for a tally that it put itself.
	PutTally(ctx context.Context, room chat.RoomID, id chat.MessageID, after chat.Tally) (bool, error)
}

// Counter maintains the tallies of messages. It implements stream.Projection, and is safe for
// concurrent use.
type Counter struct{ store Store }

// NewCounter returns a counter.
func NewCounter(store Store) *Counter { return &Counter{store: store} }

// Project counts the messages whose rows were put or removed, and messages that were deleted or
// whose replies were deleted.
func (c *Counter) Project(ctx context.Context, w feed.RoomChanges) error {
	var group errgroup.Group
	group.SetLimit(messagesAtOnce)
	messages := touched(w)
	errs := make([]error, len(messages))
	for i, m := range messages {
		group.Go(func() error {
			_, errs[i] = c.count(ctx, w.Room, m)
			return nil
		})
	}
	_ = group.Wait()
	return first(errs)
}

// first returns the first error that a retry may overcome, and otherwise the first error: an
// unreadable message must not end the retries for the others.
func first(errs []error) error {
	var lasting error
	for _, err := range errs {
		if err != nil && !errors.Is(err, chat.ErrUnreadable) {
			return err
		}
		if lasting == nil {
			lasting = err
		}
	}
	return lasting
}

// parts is a message and the parts of its tally to count.
type parts struct {
	id                        chat.MessageID
	reactions, replies, votes bool
}

// touched returns the messages to count, each once.
func touched(w feed.RoomChanges) []*parts {
	var messages []*parts
	of := func(id chat.MessageID) *parts {
		for _, m := range messages {
			if m.id == id {
				return m
			}
		}
		messages = append(messages, &parts{id: id})
		return messages[len(messages)-1]
	}
	for _, row := range w.Rows {
		switch {
		case row.Upload != uuid.UUID{}:
		case row.Vote:
			of(row.Message).votes = true
		default:
			of(row.Message).reactions = true
		}
	}
	for _, e := range w.Entries {
		created := e.Type == feed.ReplyCreated
		if e.Type == feed.MessageDeleted {
			of(e.Message).reactions, of(e.Message).votes = true, true
		}
		if m := e.Item.Message; m != nil && m.IsReply() && (created || e.Type == feed.MessageDeleted) {
			of(m.Thread).replies = true
		}
	}
	return messages
}

// Count counts all rows of a message, and writes the tally if it differs from the current one. It
// reports whether it wrote. A message that does not exist has no tally.
//
// It consumes 1 read unit for the message 1 for about every 16 rows of each part, and 2 write
// units for every KB of the message if the tally changes.
func (c *Counter) Count(ctx context.Context, room chat.RoomID, id chat.MessageID) (changed bool, err error) {
	return c.count(ctx, room, &parts{id, true, true, true})
}

// count is Count of some parts. The others stay as they are.
func (c *Counter) count(ctx context.Context, room chat.RoomID, of *parts) (changed bool, err error) {
	for range maxRaces {
		m, found, err := c.store.Counted(ctx, room, of.id)
		if err != nil || !found {
			return false, err
		}
		after := m.Tally
		if of.reactions {
			after.Reactions, err = c.reactions(ctx, room, of.id, m)
		}
		if of.replies && err == nil {
			after.Replies, err = c.store.RepliesTo(ctx, room, of.id)
		}
		if of.votes && err == nil {
			after.Votes, err = c.votes(ctx, room, of.id, m)
		}
		if err != nil {
			return false, err
		}
		if slices.Equal(
			after.Reactions, m.Tally.Reactions,
		) && sameReplies(after.Replies, m.Tally.Replies) && sameVotes(after.Votes, m.Tally.Votes) {
			return false, nil
		}
		after.Version++
		done, err := c.store.PutTally(ctx, room, of.id, after)
		if err != nil || done {
			return done, err
		}
	}
	return false, &chat.Error{
		Kind: chat.Unavailable, RetryAfter: busyRetryAfter,
		Cause: fmt.Errorf("count %s in %s: others count it at once", of.id, room),
	}
}

func sameReplies(a, b chat.ReplyCount) bool {
	return a.Count == b.Count && a.LastAt.Equal(b.LastAt) && slices.Equal(a.Users, b.Users)
}

func sameVotes(a, b chat.VoteCount) bool {
	return a.Voters == b.Voters && slices.Equal(a.Options, b.Options)
}

// votes returns the counts of a message's votes. A deleted message has none.
func (c *Counter) votes(ctx context.Context, room chat.RoomID, id chat.MessageID, m Message) (chat.VoteCount, error) {
	if m.Deleted {
		return chat.VoteCount{}, nil
	}
	return c.store.VoteCounts(ctx, room, id)
}

// reactions returns the counts of a message's rows. The emoji of the current tally keep their
// order and new ones follow, so no emoji changes its place. A deleted message has none, and a
// message with more than chat.MaxEmoji kinds shows the first.
func (c *Counter) reactions(
	ctx context.Context, room chat.RoomID, id chat.MessageID, m Message,
) ([]chat.ReactionCount, error) {
	if m.Deleted {
		return nil, nil
	}
	rows, err := c.store.ReactionCounts(ctx, room, id)
	if err != nil {
		return nil, err
	}
	place := func(r chat.ReactionCount) int {
		i := slices.IndexFunc(m.Tally.Reactions, func(known chat.ReactionCount) bool { return known.Emoji == r.Emoji })
		if i < 0 {
			return len(m.Tally.Reactions)
		}
		return i
	}
	slices.SortStableFunc(rows, func(a, b chat.ReactionCount) int { return place(a) - place(b) })
	return rows[:min(len(rows), chat.MaxEmoji)], nil
}
