package dynamo

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/thread"
)

const opListReplies = "list replies"

// Replies reads one partition of the index: half a read unit for every 4 KB. Replies that the room
// also lists are stored there as references, and are read by one eventual batch: half a unit each.
func (s *Store) Replies(ctx context.Context, r thread.Range) ([]chat.Message, bool, error) {
	keys := table.SpanRange(chat.MessageRange{Room: r.Root.Room, Order: r.Order, After: r.After, Limit: r.Limit})
	q := Query{
		Operation: opListReplies, Index: true, Partition: table.ThreadIndexPK(r.Root.Room, r.Root.ID),
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
		replies, err := s.repliesOf(ctx, r.Root.Room, items)
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
		ref, err := table.ParseReference(item)
		if err != nil {
			return nil, translate(opListReplies, err)
		}
		shown = append(shown, ref.Reply)
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
	if root, err := table.ThreadSortRoot(room, after.Sort); err == nil {
		q.Start = IndexStart(q.Partition, after, table.ThreadKey(root))
	}
	type entry struct {
		root thread.Root
		sort string
	}
	parse := func(item table.Item) (entry, error) {
		root, err := table.ParseThread(item)
		return entry{root, table.ThreadSort(item)}, err
	}
	entries, next, err := ListPage(
		ctx, s.table, q, parse, func(e entry) chat.ListPosition { return chat.ListPosition{Sort: e.sort} },
	)
	roots := make([]chat.MessageID, len(entries))
	for i, e := range entries {
		roots[i] = e.root.ID
	}
	return roots, next, err
}

// PutFollow is one update: 1 write unit, and another for the index when it begins or ends.
func (s *Store) PutFollow(ctx context.Context, f thread.Follow) error {
	_, _, err := s.table.UpdateItem(ctx, "put follow", table.FollowKey(f), table.FollowUpdate(f))
	return err
}

// PutThreadMarker is one conditional update: 1 write unit, and another for the index of a thread
// that the person follows.
func (s *Store) PutThreadMarker(ctx context.Context, f thread.Follow) (thread.Follow, error) {
	const op = "put thread marker"
	before, failed, err := s.table.ReplaceItem(ctx, op, table.FollowKey(f), table.ThreadMarkerUpdate(f))
	if err != nil || table.KindOf(before) == "" {
		return f, err // an engine may return the keys of a new item
	}
	existing, err := table.ParseFollow(before)
	if !failed {
		existing.Seq = f.Seq
	}
	return existing, translate(op, err)
}

// FollowsOf is one eventual query: half a read unit for every 4 KB, which holds some 20 threads.
func (s *Store) FollowsOf(ctx context.Context, user chat.UserID) ([]thread.Follow, error) {
	all, err := ownItems(ctx, s.table, user, table.FollowPrefix(""), table.ParseFollow)
	return slices.DeleteFunc(all, func(f thread.Follow) bool { return !f.Following }), err
}

// FeedBack is one eventual query: half a read unit for every 4 KB.
func (s *Store) FeedBack(ctx context.Context, r thread.SegmentRange) ([]feed.Segment, bool, error) {
	if r.Last < r.First {
		return nil, false, nil
	}
	page, err := s.segments(ctx, feedQuery{room: r.Room, from: r.First, to: r.Last, newestFirst: true, limit: r.Limit})
	return page.segments, page.next != nil, err
}

// PutReference is one conditional update: 1 write unit, and another in the index for a reply that
// the room lists.
func (s *Store) PutReference(ctx context.Context, ref thread.Reference) error {
	return s.table.UpdateBlindly(ctx, "put reference", table.ReferenceKey(ref), table.ReferenceUpdate(ref))
}

// PutThread is one conditional update. In a new minute it costs 2 write units, one of them for the
// index; otherwise its condition fails, for 1.
func (s *Store) PutThread(ctx context.Context, root thread.Root, at time.Time) error {
	return s.table.UpdateBlindly(ctx, "put thread", table.ThreadKey(root), table.ThreadUpdate(root, at))
}

// PutFollower reads the row: half a read unit. A new follower is one conditional update of 2 write
// units, one of them for the index.
func (s *Store) PutFollower(ctx context.Context, f thread.Follow) error {
	const op = "put follower"
	item, err := s.table.GetItem(ctx, op, table.FollowKey(f), Eventual)
	if err != nil || table.Decided(item) {
		return err
	}
	return s.table.UpdateBlindly(ctx, op, table.FollowKey(f), table.FollowerUpdate(f))
}

// RepliesTo makes strong queries of the references below a message: 1 read unit for every 4 KB,
// which is about 16 replies.
func (s *Store) RepliesTo(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.ReplyCount, error) {
	keys := table.ReplyRange()
	q := Query{
		Operation: "count replies", Partition: table.MessageVersionsPK(room, id), Keys: Between(keys.Low, keys.High),
		NewestFirst: true,
		Consistency: Strong, Projection: "#sk, #deleted", Names: map[string]string{"#deleted": table.AttrDeleted},
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
