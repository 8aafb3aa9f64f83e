package doctor

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Status is the outcome of a check.
type Status string

// The outcomes. A deployment or its users fail at a blocker. A note is worth reading. Unread means
// that AWS did not respond, or that the credentials lack a permission.
const (
	OK      Status = "ok"
	Note    Status = "note"
	Unread  Status = "unread"
	Blocker Status = "BLOCKER"
)

// Finding is what a check found.
type Finding struct {
	Check  string
	Status Status
	Found  string
	Do     string // what to do; empty if there is nothing to do
}

func ok(format string, args ...any) Finding {
	return Finding{Status: OK, Found: fmt.Sprintf(format, args...)}
}

func note(do, format string, args ...any) Finding {
	return Finding{Status: Note, Found: fmt.Sprintf(format, args...), Do: do}
}

func blocker(do, format string, args ...any) Finding {
	return Finding{Status: Blocker, Found: fmt.Sprintf(format, args...), Do: do}
}

// unread returns the finding about something that could not be read.
func unread(err error) Finding {
	if right, ok := missingRight(err); ok {
		return Finding{Status: Unread, Found: "cannot read: needs " + right}
	}
	return Finding{Status: Unread, Found: "cannot read: " + err.Error()}
}

// Blocked reports whether a finding is a blocker.
func Blocked(all []Finding) bool { return count(all, Blocker) > 0 }

func count(all []Finding, s Status) (n int) {
	for _, f := range all {
		if f.Status == s {
			n++
		}
	}
	return n
}

// Print writes a table of findings, and a summary.
func Print(w io.Writer, all []Finding) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Check, f.Status, oneLine(f.Found))
		if f.Do != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", oneLine(f.Do))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(
		w, "\n%s, %s, %d unread\n", plural(count(all, Blocker), "blocker"), plural(count(all, Note), "note"),
		count(all, Unread),
	)
	return err
}

// oneLine keeps a service's text from breaking the table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
