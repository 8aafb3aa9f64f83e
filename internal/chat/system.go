package chat

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxSystemPeople bounds the people whom a system message lists. 20 mostly fit the kilobyte that
// a message costs, and a reader wants no more.
const MaxSystemPeople = 20

// joinSpan is the time of which one system message lists all who joined, or whom a person added.
const joinSpan = time.Hour

// SystemEvent is what a system message reports.
type SystemEvent string

// The events of system messages.
const (
	EventJoined     SystemEvent = "joined"
	EventAdded      SystemEvent = "added" // by the message's user
	EventLeft       SystemEvent = "left"
	EventRemoved    SystemEvent = "removed" // or banned, by the message's user
	EventRenamed    SystemEvent = "renamed"
	EventTopic      SystemEvent = "topic"
	EventArchived   SystemEvent = "archived"
	EventUnarchived SystemEvent = "unarchived"
)

// System makes a message a line of its room, which reports what happened in it. Nobody writes
// it: it mentions nobody, is not counted as a message of the room, and no search finds it.
type System struct {
	Event SystemEvent `json:"event"`
	// People are whom the event is about, in order, each once; at most MaxSystemPeople.
	People []UserID `json:"people,omitempty"`
	More   bool     `json:"more,omitempty"`  // there were more people than People
	Value  string   `json:"value,omitempty"` // the new name or topic
}

// text returns the line in English, for readers that do not word it themselves. It has user ids,
// since the deletion of a person must not leave their name.
func (s System) text() string {
	who, verb := s.who(), "was"
	if len(s.People) > 1 || s.More {
		verb = "were"
	}
	switch s.Event {
	case EventJoined, EventLeft:
		return who + " " + string(s.Event) + "."
	case EventAdded, EventRemoved:
		return who + " " + verb + " " + string(s.Event) + "."
	case EventRenamed:
		return "The room is now called " + s.Value + "."
	case EventTopic:
		if s.Value == "" {
			return "The topic was removed."
		}
		return "The topic is now: " + s.Value
	}
	return "The room was " + string(s.Event) + "."
}

// who returns the people as a list.
func (s System) who() string {
	var all []string
	for _, user := range s.People {
		all = append(all, string(user))
	}
	if s.More {
		all = append(all, "others")
	}
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}

// with returns s with one more person, who may be listed already.
func (s System) with(user UserID) System {
	switch {
	case slices.Contains(s.People, user):
	case len(s.People) == MaxSystemPeople:
		s.More = true
	default:
		s.People = append(slices.Clone(s.People), user)
	}
	return s
}

// systemMessage returns the message of an event that a person made at a time. Its id follows
// from key, so that a retry makes the same message.
func systemMessage(by MemberOf, sent, received time.Time, key string, s System) Message {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", by.Room, by.User, s.Event, key))
	return Message{
		Room: by.Room, ID: MessageID{UUID: NewUUID(sent, [10]byte(sum[:10])), User: by.User},
		Text: s.text(), ReceivedAt: received, Revision: 1, System: &s,
	}
}

// Announces reports whether changes of the room by the caller of a request have system messages:
// not in direct rooms, where owners turned them off, or if a service makes the change.
func (r Room) Announces(ctx context.Context) bool {
	return !r.Silent && r.Direct == nil && ServiceOf(ctx) == ""
}

// JoinSender returns the sender of the system message about a person whom by added, or who
// joined by themselves if by is empty. All who join share a message, so that its sender is the
// room's creator.
func (r Room) JoinSender(by UserID) UserID { return cmp.Or(by, r.CreatedBy) }

// JoinMessage returns the system message about a person who joined a room, by themselves or
// added by another. All who join in an hour have the same message, of which this is the first
// form.
func JoinMessage(by MemberOf, user UserID, added bool, at time.Time) Message {
	event := EventJoined
	if added {
		event = EventAdded
	}
	hour := at.Truncate(joinSpan)
	return systemMessage(by, hour, at, "", System{Event: event}.with(user))
}

// After returns the next revision of the system message that is stored in place of m, which also
// lists a person. changed is false if it stays as it is: it lists them, it is full, or it was
// deleted.
func (m Message) After(stored Message, user UserID) (next Message, changed bool) {
	if stored.System == nil || stored.Deleted() {
		return m, false
	}
	s := stored.System.with(user)
	m.System, m.Text, m.Revision = &s, s.text(), stored.Revision+1
	return m, len(s.People) > len(stored.System.People) || s.More != stored.System.More
}

// LeaveMessage returns the system message about a person who left, or whom by removed.
func LeaveMessage(by UserID, left Membership, at time.Time) Message {
	event := EventRemoved
	if by == left.User {
		event = EventLeft
	}
	return systemMessage(MemberOf{left.Room, by}, at, at, string(left.User), System{Event: event}.with(left.User))
}

// settingsMessages returns the system messages about settings that a person has changed.
func settingsMessages(by UserID, before, after Room, at time.Time) (all []Message) {
	add := func(changed bool, event SystemEvent, value string) {
		if changed {
			all = append(
				all,
				systemMessage(
					MemberOf{after.ID, by}, at, at, fmt.Sprint(before.Revision), System{Event: event, Value: value},
				),
			)
		}
	}
	add(before.Name != after.Name, EventRenamed, after.Name)
	add(before.Topic != after.Topic, EventTopic, after.Topic)
	add(after.Archived && !before.Archived, EventArchived, "")
	add(before.Archived && !after.Archived, EventUnarchived, "")
	return all
}
