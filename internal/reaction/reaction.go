// Package reaction serves reactions to messages: one person, one message, one emoji. A reaction is
// a row of its own. Package tally counts the rows.
package reaction

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// Reaction is a person's reaction to a message.
type Reaction struct {
	Room    chat.RoomID
	Message chat.MessageID
	Emoji   string // the key of package emoji
	User    chat.UserID
	// ReceivedAt is when the message was received. It is zero in a Reaction that was read from
	// only its key.
	ReceivedAt time.Time
}

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

// queriesAtOnce bounds the concurrent queries for one page.
const queriesAtOnce = 16

// Own holds the caller's reactions to the messages of a page: emoji by message.
type Own map[chat.MessageID][]string

// Has reports whether the caller reacted to a message with an emoji.
func (o Own) Has(id chat.MessageID, key string) bool { return slices.Contains(o[id], key) }

// OwnReactions returns the caller's reactions to messages of one room that the caller has read. It
// reads nothing if none of them has reactions.
//
// contiguous means that the messages follow one another in the room. One query then covers them
// all, for half a read unit for every 4 KB of the caller's own reactions to them. Otherwise the
// caller may have reacted to thousands of messages in between: each message with reactions then
// has its own query, for half a unit.
func (s *Service) OwnReactions(
	ctx context.Context, caller chat.UserID, messages []chat.Message, contiguous bool,
) (Own, error) {
	queries := ownQueries(caller, messages, contiguous)
	found := make([][]Reaction, len(queries))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(queriesAtOnce)
	for i, q := range queries {
		group.Go(func() (err error) {
			found[i], err = s.store.Own(inner, q)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	own := Own{}
	for _, r := range slices.Concat(found...) {
		own[r.Message] = append(own[r.Message], r.Emoji)
	}
	return own, nil
}

// ownQueries returns the queries for a page: one range over all messages with reactions, or one
// range for each.
func ownQueries(caller chat.UserID, messages []chat.Message, contiguous bool) []OwnQuery {
	var queries []OwnQuery
	for _, m := range messages {
		if len(m.Tally.Reactions) == 0 {
			continue
		}
		q := OwnQuery{User: caller, Room: m.Room, First: m.ReceivedAt, Last: m.ReceivedAt}
		if !contiguous || len(queries) == 0 {
			queries = append(queries, q)
			continue
		}
		all := &queries[0]
		if q.First.Before(all.First) {
			all.First = q.First
		}
		if q.Last.After(all.Last) {
			all.Last = q.Last
		}
	}
	return queries
}
