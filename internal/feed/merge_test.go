package feed_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// drawBatch makes changes of a few subjects, each with its own revision or origin.
func drawBatch(t *rapid.T) []feed.Change {
	noon := time.UnixMilli(1_535_544_000_000)
	var changes []feed.Change
	for i := range rapid.IntRange(1, 30).Draw(t, "changes") {
		c := feed.Change{Type: rapid.SampledFrom(feed.KnownChanges()).Draw(t, "kind").Type}
		which := rapid.IntRange(1, 3).Draw(t, "subject")
		switch c.Type.Carries() {
		case feed.CarriesMessage, feed.CarriesReply, feed.CarriesPin:
			c.Message = chat.MessageID{User: "amsg", UUID: chat.NewUUID(noon, [10]byte{9: byte(which)})}
			c.Revision = i + 1
		case feed.CarriesUser:
			c.User, c.Origin = chat.UserID([]string{"ann", "bob", "eve"}[which-1]), uint64(i+1)
		default:
			c.Origin = uint64(i + 1)
		}
		changes = append(changes, c)
	}
	return changes
}

// TestMerge_LosesNoChange checks that a merged segment knows each change once, that messages are
// never merged, and that a subject ends with its last change.
func TestMerge_LosesNoChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := drawBatch(t)
		kept, merged := feed.Merge(changes)
		if !slices.IsSorted(kept) || len(kept)+len(merged) != len(changes) {
			t.Fatalf("%d changes became %v and %v", len(changes), kept, merged)
		}
		s := feed.Segment{First: 7, Merged: merged}
		for _, i := range kept {
			s.Changes = append(s.Changes, changes[i])
		}
		numbers := s.Identities()
		for i, c := range changes {
			number, known := numbers[c.Identity()]
			at := slices.Index(kept, i)
			if !known || at >= 0 && number != s.First+int64(at) || at < 0 && number != 0 {
				t.Fatalf("%+v has the number %d, %v", c, number, known)
			}
			if at < 0 && (c.Type.OfMessage() || c.Type == feed.UnknownChange) {
				t.Fatalf("%+v was merged", c)
			}
		}
		for _, m := range merged {
			i := slices.IndexFunc(changes, func(c feed.Change) bool { return c.Origin == m.Mark || c.Revision == int(m.Mark) })
			into := s.Changes[m.Into]
			if c := changes[i]; c.Type != into.Type || c.User != into.User || c.Message != into.Message || i >= kept[m.Into] {
				t.Fatalf("%+v was merged into %+v", c, into)
			}
		}
	})
}
