package restore

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"example.com/parley/internal/table"
)

// Outcome is the result of restoring one item.
type Outcome string

// The outcomes.
const (
	Put      Outcome = "put back" // it was missing
	Replaced Outcome = "replaced" // the existing one was older
	Deleted  Outcome = "deleted"  // the text of a message and of its versions
	// a membership was ended, banned, muted or reduced, or a person suspended or erased
	Changed Outcome = "changed"
	Same    Outcome = "there"            // it already exists
	Newer   Outcome = "kept"             // the existing one is newer
	Ended   Outcome = "ended"            // a membership or a person's item that ended since the restore point
	Gone    Outcome = "of deleted rooms" // left out, since nobody may read it
	Skipped Outcome = "not restored"     // it belongs only to its table: feeds, slots of slow mode
	Unknown Outcome = "not readable"     // its kind or form is unknown, or its room is missing
)

// Counts holds the number of items by kind and outcome.
type Counts map[table.Kind]map[Outcome]int

// changes are the outcomes with writes.
var changes = []Outcome{Put, Replaced, Deleted, Changed}

// Changes returns the number of items that were written, or would be without DryRun.
func (c Counts) Changes() int {
	n := 0
	for _, of := range c {
		for _, o := range changes {
			n += of[o]
		}
	}
	return n
}

// Write prints one line for each kind.
func (c Counts) Write(w io.Writer) error {
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		name := kind
		if name == "" {
			name = "without a type"
		}
		if _, err := fmt.Fprintf(w, "%-22s", name); err != nil {
			return err
		}
		for _, o := range []Outcome{Put, Replaced, Deleted, Changed, Same, Newer, Ended, Gone, Skipped, Unknown} {
			if n := c[kind][o]; n > 0 {
				if _, err := fmt.Fprintf(w, "  %d %s", n, o); err != nil {
					return err
				}
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// tally is a Counts for concurrent use.
type tally struct {
	mu     sync.Mutex
	counts Counts
}

func (t *tally) add(kind table.Kind, o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[kind] == nil {
		t.counts[kind] = map[Outcome]int{}
	}
	t.counts[kind][o]++
}
