package archive

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"example.com/parley/internal/chat"
)

// Report counts each record that was read once.
type Report struct {
	Imported     int
	AlreadyThere int
	// NewVersions counts the messages that were edited in the other system since an earlier
	// import.
	NewVersions int
	Skipped     map[Reason]int
	// LeftOut counts the parts of rooms, messages and people that are not imported although the
	// rest is, and the reactions to records that are not imported.
	LeftOut map[Reason]int
	// Files counts the files that the texts of these messages name.
	Files int
	// NotFound counts the files of these messages whose bytes are not known, and Attached the
	// others.
	NotFound int
	Attached Group
	// People, Members and Reactions count the profiles, the memberships, and the reactions to
	// messages that are imported or already there, each once.
	People, Members, Reactions Group
	// Missing counts the deleted messages that hold the place of roots that the archive does not
	// have.
	Missing int
	// Writers are the people who can sign in: the archive's people, except programs and people
	// who left, and everybody else who wrote. They are sorted by messages written, most first.
	Writers []Writer
	// Reasons are the archive's reasons, in the order in which Write prints them.
	Reasons []Reason
	// Rooms are the archive's rooms, in its order.
	Rooms []RoomReport
}

// Writer is a person with their messages in an archive.
type Writer struct {
	User     chat.UserID
	Name     string
	Messages int
}

// RoomReport counts the messages of one room that were imported or already there.
type RoomReport struct {
	Room     chat.RoomID // the id in the store, or in the archive if the room could not be created
	Messages int
}

// Group counts one kind of object, other than messages, that an import writes.
type Group struct {
	Added, AlreadyThere int
	LeftOut             map[Reason]int
}

// add counts n outcomes.
func (g *Group) add(outcome Reason, n int) {
	switch {
	case n == 0:
	case outcome == imported:
		g.Added += n
	case outcome == alreadyThere:
		g.AlreadyThere += n
	default:
		if g.LeftOut == nil {
			g.LeftOut = map[Reason]int{}
		}
		g.LeftOut[outcome] += n
	}
}

// merge adds the counts of another group.
func (g *Group) merge(o Group) {
	g.Added += o.Added
	g.AlreadyThere += o.AlreadyThere
	for reason, n := range o.LeftOut {
		g.add(reason, n)
	}
}

// count is a line of a report.
type count struct {
	name string
	n    int
}

// lines returns the lines of a named group.
func (g Group) lines(name string) []count {
	lines := []count{{name + " added", g.Added}, {name + " already there", g.AlreadyThere}}
	return append(lines, reasonLines(name+" left out", g.LeftOut)...)
}

// reasonLines returns a line with the total, followed by one for each reason in alphabetical
// order.
func reasonLines(name string, reasons map[Reason]int) []count {
	lines := []count{{name, total(reasons)}}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		lines = append(lines, count{"  " + string(reason), reasons[reason]})
	}
	return lines
}

func total(reasons map[Reason]int) int {
	n := 0
	for _, k := range reasons {
		n += k
	}
	return n
}

// SkippedTotal returns the number of records that were not imported.
func (r Report) SkippedTotal() int {
	return total(r.Skipped)
}

// Write writes a line for each counter that is not 0, and for each room that has messages. The
// first line always counts the imported messages, even if there are none.
func (r Report) Write(w io.Writer) error {
	lines := []count{{"already there", r.AlreadyThere}, {"new versions", r.NewVersions}, {"skipped", r.SkippedTotal()}}
	for _, reason := range r.Reasons {
		lines = append(lines, count{"  " + string(reason), r.Skipped[reason]})
	}
	lines = append(lines, reasonLines("parts left out", r.LeftOut)...)
	lines = append(lines, count{"first messages of threads added as deleted", r.Missing})
	lines = append(lines, count{"files named in texts", r.Files})
	lines = append(lines, r.Attached.lines("files")...)
	lines = append(lines, count{"files not found", r.NotFound})
	lines = append(lines, r.Reactions.lines("reactions")...)
	lines = append(lines, r.People.lines("people")...)
	lines = append(lines, r.Members.lines("members")...)
	for _, room := range r.Rooms {
		lines = append(lines, count{"room " + string(room.Room), room.Messages})
	}
	lines = slices.DeleteFunc(lines, func(c count) bool { return c.n == 0 })
	lines = append([]count{{"imported", r.Imported}}, lines...)
	width := 0
	for _, line := range lines {
		width = max(width, len(line.name))
	}
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%-*s %9d\n", width+1, line.name+":", line.n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Reason is the reason for not importing a record, as printed in the report.
type Reason string

// Reasons of every format. The subpackages add their own.
const (
	EmptyText Reason = "empty text"
	LongText  Reason = "text too long" // over chat.MaxText
	NotUTF8   Reason = "not UTF-8"
	BadTime   Reason = "bad time"
	BadFile   Reason = "bad file" // the rest of a file cannot be read; counted once
	// Conflict: the room already has a message with this id and a different text.
	Conflict Reason = "conflict"
	// NotStored: the store did not confirm the message before the import gave up or was
	// interrupted. Another import of the same archive stores it if it is missing.
	NotStored Reason = "not stored"
)

// DeletedRoom is the reason for records of rooms that were deleted here, and stay deleted.
const DeletedRoom Reason = "in deleted rooms"

// Reasons for which people, members, reactions and parts of messages are left out.
const (
	BadName   Reason = "invalid name"
	BadTitle  Reason = "invalid title"
	BadAvatar Reason = "invalid picture"
	BadHandle Reason = "invalid handle"
	// Restricted: the person is muted or banned in the room, even if only the mute remains.
	Restricted Reason = "muted or banned"
	// Deleted: the message has been deleted since it was imported.
	Deleted Reason = "of deleted messages"
	// RemovedSince: an import has put the reaction, and it was removed since.
	RemovedSince Reason = "that were removed since"
	// ManyEmoji: the message has chat.MaxEmoji others.
	ManyEmoji Reason = "over 20 emoji"
	// ManyPeople: chat.MaxReactions people have reacted with the emoji.
	ManyPeople Reason = "over 10,000 people"
	// Erased: the person was deleted here, and stays deleted.
	Erased Reason = "who were deleted"
	// LeftSince: an import made the person a member, and they have left since.
	LeftSince Reason = "who left since"
	// InMaxRooms: the person is already in chat.MaxRooms rooms.
	InMaxRooms Reason = "in too many rooms"
)
