package restore

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"parley/internal/table"
)

// Outcome is what became of an item.
type Outcome string

// The outcomes.
const (
	Put      Outcome = "put back"     // it was missing
	Replaced Outcome = "replaced"     // an older one was there
	Deleted  Outcome = "deleted"      // the text of a message and of its versions
	Changed  Outcome = "changed"      // a membership: ended, banned, muted or made less
	Same     Outcome = "there"        // it is there already
	Newer    Outcome = "kept"         // what is there is newer
	Ended    Outcome = "ended"        // a membership that ended since the restore point
	Skipped  Outcome = "not restored" // it is of the table itself: feeds, slots of slow mode
	Unknown  Outcome = "not readable" // an item of an unknown kind or form, or one of no room
)

// Counts is how many items of each kind had which outcome.
type Counts map[table.Kind]map[Outcome]int

// changes are the outcomes that write.
var changes = []Outcome{Put, Replaced, Deleted, Changed}

// Changes is how many items were, or in a dry run would be, written.
func (c Counts) Changes() int {
	n := 0
	for _, of := range c {
		for _, o := range changes {
			n += of[o]
		}
	}
	return n
}

// Write prints one line a kind.
func (c Counts) Write(w io.Writer) error {
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		name := kind
		if name == "" {
			name = "without a type"
		}
		if _, err := fmt.Fprintf(w, "%-22s", name); err != nil {
			return err
		}
		for _, o := range []Outcome{Put, Replaced, Deleted, Changed, Same, Newer, Ended, Skipped, Unknown} {
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

// tally counts for many goroutines.
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
