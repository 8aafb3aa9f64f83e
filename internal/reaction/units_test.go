package reaction_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/test/tabletest"
)

// TestStore_ConsumesTheUnitsOfTheDesign counts the units of each call for a message of 100
// bytes, and of counts of 100 and 1,000 rows.
func TestStore_ConsumesTheUnitsOfTheDesign(t *testing.T) {
	t.Parallel()
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	reads, writes := 0.0, 0.0
	s := dynamo.New(tabletest.Start(t, "chat"), dynamo.Options{Table: "chat", Clock: func() time.Time { return now }, Observe: func(_ context.Context, u dynamo.Usage) {
		if u.Write {
			writes += u.Units
		} else {
			reads += u.Units
		}
	}})
	reactions := reaction.NewStore(s.Table())
	room := chat.Room{ID: "seattle", Name: "Seattle", CreatedBy: "maker", CreatedAt: now, Shards: 1, DigestKey: []byte(strings.Repeat("k", 32))}
	if created, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker")); err != nil || !created {
		t.Fatal(created, err)
	}
	m := chat.Message{
		Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(now, [10]byte{1}), User: "amsg"},
		Text: strings.Repeat("x", 100), ReceivedAt: now, Digest: []byte("sixteen bytes..."),
	}
	if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatal(created, err)
	}
	of := func(n int) reaction.Reaction {
		user := chat.UserID(fmt.Sprintf("0a1b2c3d-4e5f-4a6b-8c7d-%012d", n)) // as long as a Cognito subject
		return reaction.Reaction{Room: "seattle", Message: m.ID, Emoji: "👍", User: user, ReceivedAt: now}
	}
	count := func(want int) func() error {
		return func() error {
			got, err := s.ReactionCounts(t.Context(), "seattle", m.ID)
			if err == nil && (len(got) != 1 || got[0].Count != want) {
				err = fmt.Errorf("counted %+v, want %d", got, want)
			}
			return err
		}
	}
	fill := func(from, to int) func() error {
		return func() error {
			for n := from; n < to; n++ {
				if _, err := reactions.Put(t.Context(), of(n)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name                  string
		do                    func() error
		maxReads, exactWrites float64
	}{
		{"react", fill(0, 1), 0, 2},
		{"react again", fill(0, 1), 0, 0}, // billed as 1, which a failed response does not report
		{"99 more react", fill(1, 100), 0, 198},
		{"who reacted, 20", func() error {
			_, _, err := reactions.Reactors(t.Context(), reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: 19})
			return err
		}, 1, 0},
		{"one's own of a page", func() error {
			_, err := reactions.Own(t.Context(), reaction.OwnQuery{User: of(0).User, Room: "seattle", First: now, Last: now})
			return err
		}, 0.5, 0},
		{"read the tally", func() error { _, _, err := s.Counted(t.Context(), "seattle", m.ID); return err }, 1, 0},
		{"count 100 rows", count(100), 8, 0},
		{"write the tally", func() error {
			_, err := s.PutTally(t.Context(), "seattle", m.ID, chat.Tally{Version: 1, Reactions: []chat.ReactionCount{{Emoji: "👍", Count: 100}}})
			return err
		}, 0, 2},
		{"take a reaction back", func() error { _, err := reactions.Delete(t.Context(), of(0)); return err }, 0, 2},
		{"901 more react", fill(100, 1001), 0, 1802},
		{"count 1,000 rows", count(1000), 75, 0},
	} {
		reads, writes = 0, 0
		if err := tt.do(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		t.Logf("%-20s %5.1f R %6.1f W", tt.name, reads, writes)
		if reads > tt.maxReads || writes != tt.exactWrites {
			t.Errorf("%s: %.1f R and %.1f W, want at most %.1f R and %.1f W", tt.name, reads, writes, tt.maxReads, tt.exactWrites)
		}
	}
}
