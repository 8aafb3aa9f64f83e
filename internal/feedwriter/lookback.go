package feedwriter

import (
	"context"
	"time"

	"parley/internal/feed"
)

// fresh returns the changes that are not in the feed, without duplicates.
func (t *tail) fresh(ctx context.Context, changes []Change) ([]Change, error) {
	var fresh []Change
	seen := map[feed.Change]bool{}
	for _, c := range changes {
		id := c.Identity()
		if seen[id] {
			continue
		}
		seen[id] = true
		known, err := t.contains(ctx, id, c.Created)
		if err != nil {
			return nil, err
		}
		if !known {
			fresh = append(fresh, c)
		}
	}
	return fresh, nil
}

// contains reports whether a change is in the feed. It looks back to the time of the change.
func (t *tail) contains(ctx context.Context, id feed.Change, created time.Time) (bool, error) {
	for i := len(t.segments) - 1; i >= 0; i-- {
		s := &t.segments[i]
		if !created.IsZero() {
			if s.writtenAt.Before(created.Add(-clockSkew)) {
				return false, nil
			}
			if created.Before(s.createdFrom) || created.After(s.createdTo) {
				continue
			}
		}
		if s.identities == nil {
			if err := t.reload(ctx, s); err != nil {
				return false, err
			}
		}
		if _, ok := s.identities[id]; ok {
			return true, nil
		}
	}
	return false, nil
}

// reload reads the identities of a segment again. They stay in memory until the next push.
func (t *tail) reload(ctx context.Context, s *summary) error {
	segment, err := t.store.FeedSegment(ctx, t.room, s.first)
	if err != nil {
		return err
	}
	s.remember(segment.Changes)
	t.identityCount += len(s.identities)
	return nil
}
