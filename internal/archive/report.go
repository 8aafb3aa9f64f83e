package archive

import (
	"fmt"
	"io"
	"strings"
)

// Report counts each record that was read once.
type Report struct {
	Imported     int
	AlreadyThere int
	Skipped      map[Reason]int
	// Reasons are those of the archive, in the order in which Write prints them.
	Reasons []Reason
}

// SkippedTotal returns the number of records that were not imported.
func (r Report) SkippedTotal() int {
	n := 0
	for _, k := range r.Skipped {
		n += k
	}
	return n
}

// Write writes each counter on its own line, including those that are 0.
func (r Report) Write(w io.Writer) error {
	width := len("already there")
	for _, reason := range r.Reasons {
		width = max(width, len("  ")+len(reason))
	}
	var b strings.Builder
	line := func(name string, n int) { fmt.Fprintf(&b, "%-*s %9d\n", width+1, name+":", n) }
	line("imported", r.Imported)
	line("already there", r.AlreadyThere)
	line("skipped", r.SkippedTotal())
	for _, reason := range r.Reasons {
		line("  "+string(reason), r.Skipped[reason])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
