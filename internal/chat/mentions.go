package chat

import "slices"

// Mentions are the people whom a message addresses. They are separate from its text, which
// mentions nobody.
type Mentions struct {
	Users []UserID // in order, each once, at most MaxMentions; nil for none
	Room  bool     // everyone in the room
}

// None reports whether m mentions nobody.
func (m Mentions) None() bool { return len(m.Users) == 0 && !m.Room }

// Equal reports whether m and other mention the same people.
func (m Mentions) Equal(other Mentions) bool {
	return m.Room == other.Room && slices.Equal(m.Users, other.Users)
}

// check returns an Invalid error unless the people are in order, each once, and not too many.
func (m Mentions) check() error {
	if !slices.IsSorted(m.Users) || len(slices.Compact(slices.Clone(m.Users))) != min(len(m.Users), MaxMentions) {
		return Invalidf("mentions", "must be at most %d different people", MaxMentions)
	}
	return nil
}

// fields returns the mentions as fields of a Content.
func (m Mentions) fields() map[string][]string {
	more := map[string][]string{}
	for _, user := range m.Users {
		more["mentions"] = append(more["mentions"], string(user))
	}
	if m.Room {
		more["mentionRoom"] = []string{"true"}
	}
	return more
}
