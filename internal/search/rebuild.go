package search

import (
	"context"
	"maps"
	"slices"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// extendPages is the number of pages by which Extend extends an index: about a block of short
// messages.
const extendPages = 16

// Progress is how far the index of a room reaches.
type Progress struct {
	Messages int       // in the index, about
	From     time.Time // all messages received since are in the index
	Complete bool      // all messages are
}

func (x *index) progress() Progress {
	return Progress{Messages: x.messages(), From: time.UnixMilli(x.PastAt).UTC(), Complete: x.Whole}
}

// Indexed returns the rooms that have an index, or a part of one.
func (s *Service) Indexed(ctx context.Context) (rooms []chat.RoomID, err error) {
	for room := range s.stored(ctx, &err) {
		rooms = append(rooms, room)
	}
	return rooms, err
}

// Forget removes the index of a room. The next search begins a new one.
func (s *Service) Forget(ctx context.Context, room chat.RoomID) error {
	var objects []bucket.Object
	for object, err := range s.objects(ctx, keyOf(room, ""), "") {
		if err != nil {
			return err
		}
		objects = append(objects, object)
	}
	return s.remove(ctx, room, objects, &Swept{})
}

// Extend brings the index of a room up to date, extends it into the past by some thousand messages,
// and stores it. The error is NotFound for a deleted room.
func (s *Service) Extend(ctx context.Context, room chat.RoomID) (Progress, error) {
	head, err := s.head(ctx, room)
	if err != nil {
		return Progress{}, err
	}
	x, _, err := s.current(ctx, head, &budget{})
	for n := 0; err == nil && !x.Whole && n < extendPages; n++ {
		x, _, err = s.extend(ctx, x, &budget{})
	}
	if err != nil {
		return Progress{}, err
	}
	if x.unsaved > 0 || x.version == "" {
		stored, err := s.save(ctx, x)
		if err != nil {
			return Progress{}, err
		}
		if stored == nil { // a search stored another one, which the next call extends
			return Progress{Messages: x.messages(), From: time.UnixMilli(x.PastAt).UTC()}, nil
		}
	}
	return x.progress(), nil
}

// head returns the head of a room's feed. The error is NotFound for a deleted room.
func (s *Service) head(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, err := s.Store.CurrentFeedHead(ctx, room)
	if err == nil && head.Closed {
		err = chat.NoSuchRoom()
	}
	head.Room = room
	return head, err
}

// Difference is a message for which the index of a room differs from the table, or a part of the
// index that cannot be read.
type Difference struct {
	Message chat.MessageID // zero for a part of the index
	Detail  string         // completes a sentence that begins with the message, or is one
}

// Verify compares the index of a room, as far as it reaches, with the messages of the table. It
// calls found with each difference, and leaves out messages that changed while it ran. It keeps the
// whole index in memory.
func (s *Service) Verify(ctx context.Context, room chat.RoomID, found func(Difference)) (Progress, error) {
	head, err := s.head(ctx, room)
	if err != nil {
		return Progress{}, err
	}
	stored, err := s.load(ctx, room)
	if err == nil && stored != nil && stored.recent == nil && !stored.former {
		found(Difference{Detail: "the index cannot be read"})
	}
	x, _, err := s.current(ctx, head, &budget{})
	if err != nil {
		return Progress{}, err
	}
	indexed := map[chat.MessageID]Doc{}
	for _, ref := range x.Blocks {
		b, err := s.decode(room, ref, s.read(ctx, room, ref), &budget{})
		if err != nil {
			found(Difference{Detail: "block " + ref.Name + " cannot be read: " + err.Error()})
			continue
		}
		for i := range b.Len() {
			d := b.Doc(i)
			indexed[d.ID] = d
		}
	}
	maps.Copy(indexed, x.docs())
	all, err := s.within(ctx, room, x.PastAt, s.Clock().UnixMilli(), &budget{})
	if err != nil {
		return Progress{}, err
	}
	var differ []chat.MessageID
	for _, d := range all {
		if was, ok := indexed[d.ID]; !ok || !same(was, d) {
			differ = append(differ, d.ID)
		}
		delete(indexed, d.ID)
	}
	for id, d := range indexed {
		if d.Features&deleted == 0 && d.ReceivedAt.UnixMilli() >= x.PastAt {
			differ = append(differ, id)
		}
	}
	return x.progress(), s.confirm(ctx, x, differ, found)
}

// confirm calls found with the messages that still differ from an index, except messages of
// which the feed has, or will have, a later change.
func (s *Service) confirm(ctx context.Context, x *index, differ []chat.MessageID, found func(Difference)) error {
	if len(differ) == 0 {
		return nil
	}
	head, err := s.head(ctx, x.room)
	if err != nil {
		return err
	}
	later, err := s.follow(ctx, x, head, sweepBehind, &budget{})
	if err != nil || later == nil {
		return err
	}
	recent := later.docs()
	exist := map[chat.MessageID]Doc{}
	for some := range slices.Chunk(differ, messagesPerRead) {
		docs, _, err := s.docsOfChanges(ctx, x.room, some, &budget{})
		if err != nil {
			return err
		}
		for _, d := range docs {
			exist[d.ID] = d
		}
	}
	for _, id := range differ {
		d, ok := exist[id]
		indexed, known := recent[id]
		switch {
		case known && ok && same(d, indexed), ok && s.Clock().Sub(d.ReceivedAt) < feed.IndexLag:
		case !ok, d.Features&deleted != 0:
			found(Difference{id, "is deleted, and its text is left"})
		case known:
			found(Difference{id, "has an old text"})
		default:
			found(Difference{id, "is missing or has an old text"})
		}
	}
	return nil
}
