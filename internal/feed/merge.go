package feed

import "slices"

// Merged is a change that has no number of its own. The entry of a later change of the same
// subject stands for it, since readers of an entry see the subject's current state.
type Merged struct {
	Into int // the index of the entry in Changes
	// Mark distinguishes the change from others of its subject: its Revision if it names a
	// message, and its Origin otherwise.
	Mark uint64
}

// subject returns what a change is about, if a later change of the same subject can replace it. ok
// is false for changes of messages and for changes that this version cannot read, which always
// have their own entry.
func (c Change) subject() (of Change, ok bool) {
	switch c.Type {
	case MemberChanged:
		return Change{Type: c.Type, User: c.User}, true
	case RoomChanged:
		return Change{Type: c.Type}, true
	case CountsChanged, PinsChanged:
		return Change{Type: c.Type, Message: c.Message}, true
	}
	return Change{}, false
}

// Merge divides changes into those that have their own entry, and the others. kept holds the
// indexes of the former, in their order. The last change of a subject is kept, and stands for the
// changes before it.
func Merge(changes []Change) (kept []int, merged []Merged) {
	entries := map[Change]int{} // the index of each subject in kept, from the end
	for i, c := range slices.Backward(changes) {
		of, merges := c.subject()
		if at, later := entries[of]; merges && later {
			merged = append(merged, Merged{Into: at, Mark: c.mark()})
			continue
		}
		if merges {
			entries[of] = len(kept)
		}
		kept = append(kept, i)
	}
	slices.Reverse(kept)
	slices.Reverse(merged)
	for i := range merged {
		merged[i].Into = len(kept) - 1 - merged[i].Into
	}
	return kept, merged
}

// mark returns the Mark of c.
func (c Change) mark() uint64 {
	if c.Type.Carries().HasMessage() {
		return uint64(c.Revision) //nolint:gosec // a revision is positive
	}
	return c.Origin
}

// withMark returns another change of the same subject.
func (c Change) withMark(mark uint64) Change {
	if c.Type.Carries().HasMessage() {
		c.Revision = int(mark) //nolint:gosec // the inverse of mark
	} else {
		c.Origin = mark
	}
	return c
}

// Identities returns the identities of all changes of s with their numbers. A merged change has no
// number, which is given as 0. Identities leaves out changes merged into a change that this
// version cannot read.
func (s Segment) Identities() map[Change]int64 {
	all := make(map[Change]int64, len(s.Changes)+len(s.Merged))
	for i, c := range s.Changes {
		all[c.Identity()] = s.First + int64(i)
	}
	for _, m := range s.Merged {
		if c := s.Changes[m.Into]; c.Type.Valid() {
			all[c.withMark(m.Mark).Identity()] = 0
		}
	}
	return all
}
