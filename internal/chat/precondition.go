package chat

import "strconv"

// Precondition restricts which state of a room or a profile a change may replace. Without one, nil,
// the last change wins.
type Precondition struct {
	Absent   bool // none: the change only creates
	Any      bool // every existing one
	Revision int  // the one with this revision, 0 before a profile is saved; unless Absent or Any is set
}

// Check returns a Stale error unless p accepts a state. same reports that the change would leave
// it as it is. Such a change may be the retry of one whose response was lost, so it is accepted at
// every revision (RFC 9110, section 13.1.1).
func (p *Precondition) Check(exists bool, revision int, same bool) error {
	switch {
	case p == nil, p.Absent && !exists:
		return nil
	case p.Absent:
		return &Error{
			Kind: Stale, Field: "If-None-Match", Detail: "it exists already; leave the header out to replace it",
		}
	case same, p.Any && exists, !p.Any && p.Revision == revision:
		return nil
	case !exists:
		return &Error{Kind: Stale, Field: "If-Match", Detail: "it does not exist: leave the header out to create it"}
	}
	return &Error{
		Kind: Stale, Field: "If-Match",
		Detail: "it is at revision " + strconv.Itoa(revision) + ": read it and send its ETag in If-Match",
	}
}
