package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
)

const (
	// UnusedDays is after how many days without a search a room's index is removed. It is less than
	// the retention of feeds, so that an index in use can always be continued.
	UnusedDays = 80
	// sweepBehind is how many changes a sweep reads to bring an index up to date. An index with
	// more, such as after an import, is removed: the next search lists the messages again.
	sweepBehind = 100_000
	// strayAge is how old a block without an index must be to be removed. A younger one may belong
	// to an index that is being stored.
	strayAge = time.Hour
)

// Swept is what a sweep did: how many indexes it saw, stored again and removed, and how many
// objects it removed.
type Swept struct{ Rooms, Stored, Removed, Objects int }

// Sweep brings all indexes up to date, and rewrites blocks that have texts of edited and deleted
// messages. It removes indexes of deleted rooms, indexes that nobody used for UnusedDays, and
// blocks that no index has. It is meant to run once a day.
//
// For each index it reads the index and a head, and what has changed. An index that fails is left
// for the next sweep; the error then says so.
func (s *Service) Sweep(ctx context.Context) (swept Swept, err error) {
	for room, objects := range s.stored(ctx, &err) {
		swept.Rooms++
		if failed := s.sweepRoom(ctx, room, objects, &swept); failed != nil {
			err = errors.Join(err, fmt.Errorf("room %s: %w", room, failed))
		}
		if ctx.Err() != nil {
			return swept, errors.Join(err, ctx.Err())
		}
	}
	return swept, err
}

// stored yields the rooms with objects of indexes. It begins elsewhere each day, so that a sweep
// that ends early reaches other rooms on the next day. It adds failures to err.
func (s *Service) stored(ctx context.Context, err *error) func(yield func(chat.RoomID, []bucket.Object) bool) {
	const initials = "abcdefghijklmnopqrstuvwxyz0123456789"
	middle := Folder + string(initials[s.Clock().Unix()/int64(day/time.Second)%int64(len(initials))])
	return func(yield func(chat.RoomID, []bucket.Object) bool) {
		if s.list(ctx, middle, "", yield, err) {
			s.list(ctx, "", middle, yield, err)
		}
	}
}

// list yields the rooms with objects whose keys follow one key and not another, if it is not empty.
// It reports whether it came to the end.
func (s *Service) list(
	ctx context.Context, after, until string, yield func(chat.RoomID, []bucket.Object) bool, err *error,
) bool {
	var room chat.RoomID
	var of []bucket.Object
	for object, failed := range s.objects(ctx, Folder, after) {
		if failed != nil {
			*err = errors.Join(*err, failed)
			return false
		}
		if until != "" && object.Key > until {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(object.Key, Folder), "/")
		if next := chat.RoomID(name); next != room {
			if len(of) > 0 && !yield(room, of) {
				return false
			}
			room, of = next, nil
		}
		of = append(of, object)
	}
	return len(of) == 0 || yield(room, of)
}

func (s *Service) sweepRoom(ctx context.Context, room chat.RoomID, objects []bucket.Object, swept *Swept) error {
	x, err := s.load(ctx, room)
	if err != nil {
		return err
	}
	head, err := s.Store.CurrentFeedHead(ctx, room)
	if err != nil {
		return err
	}
	var was *index
	if x != nil {
		was = x
		if unused := s.Clock().Sub(time.Unix(x.Used, 0)) >= UnusedDays*day; head.Closed || unused {
			x = nil
		} else if x, err = s.follow(ctx, x, head, sweepBehind, &budget{}); err != nil {
			return err
		}
		if x == nil {
			swept.Removed++
			return s.remove(ctx, room, objects, swept)
		}
		if x, err = s.merge(ctx, x, &budget{}); err != nil {
			return err
		}
		if x.unsaved > 0 {
			if x, err = s.save(ctx, x); x == nil {
				return err // a search stored another one
			}
			swept.Stored++
		}
	}
	return s.remove(ctx, room, slices.DeleteFunc(objects, func(o bucket.Object) bool {
		return x.has(o.Key) || !was.has(o.Key) && s.Clock().Sub(o.Modified) < strayAge
	}), swept)
}

// has reports whether a key belongs to the index, which may be nil, or to one of its blocks.
func (x *index) has(key string) bool {
	return x != nil &&
		(key == keyOf(x.room, indexName) ||
			slices.ContainsFunc(x.Blocks, func(ref blockRef) bool { return key == keyOf(x.room, ref.Name) }))
}

// remove removes objects of a room, the index first: the others are then strays.
func (s *Service) remove(ctx context.Context, room chat.RoomID, objects []bucket.Object, swept *Swept) error {
	s.memory.delete(keyOf(room, indexName))
	index := func(o bucket.Object) bool { return o.Key == keyOf(room, indexName) }
	if i := slices.IndexFunc(objects, index); i > 0 {
		objects[0], objects[i] = objects[i], objects[0]
	}
	for _, o := range objects {
		if err := s.Bucket.Delete(ctx, o.Key); err != nil {
			return err
		}
		s.memory.delete(o.Key)
		swept.Objects++
	}
	return nil
}

// merge returns an index whose blocks have what has changed of their messages.
func (s *Service) merge(ctx context.Context, x *index, spent *budget) (*index, error) {
	from, to, ok := x.span()
	if !ok {
		return x, nil
	}
	changes := map[int][]Doc{} // by block; a document may be for several
	docs := x.docs()
	for _, d := range docs {
		at := d.ReceivedAt.UnixMilli()
		if at < from || at > to {
			continue
		}
		for i, ref := range x.Blocks {
			if ref.From <= at {
				changes[i] = append(changes[i], d)
				if at > ref.From {
					break // older blocks cannot have it
				}
			}
		}
	}
	next := *x
	next.Blocks = nil
	for i, ref := range x.Blocks {
		if len(changes[i]) == 0 {
			next.Blocks = append(next.Blocks, ref)
			continue
		}
		_, b, err := s.blockOf(ctx, x, ref, s.read(ctx, x.room, ref), spent)
		if err != nil {
			return nil, err
		}
		next.Blocks = append(next.Blocks, changed(x, b, changes[i], docs)...)
		next.unsaved++
	}
	next.recent = NewBlock(x.room, slices.Collect(maps.Values(docs)))
	return &next, nil
}

// changed returns a block with changes as one or more blocks, the newest first. It removes the
// changes from docs; those that are gone from docs are in another block.
func changed(x *index, b *Block, changes []Doc, docs map[chat.MessageID]Doc) (refs []blockRef) {
	byID := map[chat.MessageID]bool{}
	for _, d := range changes {
		byID[d.ID] = true
	}
	all := slices.DeleteFunc(b.Docs(), func(d Doc) bool { return byID[d.ID] })
	for _, d := range changes {
		if _, left := docs[d.ID]; left && d.Features&deleted == 0 {
			all = append(all, d)
		}
		delete(docs, d.ID)
	}
	slices.SortFunc(all, Doc.compare)
	full, n := chunks(all, x.full)
	if rest := all[n:]; len(rest) > 0 {
		full = append(full, rest)
	}
	for _, part := range slices.Backward(full) {
		refs = append(refs, refOf(NewBlock(x.room, part)))
	}
	return refs
}
