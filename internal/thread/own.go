package thread

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// ThreadsOf lists the threads that the caller follows, newest root first, and how much of each is
// unread. It leaves out threads of rooms that the caller may not read, so a page may be shorter. A
// page ends early at chat.MaxPageBytes. The error is as for PageRequest.Read.
//
// ThreadsOf reads the rows of all threads that the caller follows. For a page it reads the
// memberships, the roots, and the changes after the markers.
func (s *Service) ThreadsOf(ctx context.Context, caller chat.UserID, page chat.PageRequest) (chat.Page[Thread], error) {
	scope := chat.NewCursorScope("own threads").Text(string(caller))
	var after place
	if err := page.Read(scope, &after); err != nil {
		return chat.Page[Thread]{}, err
	}
	all, err := s.store.FollowsOf(ctx, caller)
	if err != nil {
		return chat.Page[Thread]{}, err
	}
	all = slices.DeleteFunc(all, func(f Follow) bool { return after.Room != "" && placeOf(f).compare(after) <= 0 })
	slices.SortFunc(all, func(a, b Follow) int { return placeOf(a).compare(placeOf(b)) })
	var next string
	if len(all) > page.Limit {
		all = all[:page.Limit]
		last := placeOf(all[page.Limit-1])
		next = chat.EncodeCursor(scope, &last)
	}
	threads, err := s.complete(ctx, caller, all)
	size := 0
	for i, t := range threads {
		if size += t.Root.PageBytes(); size > chat.MaxPageBytes && i > 0 {
			last := placeOf(Follow{Root: Root{threads[i-1].Root.Room, threads[i-1].Root.ID}})
			return chat.Page[Thread]{Items: threads[:i], Next: chat.EncodeCursor(scope, &last)}, err
		}
	}
	return chat.Page[Thread]{Items: threads, Next: next}, err
}

// complete reads the threads of a page. It leaves out those that the caller may not read.
func (s *Service) complete(ctx context.Context, caller chat.UserID, page []Follow) ([]Thread, error) {
	byRoom := map[chat.RoomID][]Follow{}
	for _, f := range page {
		byRoom[f.Root.Room] = append(byRoom[f.Root.Room], f)
	}
	heads, err := s.source.CurrentFeedHeads(ctx, slices.Sorted(maps.Keys(byRoom)))
	if err != nil {
		return nil, err
	}
	roots, err := s.rootsOf(ctx, caller, byRoom, heads)
	if err != nil {
		return nil, err
	}
	counts := map[chat.RoomID]*count{}
	for room, follows := range byRoom {
		if follows = slices.DeleteFunc(
			follows, func(f Follow) bool { return roots[f.Root].Revision == 0 },
		); len(follows) > 0 {
			counts[room] = newCount(heads[room].Last, follows...)
		}
	}
	unread, err := s.unread(ctx, caller, counts)
	if err != nil {
		return nil, err
	}
	threads := make([]Thread, 0, len(page))
	for _, f := range page {
		if root := roots[f.Root]; root.Revision > 0 {
			threads = append(threads, Thread{Root: root, Seq: f.Seq, Unread: unread[f.Root], Following: f.Following})
		}
	}
	return threads, nil
}

// rootsOf reads the roots of threads in rooms that the caller may read.
func (s *Service) rootsOf(
	ctx context.Context, caller chat.UserID, byRoom map[chat.RoomID][]Follow, heads map[chat.RoomID]feed.Head,
) (map[Root]chat.Message, error) {
	ids := make(map[chat.RoomID][]chat.MessageID, len(byRoom))
	for room, follows := range byRoom {
		if heads[room].Closed {
			continue
		}
		for _, f := range follows {
			ids[room] = append(ids[room], f.Root.ID)
		}
	}
	found, err := s.readable.Messages(ctx, caller, ids)
	roots := map[Root]chat.Message{}
	for room, messages := range found {
		for id, m := range messages {
			roots[Root{room, id}] = m
		}
	}
	return roots, err
}

// place is a position in a person's list of threads.
type place struct {
	At   time.Time // when the root was sent
	Room chat.RoomID
	ID   chat.MessageID
}

func placeOf(f Follow) place { return place{f.Root.ID.SentAt(), f.Root.Room, f.Root.ID} }

// CursorFields implements chat.CursorPosition.
func (p *place) CursorFields(f *chat.CursorCodec) {
	f.Text((*string)(&p.Room))
	f.Bytes(p.ID.UUID[:])
	f.Text((*string)(&p.ID.User))
	_, roomErr := chat.ParseRoomID(string(p.Room))
	_, uuidErr := chat.ParseUUID(p.ID.UUID.String())
	_, userErr := chat.StoredUserID(string(p.ID.User))
	f.Check(roomErr == nil && uuidErr == nil && userErr == nil)
	p.At = p.ID.SentAt()
}

// compare orders places: the newest root first, then by room and id.
func (p place) compare(q place) int {
	return cmp.Or(q.At.Compare(p.At), cmp.Compare(p.Room, q.Room), cmp.Compare(p.ID.String(), q.ID.String()))
}
