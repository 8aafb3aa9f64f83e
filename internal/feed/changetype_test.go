package feed_test

import (
	"testing"

	"example.com/parley/internal/feed"
)

// TestChangeTable_HasEachTypeOnce checks the rules for a new row.
func TestChangeTable_HasEachTypeOnce(t *testing.T) {
	numbers, names := map[feed.ChangeType]bool{}, map[string]bool{}
	for _, kind := range feed.KnownChanges() {
		again := names[kind.Name] && kind.Type != feed.SystemCreated // which clients treat like any message
		if numbers[kind.Type] || again || kind.Name == "" {
			t.Errorf("%+v is there twice, or has no name", kind)
		}
		numbers[kind.Type], names[kind.Name] = true, true
		if kind.Type < 1 || kind.Type > 255 {
			t.Errorf("%+v has a number that is not one byte", kind)
		}
		if kind.Type >= feed.FirstFramedChange && kind.Type.OfMessage() && kind.Type != feed.ReplyCreated && kind.Type != feed.SystemCreated {
			t.Errorf("%+v is framed and a revision", kind)
		}
	}
	for n := feed.MessageCreated; n < feed.FirstFramedChange; n++ {
		if !numbers[n] {
			t.Errorf("type %d is missing: segments that have it would be unreadable", n)
		}
	}
	if name := feed.ChangeType(255).String(); name != "unknown" {
		t.Errorf("a type of a later version is named %q", name)
	}
}
