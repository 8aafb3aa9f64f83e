package stream

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.com/parley/internal/feed"
)

// TestWorkOf_ADeletedRoomLosesItsFiles checks that projections get the removed uploads of a deleted
// room, as of a purge, and nothing else.
func TestWorkOf_ADeletedRoomLosesItsFiles(t *testing.T) {
	t.Parallel()
	upload := feed.RowChange{User: "amsg", Upload: uuid.UUID{1}, Removed: true}
	rows := []feed.RowChange{{User: "bob", Emoji: "👍"}, upload, {User: "bob", Vote: true}}
	got := workOf("seattle", outcome{closed: true, Appended: feed.Appended{Entries: []feed.AppendedEntry{{Seq: 1}}}}, rows, []feed.Join{{User: "bob"}})
	if d := cmp.Diff(feed.RoomChanges{Room: "seattle", Rows: []feed.RowChange{upload}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
