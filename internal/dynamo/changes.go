package dynamo

import (
	"context"
	"maps"
	"sync"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

const (
	// othersBefore is how many other messages a range read allows for each wanted one, if it
	// begins with the oldest. They were received between the wanted ones, or up to some 1¼ seconds
	// before them if segments have only the times of changes. Reading a left-out message by its
	// key costs a read unit, as much as some 27 messages in a range.
	othersBefore = 3
	// othersAfter is othersBefore for a range that begins with the newest. These messages are not
	// in the feed yet, which is behind by a fraction of a second.
	othersAfter = 1
	// othersBytes bounds the other messages of a query if they are long: 12 read units.
	othersBytes = 96 << 10
	// unknownWithinBytes is the assumed size of an item in an unknown room. A page then reads at
	// most 96 others, as many as a busy room has in a second.
	unknownWithinBytes = 1 << 10
)

// MessagesByID is one strong batch read: 1 read unit for every 4 KB of each.
func (s *Store) MessagesByID(
	ctx context.Context, room chat.RoomID, ids []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	return s.messagesByID(ctx, room, ids, Strong)
}

// MessagesSoon is one batch read for every 100 messages: half a read unit for every 4 KB of each.
func (s *Store) MessagesSoon(
	ctx context.Context, room chat.RoomID, ids []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	return s.messagesByID(ctx, room, ids, Eventual)
}

// MessagesWithin queries the index of each shard that has several of the messages for the range,
// and reads the others by their keys, all concurrently. A query costs half a read unit for every 4
// KB, up to a megabyte. Messages beyond its limit are left out.
func (s *Store) MessagesWithin(
	ctx context.Context, span chat.MessageRange, ids []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	epochs, err := s.epochsOf(ctx, span.Room)
	if err != nil {
		return nil, err
	}
	byShard := map[int][]chat.MessageID{}
	for _, id := range ids {
		of := shardOf(epochs, id)
		byShard[of] = append(byShard[of], id)
	}
	var mu sync.Mutex
	found := make(map[chat.MessageID]chat.Message, len(ids))
	reads, inner := errgroup.WithContext(ctx)
	read := func(of func() (map[chat.MessageID]chat.Message, error)) {
		reads.Go(func() error {
			part, err := of()
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(found, part)
			return err
		})
	}
	var single []chat.MessageID
	for in, wanted := range byShard {
		if len(wanted) == 1 {
			single = append(single, wanted...)
			continue
		}
		read(func() (map[chat.MessageID]chat.Message, error) {
			return s.shardWithin(inner, in, span, wanted)
		})
	}
	if len(single) > 0 {
		read(func() (map[chat.MessageID]chat.Message, error) { return s.MessagesSoon(inner, span.Room, single) })
	}
	return found, reads.Wait()
}

// shardWithin makes one query of a shard. It reads more messages than wanted, because others may
// be in the same range, and returns only the wanted ones.
func (s *Store) shardWithin(
	ctx context.Context, in int, span chat.MessageRange, wanted []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	keys, size := table.SpanRange(span), s.sizes.of(span.Room, unknownWithinBytes)
	others := othersAfter
	if span.Order == chat.Oldest {
		others = othersBefore
	}
	others = min(others*len(wanted), othersBytes/size)
	items, _, err := s.table.Query(ctx, Query{
		Operation: opReadMessages, Index: true, Partition: table.ShardPK(span.Room, in),
		Keys:        Between(keys.Low, keys.High),
		Consistency: Eventual, NewestFirst: span.Order != chat.Oldest,
		Limit: shard.Fill(len(wanted)+others, 1, size, shard.Full),
	})
	if err != nil {
		return nil, err
	}
	isWanted := make(map[chat.MessageID]bool, len(wanted))
	for _, id := range wanted {
		isWanted[id] = true
	}
	found := make(map[chat.MessageID]chat.Message, len(wanted))
	for _, item := range items {
		m, err := table.ParseMessage(item)
		if err != nil {
			return nil, translate(opReadMessages, err)
		}
		s.sizes.learn(span.Room, table.Size(item))
		if isWanted[m.ID] {
			found[m.ID] = m
		}
	}
	return found, nil
}

func (s *Store) messagesByID(
	ctx context.Context, room chat.RoomID, ids []chat.MessageID, consistency Consistency,
) (map[chat.MessageID]chat.Message, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return nil, err
	}
	keys := make([]table.Item, len(ids))
	for i, id := range ids {
		keys[i] = table.MessageKey(room, shardOf(epochs, id), id)
	}
	items, err := s.table.BatchGet(ctx, "read messages by id", keys, consistency)
	if err != nil {
		return nil, err
	}
	found := make(map[chat.MessageID]chat.Message, len(ids))
	for i, item := range items {
		if item == nil {
			continue
		}
		if found[ids[i]], err = table.ParseMessage(item); err != nil {
			return nil, translate("read messages by id", err)
		}
	}
	return found, nil
}

// MembersByUser is one strong batch read for every 100 people: 1 read unit each, even for people
// who are not in the room.
func (s *Store) MembersByUser(
	ctx context.Context, room chat.RoomID, users []chat.UserID,
) (map[chat.UserID]chat.Membership, error) {
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = table.MemberKey(room, user)
	}
	items, err := s.table.BatchGet(ctx, "read members by user", keys, Strong)
	if err != nil {
		return nil, err
	}
	found := make(map[chat.UserID]chat.Membership, len(users))
	for i, item := range items {
		if item == nil {
			continue
		}
		if found[users[i]], err = table.ParseMember(item); err != nil {
			return nil, translate("read members by user", err)
		}
	}
	return found, nil
}
