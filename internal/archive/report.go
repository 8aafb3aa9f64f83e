package archive

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"parley/internal/chat"
)

// Report counts each record that was read once.
type Report struct {
	Imported     int
	AlreadyThere int
	Skipped      map[Reason]int
	// Reasons are those of the archive, in the order in which Write prints them.
	Reasons []Reason
	// Rooms are those of the archive, in its order.
	Rooms []RoomReport
}

// RoomReport counts the messages of one room that were imported or already there.
type RoomReport struct {
	Room     chat.RoomID
	Messages int
}

// SkippedTotal returns the number of records that were not imported.
func (r Report) SkippedTotal() int {
	n := 0
	for _, k := range r.Skipped {
		n += k
	}
	return n
}

// Write writes a line for each counter that is not 0, and for each room that has messages. The
// first line is that of the imported messages, even if there are none.
func (r Report) Write(w io.Writer) error {
	type count struct {
		name string
		n    int
	}
	lines := []count{{"already there", r.AlreadyThere}, {"skipped", r.SkippedTotal()}}
	for _, reason := range r.Reasons {
		lines = append(lines, count{"  " + string(reason), r.Skipped[reason]})
	}
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
