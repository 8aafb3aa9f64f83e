package stream

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/requests"
)

// FuzzRead reads any record that Lambda could deliver. None ends the process, and none
// becomes a change that a segment could not hold.
func FuzzRead(f *testing.F) {
	for _, b := range requests.Batches {
		var batch struct{ Records []json.RawMessage }
		if err := json.Unmarshal([]byte(b.Event()), &batch); err != nil {
			f.Fatal(err)
		}
		for _, r := range batch.Records {
			f.Add([]byte(r))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var r events.DynamoDBEventRecord
		if json.Unmarshal(text, &r) != nil {
			return
		}
		rec := Read(r)
		if !rec.InFeed && rec.Row == nil {
			return
		}
		if _, err := chat.ParseRoomID(string(rec.Room)); err != nil && rec.Err == nil {
			t.Errorf("a change of no room: %+v", rec)
		}
		c := rec.Change
		if rec.Row != nil {
			if c.Type != 0 || len(c.Key) > feed.MaxChangeKey || rec.Err == nil && (rec.Row.User == "" || rec.Row.Emoji == "" && !rec.Row.Vote && rec.Row.Upload == (uuid.UUID{})) {
				t.Errorf("no row for projections: %+v", rec)
			}
			return
		}
		if !c.Type.Valid() || len(c.Key) > feed.MaxChangeKey || c.Type.OfMessage() && (c.Revision < 1 || c.Revision > chat.MaxVersion) {
			t.Errorf("no change of a feed: %+v", c)
		}
		_, later := r.Change.NewImage[table.AttrFeed]
		if rec.Err != nil && c.Type != feed.UnknownChange || rec.Err == nil && c.Type == feed.UnknownChange && !later {
			t.Errorf("a failure without a change, or a change without its failure: %+v", rec)
		}
	})
}
