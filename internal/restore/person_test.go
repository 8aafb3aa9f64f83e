package restore_test

import (
	"testing"
	"time"

	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// TestCopy_KeepsNewerMetadata deletes the root of a person whose metadata changed after the restore
// point. The copy puts the root back and keeps the metadata.
func TestCopy_KeepsNewerMetadata(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.live("old")
	l.person("ann", "Ann", "Architect")
	l.person("bob", "Bob", "Architect")
	w.passes(time.Minute)
	point := w.now
	w.snapshot("old", "restored")
	w.passes(time.Minute)
	l.person("ann", "Ann", "Director")
	whole := w.dump("old")
	w.lose("old", people.Key("ann"))
	w.lose("old", people.Key("bob"), people.MetadataKey("bob"))
	w.copied(w.options("restored", "old", point))
	now := w.dump("old")
	for _, key := range []table.Item{people.MetadataKey("ann"), people.MetadataKey("bob"), people.Key("bob")} {
		if text := table.KeyText(key); now[text] != whole[text] || whole[text] == "" {
			t.Errorf("%s is %q, want %q", text, now[text], whole[text])
		}
	}
	if now[table.KeyText(people.Key("ann"))] == "" {
		t.Error("ann is not put back")
	}
	if again := w.copied(w.options("restored", "old", point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
}
