package reaction

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

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
