package stream

import (
	"context"

	"example.com/parley/internal/feed"
)

// divide returns the changes that are not in the feed, and the entries of those that are, both
// without duplicates. Changes that were merged into others are in neither, because they have no
// entries. It looks back to the times of the changes, and reads each segment at most once.
func (t *tail) divide(
	ctx context.Context, changes []feed.StreamChange,
) (fresh []feed.StreamChange, found []feed.AppendedEntry, err error) {
	wanted := distinct(changes)
	for i := len(t.segments) - 1; i >= 0; i-- {
		older, err := t.find(ctx, i, wanted)
		if err != nil {
			return nil, nil, err
		}
		if !older {
			break
		}
	}
	for _, w := range wanted {
		switch {
		case !w.found:
			fresh = append(fresh, w.StreamChange)
		case w.seq > 0:
			found = append(found, feed.AppendedEntry{Seq: w.seq, StreamChange: w.StreamChange})
		}
	}
	return fresh, found, nil
}

// wantedChange is a change that a tail looks for.
type wantedChange struct {
	feed.StreamChange
	id    feed.Change
	found bool
	seq   int64 // its number in the feed; 0 if it was merged into another change
}

// distinct returns the changes without duplicates, in their order.
func distinct(changes []feed.StreamChange) []wantedChange {
	wanted := make([]wantedChange, 0, len(changes))
	seen := make(map[feed.Change]bool, len(changes))
	for _, c := range changes {
		if id := c.Identity(); !seen[id] {
			seen[id] = true
			wanted = append(wanted, wantedChange{StreamChange: c, id: id})
		}
	}
	return wanted
}

// find marks the wanted changes that a segment holds, and sets their numbers. It reports whether an
// older segment may hold one of the others.
func (t *tail) find(ctx context.Context, at int, wanted []wantedChange) (older bool, err error) {
	s, used := &t.segments[at], false
	for i := range wanted {
		w := &wanted[i]
		if w.found || s.precedes(w.StreamChange) {
			continue
		}
		if !s.mayHold(w.StreamChange) {
			older = true
			continue
		}
		if s.identities == nil {
			if err := t.reload(ctx, at); err != nil {
				return false, err
			}
		}
		used = true
		w.seq, w.found = s.identities[w.id]
		older = older || !w.found
	}
	if used {
		t.use(at)
	}
	return older, nil
}

// precedes reports whether the segment was written before a change was made, and with it all older
// segments.
func (s *summary) precedes(c feed.StreamChange) bool {
	return !c.Created.IsZero() && s.writtenAt.Before(c.Created.Add(-clockSkew))
}

// mayHold reports whether the time of a change is in the range of the segment's changes.
func (s *summary) mayHold(c feed.StreamChange) bool {
	return c.Created.IsZero() || !c.Created.Before(s.createdFrom) && !c.Created.After(s.createdTo)
}

// reload reads the identities of a segment again.
func (t *tail) reload(ctx context.Context, at int) error {
	s := &t.segments[at]
	segment, err := t.store.FeedSegment(ctx, t.room, s.first)
	if err != nil {
		return err
	}
	s.remember(segment)
	t.added(at)
	return nil
}
