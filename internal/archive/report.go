package archive

import (
	"fmt"
	"io"
	"strings"
)

// Report counts every record that was read, once.
type Report struct {
	Imported     int
	AlreadyThere int
	Skipped      map[Reason]int
	// Reasons are all that the archive knows, in the order in which they are written.
	Reasons []Reason
}

// SkippedTotal is how many records were not imported, for whatever reason.
func (r Report) SkippedTotal() int {
	n := 0
	for _, k := range r.Skipped {
		n += k
	}
	return n
}

// Write writes every counter on a line of its own, also where it is 0.
func (r Report) Write(w io.Writer) error {
	width := len("already there")
	for _, why := range r.Reasons {
		width = max(width, len("  ")+len(why))
	}
	var b strings.Builder
	line := func(name string, n int) { fmt.Fprintf(&b, "%-*s %9d\n", width+1, name+":", n) }
	line("imported", r.Imported)
	line("already there", r.AlreadyThere)
	line("skipped", r.SkippedTotal())
	for _, why := range r.Reasons {
		line("  "+string(why), r.Skipped[why])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
