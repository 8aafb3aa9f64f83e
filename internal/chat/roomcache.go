package chat

import "context"

// recentRoom returns a room, at most RoomCacheAge old, or NotFound.
func (s *Service) recentRoom(ctx context.Context, id RoomID) (Room, error) {
	if room, ok := s.recent.Get(id); ok {
		return room, nil
	}
	return s.CurrentRoom(ctx, id)
}

// Forget drops what the process remembers of a room, after a change elsewhere.
func (s *Service) Forget(id RoomID) { s.recent.Delete(id) }

// CurrentRoom returns the current state of a room, or NotFound. It checks no access. It caches
// public rooms only. Rooms with private ids are always read, so that the number of reads does not
// reveal members. Missing rooms are not cached, because they may be created at any moment.
func (s *Service) CurrentRoom(ctx context.Context, id RoomID) (Room, error) {
	asOf := s.clock()
	room, err := s.store.Room(ctx, id)
	if err == nil && !id.Private() {
		s.recent.Put(id, room, asOf)
	}
	return room, err
}
