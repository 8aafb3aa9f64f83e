package dynamo

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

const opListReplies = "list replies"

// Replies reads one partition of the index: half a read unit for every 4 KB. Replies that the room
// also lists are stored there as references, and are read by one eventual batch: half a unit each.
func (s *Store) Replies(ctx context.Context, r chat.ReplyRange) ([]chat.Message, bool, error) {
	keys := table.SpanRange(chat.MessageRange{Room: r.Room, Order: r.Order, After: r.After, Limit: r.Limit})
	q := Query{
		Operation: opListReplies, Index: true, Partition: table.ThreadIndexPK(r.Room, r.Root),
		Keys: Between(keys.Low, keys.High), Consistency: Eventual, NewestFirst: r.Order != chat.Oldest,
	}
	var page []chat.Message
	weight := 0
	for {
		q.Limit = r.Limit + 2 - len(page) // one more, and the reply at the cursor
		items, next, err := s.table.Query(ctx, q)
		if err != nil {
			return nil, false, err
		}
		replies, err := s.repliesOf(ctx, r.Room, items)
		if err != nil {
			return nil, false, err
		}
		for _, m := range replies {
			if r.After != nil && (chat.Position{At: m.ReceivedAt, ID: m.ID}) == *r.After {
				continue
			}
			weight += m.PageBytes()
			if len(page) == r.Limit || len(page) > 0 && weight > chat.MaxPageBytes {
				return page, true, nil
			}
			page = append(page, m)
		}
		if q.Start = next; next == nil {
			return page, false, nil
		}
	}
}

// repliesOf returns the replies in items of a thread's index, and reads the referenced ones.
func (s *Store) repliesOf(ctx context.Context, room chat.RoomID, items []table.Item) ([]chat.Message, error) {
	var shown []chat.MessageID
	for _, item := range items {
		if table.KindOf(item) != table.ReplyKind {
			continue
		}
		id, err := table.ParseReply(item)
		if err != nil {
			return nil, translate(opListReplies, err)
		}
		shown = append(shown, id)
	}
	found, err := s.MessagesSoon(ctx, room, shown)
	if err != nil {
		return nil, err
	}
	replies := make([]chat.Message, 0, len(items))
	for _, item := range items {
		var m chat.Message
		if table.KindOf(item) == table.ReplyKind {
			m, shown = found[shown[0]], shown[1:]
		} else if m, err = table.ParseMessage(item); err != nil {
			return nil, translate(opListReplies, err)
		}
		if m.Revision > 0 {
			replies = append(replies, m)
		}
	}
	return replies, nil
}

// ThreadsOf reads one partition of the index: half a read unit for every 4 KB.
func (s *Store) ThreadsOf(
	ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
) ([]chat.MessageID, chat.ListPosition, error) {
	q := Query{
		Operation: "list threads", Index: true, Partition: table.ThreadsIndex(room), Consistency: Eventual,
		NewestFirst: true, Limit: limit,
	}
	if root, err := table.ThreadSortRoot(after.Sort); err == nil {
		q.Start = IndexStart(q.Partition, after, table.ThreadKey(room, root))
	}
	type entry struct {
		root chat.MessageID
		sort string
	}
	parse := func(item table.Item) (entry, error) {
		root, err := table.ParseThread(item)
		return entry{root, table.ThreadSort(item)}, err
	}
	entries, next, err := ListPage(ctx, s.table, q, parse, func(e entry) chat.ListPosition {
		return chat.ListPosition{Sort: e.sort}
	})
	roots := make([]chat.MessageID, len(entries))
	for i, e := range entries {
		roots[i] = e.root
	}
	return roots, next, err
}

// RepliesTo makes strong queries of the references below a message: 1 read unit for every 4 KB,
// which is about 16 replies.
func (s *Store) RepliesTo(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.ReplyCount, error) {
	keys := table.ReplyRange()
	q := Query{
		Operation: "count replies", Partition: table.MessageVersionsPK(room, id), Keys: Between(keys.Low, keys.High),
		NewestFirst: true, Consistency: Strong,
		Projection: "#sk, #deleted", Names: map[string]string{"#deleted": table.AttrDeleted},
	}
	var replies chat.ReplyCount
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		for _, item := range items {
			at, deleted, err := table.ParseReplyRow(item)
			if err != nil {
				return err
			}
			if deleted {
				continue
			}
			if replies.Count++; replies.Count == 1 {
				replies.LastAt = at.At
			}
			if len(replies.Users) < chat.MaxReplyUsers && !slices.Contains(replies.Users, string(at.ID.User)) {
				replies.Users = append(replies.Users, string(at.ID.User))
			}
		}
		return nil
	})
	return replies, err
}
