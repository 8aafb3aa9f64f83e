package archive_test

import (
	"bytes"
	"iter"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
)

// records is a source of records in memory.
type records []archive.Record

func (r records) Records() iter.Seq[archive.Record] { return slices.Values(r) }
func (records) BytesRead() int64                    { return 0 }
func (records) Close() error                        { return nil }

// TestLoad_LosesNothingThatIsInvisible keeps messages that show nothing, because they were said, and
// stores names without their invisible characters.
func TestLoad_LosesNothingThatIsInvisible(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	var log bytes.Buffer
	const text = "\u200b\u3164"
	r, err := archive.Load(t.Context(), store, &archive.Archive{
		Rooms:  []archive.Room{{ID: "general", Name: "general"}},
		People: []archive.Person{{User: "ben", Name: "Ben\u200b  Boss\u2060"}, {User: "eve", Name: "\u3164"}},
		Source: records{{Room: "general", User: "ben", Text: text, At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}},
	}, options(&log))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, r, 1, 0, 0)
	page, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", Order: chat.Oldest, Limit: 50})
	if err != nil || len(page) != 1 || page[0].Text != text {
		t.Errorf("%+v, %v", page, err)
	}
	ben, err := people.NewStore(store.Table()).Person(t.Context(), "ben")
	if err != nil || ben.Name != "Ben Boss" {
		t.Errorf("%+v, %v", ben, err)
	}
	if r.People.Added != 1 || r.People.LeftOut[archive.BadName] != 1 {
		t.Errorf("people are %+v", r.People)
	}
}
